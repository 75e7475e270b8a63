package io.jobqueue.internal.dashboard.batches;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of batches.
 *
 * @param unfinished the unfinished ones, the latest first
 * @param finished those that have finished last, only on the first page
 * @param next the position of the next page, {@code null} if there is none
 */
public record BatchList(List<ShownBatch> unfinished, List<ShownBatch> finished, @Nullable String next) {

	/**
	 * Return whether there is no batch.
	 * @return {@code true} if there is none
	 */
	public boolean isEmpty() {
		return this.unfinished.isEmpty() && this.finished.isEmpty();
	}

}
