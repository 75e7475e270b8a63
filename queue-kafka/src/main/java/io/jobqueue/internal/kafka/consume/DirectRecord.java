package io.jobqueue.internal.kafka.consume;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.NewJob;

/**
 * A record that was polled and is not acknowledged. Guarded by its partition.
 */
final class DirectRecord {

	private final long offset;

	private @Nullable NewJob job;

	private final boolean tombstone;

	private State state;

	private volatile boolean redelivered;

	/**
	 * @param job the job of the record, {@code null} for a tombstone that is ignored, and
	 * has ended
	 */
	DirectRecord(long offset, @Nullable NewJob job) {
		this.offset = offset;
		this.job = job;
		this.tombstone = job == null;
		this.state = (job != null) ? State.WAITING : State.DONE;
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

	void begin() {
		this.state = State.BEGUN;
	}

	void withdraw() {
		this.state = State.WAITING;
	}

	void done() {
		this.state = State.DONE;
	}

	/**
	 * Release the memory of the job of a record that has ended.
	 */
	void forgetJob() {
		this.job = null;
	}

	boolean hasBegun() {
		return this.state != State.WAITING;
	}

	/**
	 * Return whether the record, or the tombstone, may be delivered again without a
	 * repetition.
	 */
	boolean mayBeLeft() {
		return this.tombstone || !hasBegun();
	}

	boolean isDone() {
		return this.state == State.DONE;
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
