package io.jobqueue.store;

import java.util.UUID;

/**
 * How far a running job has come.
 *
 * @param id the job's id
 * @param claim the number of the claim
 * @param percent how much of it is done, from 0 to 100
 * @param message what people are told
 */
public record ProgressReport(UUID id, long claim, int percent, String message) {
}
