package io.jobqueue.internal.kafka.consume;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.NewJob;

/**
 * A record that was polled and is not acknowledged. Guarded by its partition.
 */
final class DirectRecord {

	private final long offset;

	private final @Nullable NewJob job;

	private State state = State.WAITING;

	private volatile boolean redelivered;

	/**
	 * @param job the job of the record, {@code null} for a tombstone
	 */
	DirectRecord(long offset, @Nullable NewJob job) {
		this.offset = offset;
		this.job = job;
	}

	long offset() {
		return this.offset;
	}

	@Nullable NewJob job() {
		return this.job;
	}

	@Nullable String key() {
		return (this.job != null) ? this.job.keys().ordering() : null;
	}

	DirectRecord begin() {
		this.state = State.BEGUN;
		return this;
	}

	DirectRecord withdraw() {
		this.state = State.WAITING;
		return this;
	}

	void done() {
		this.state = State.DONE;
	}

	boolean hasBegun() {
		return this.state != State.WAITING;
	}

	boolean isDone() {
		return this.state == State.DONE;
	}

	/**
	 * Forget the record, which may be delivered again.
	 */
	void drop(DirectRuns runs) {
		if (this.state == State.WAITING) {
			runs.dropped();
		}
	}

	void redelivered() {
		this.redelivered = true;
	}

	boolean wasRedelivered() {
		return this.redelivered;
	}

	private enum State {

		WAITING, BEGUN, DONE

	}

}
