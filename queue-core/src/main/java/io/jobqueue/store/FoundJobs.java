package io.jobqueue.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param jobs the jobs
 * @param next where to go on, {@code null} at the end
 * @param partial whether the search took too long
 */
public record FoundJobs(List<FoundJob> jobs, @Nullable String next, boolean partial) {
}
