package io.jobqueue.recovery;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Delivery;
import io.jobqueue.JobState;

/**
 * What became of a job.
 *
 * @param delivery what it was promised
 * @param state its state
 * @param lastError its last error
 * @param attempts how many attempts counted
 * @param failures how many of them failed
 * @param payload its payload
 * @param times how often its handler has done its work
 */
record Fate(Delivery delivery, JobState state, @Nullable String lastError, int attempts, int failures, String payload,
		long times) {

	boolean isAsPromised() {
		return isWhole() && this.failures == this.attempts - ((this.state == JobState.SUCCEEDED) ? 1 : 0)
				&& isDelivered();
	}

	private boolean isWhole() {
		return this.payload.matches("\\{\"number\":\\d+}");
	}

	private boolean isDelivered() {
		return switch (this.delivery) {
			case AT_LEAST_ONCE -> this.state == JobState.SUCCEEDED && this.times >= 1;
			case TRANSACTIONAL -> this.state == JobState.SUCCEEDED && this.times == 1;
			case AT_MOST_ONCE -> (this.state == JobState.SUCCEEDED) ? this.times == 1 : isLost();
		};
	}

	private boolean isLost() {
		return this.state == JobState.DEAD && this.times <= 1 && this.lastError != null;
	}

}
