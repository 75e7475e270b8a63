package io.jobqueue.internal.dashboard.batches;

import io.jobqueue.BatchDetails;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;

/**
 * A batch as a page shows it.
 *
 * @param details the batch
 * @param name its name, or asterisks in its place
 * @param progress how far it is
 */
public record ShownBatch(BatchDetails details, String name, Progress progress) {

	static ShownBatch of(BatchDetails batch, ValueSanitizer sanitizer) {
		return new ShownBatch(batch, String.valueOf(sanitizer.text(batch.name())), Progress.of(batch.info()));
	}

	/**
	 * Return the state of the batch.
	 * @return {@code open} until it is sealed, then {@code sealed} until it is finished
	 */
	public String state() {
		if (this.details.finishedAt() != null) {
			return (this.details.info().failed() > 0) ? "finished with failures" : "finished";
		}
		return (this.details.sealedAt() != null) ? "sealed" : "open";
	}

	/**
	 * Return how the state looks.
	 * @return the end of the name of a style
	 */
	public String style() {
		if (this.details.finishedAt() != null) {
			return (this.details.info().failed() > 0) ? "bad" : "good";
		}
		return (this.details.sealedAt() != null) ? "running" : "warn";
	}

}
