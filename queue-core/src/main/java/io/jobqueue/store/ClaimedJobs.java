package io.jobqueue.store;

import java.util.List;
import java.util.Set;

/**
 * What a claim brought.
 *
 * @param jobs the claimed jobs, most urgent first
 * @param withheld queues with a due job that was not claimed because it is on its last
 * attempt and found no free handler
 */
public record ClaimedJobs(List<ClaimedJob> jobs, Set<String> withheld) {
}
