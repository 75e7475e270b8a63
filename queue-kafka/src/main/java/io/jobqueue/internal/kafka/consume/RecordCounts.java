package io.jobqueue.internal.kafka.consume;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what became of the records of a topic.
 */
public final class RecordCounts {

	private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);

	RecordCounts() {
		for (Outcome outcome : Outcome.values()) {
			this.counts.put(outcome, new LongAdder());
		}
	}

	void add(Outcome outcome) {
		counter(outcome).increment();
	}

	/**
	 * Return how many records had an outcome.
	 * @param outcome the outcome
	 * @return the number of records
	 */
	public long count(Outcome outcome) {
		return counter(outcome).sum();
	}

	private LongAdder counter(Outcome outcome) {
		return Objects.requireNonNull(this.counts.get(outcome));
	}

	/**
	 * What became of a record.
	 */
	public enum Outcome {

		/**
		 * Its handler has succeeded, and it is no job.
		 */
		SUCCEEDED,

		/**
		 * It was delivered before and not acknowledged, and is a job whose first attempt
		 * counts as failed.
		 */
		REDELIVERED,

		/**
		 * It is a job.
		 */
		ENQUEUED,

		/**
		 * It is a job that dies, since its type is unknown or it cannot be stored.
		 */
		UNKNOWN,

		/**
		 * A record with the same id is a job already.
		 */
		DUPLICATE,

		/**
		 * It has no value, and is ignored, as no handler takes it.
		 */
		TOMBSTONE,

		/**
		 * The broker has refused its acknowledgement, which came too late, so that it is
		 * delivered again. It has another outcome as well.
		 */
		UNACKNOWLEDGED

	}

}
