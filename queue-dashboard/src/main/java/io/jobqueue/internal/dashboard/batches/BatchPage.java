package io.jobqueue.internal.dashboard.batches;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * A batch and its callbacks.
 *
 * @param batch the batch
 * @param callbacks the jobs that run when it has ended
 */
public record BatchPage(ShownBatch batch, List<Callback> callbacks) {

	/**
	 * A job that runs when a batch has ended.
	 *
	 * @param kind when it runs
	 * @param job its id
	 * @param type its type, {@code null} if it no longer exists
	 * @param state its state, {@code null} if it no longer exists
	 * @param needed whether it runs, as far as that is known
	 */
	public record Callback(String kind, UUID job, @Nullable String type, @Nullable JobState state, boolean needed) {

	}

}
