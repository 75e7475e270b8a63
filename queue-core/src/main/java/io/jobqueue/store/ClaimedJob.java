package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;

/**
 * A job that a worker has claimed.
 *
 * @param id the job's id
 * @param claim the number of the claim, which every later write names
 * @param queue the queue
 * @param type the name of the type
 * @param payload the encoded payload
 * @param priority the value of its priority
 * @param runAt when it was due
 * @param seq its place in the order of enqueueing
 * @param attempt the number of this attempt, from 1
 * @param expectedFailures how many attempts before this one ended with an expected
 * exception
 * @param maxAttempts after how many other attempts it is given up, 0 for never
 * @param maxRunTime how long the attempt may take
 * @param createdAt when it was enqueued
 * @param headers its encoded headers
 * @param key its unique key, if it has one
 * @param orderingKey its ordering key, if it has one
 * @param limitKey its limit key, if it has one
 * @param atMostOnce whether this attempt is the only one
 */
public record ClaimedJob(UUID id, long claim, String queue, String type, Encoded payload, int priority, Instant runAt,
		long seq, int attempt, int expectedFailures, int maxAttempts, Duration maxRunTime, Instant createdAt,
		@Nullable String headers, @Nullable String key, @Nullable String orderingKey, @Nullable String limitKey,
		boolean atMostOnce) {

	private static final Encoded NO_PAYLOAD = Encoded.ofText("");

	/**
	 * Return the same job with an empty payload, so that the stored one takes no memory.
	 * @return the job, with its headers
	 */
	public ClaimedJob withoutPayload() {
		return NO_PAYLOAD.equals(this.payload) ? this
				: new ClaimedJob(this.id, this.claim, this.queue, this.type, NO_PAYLOAD, this.priority, this.runAt,
						this.seq, this.attempt, this.expectedFailures, this.maxAttempts, this.maxRunTime,
						this.createdAt, this.headers, this.key, this.orderingKey, this.limitKey, this.atMostOnce);
	}

	/**
	 * Return the keys that the job keeps from others.
	 * @return the keys, {@code null} if it has neither an ordering nor a limit key
	 */
	public @Nullable HeldKeys heldKeys() {
		return (this.orderingKey != null || this.limitKey != null)
				? new HeldKeys(this.queue, this.orderingKey, this.limitKey) : null;
	}

	/**
	 * Return where the job belongs.
	 * @return the tier
	 */
	public Tier tier() {
		return new Tier(this.queue, this.priority);
	}

	/**
	 * Return where the job stands in its tier.
	 * @return the place
	 */
	public JobPosition position() {
		return new JobPosition(this.runAt, this.seq);
	}

	/**
	 * Return the number of this attempt among those that count towards the limit.
	 * @return the number, from 1
	 */
	public int countedAttempt() {
		return this.attempt - this.expectedFailures;
	}

	/**
	 * Return whether no attempt is left after this one, unless it ends with an expected
	 * exception.
	 * @return {@code true} on the last attempt
	 */
	public boolean isLastAttempt() {
		return this.atMostOnce || (this.maxAttempts > 0 && countedAttempt() >= this.maxAttempts);
	}

	/**
	 * Return what people need to know of the job; its payload is for its handler alone.
	 */
	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s, attempt=%d]".formatted(this.id, this.queue, this.type, this.attempt);
	}

	/**
	 * The keys that a claimed job keeps from others of its queue.
	 *
	 * @param queue the queue
	 * @param ordering the ordering key, {@code null} for none
	 * @param limit the limit key, of which it has a slot, {@code null} for none
	 */
	public record HeldKeys(String queue, @Nullable String ordering, @Nullable String limit) {
	}

}
