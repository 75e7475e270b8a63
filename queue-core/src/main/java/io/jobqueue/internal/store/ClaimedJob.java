package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;

/**
 * A job that a worker has claimed.
 *
 * @param id the job's id
 * @param claim the number of the claim, a condition of every later write
 * @param queue the queue
 * @param type the name of the type
 * @param payload the encoded payload
 * @param priority the value of its priority
 * @param runAt the time it was due
 * @param seq its sequence number, in the order of enqueueing
 * @param attempt the number of this attempt, from 1
 * @param expectedFailures the number of earlier attempts that ended with an expected
 * exception
 * @param maxAttempts the maximum number of attempts without those, 0 for no limit
 * @param maxRunTime the maximum run time of the attempt
 * @param createdAt the time it was enqueued
 * @param headers its encoded headers
 * @param key its unique key, {@code null} for none
 * @param orderingKey its ordering key, {@code null} for none
 * @param limitKey its limit key, {@code null} for none
 * @param atMostOnce whether no attempt may follow this one
 * @param involved whether it is a member of a batch, or has a history of attempts
 * @param releases how often in a row a stop has released it after its handler had begun
 */
public record ClaimedJob(UUID id, long claim, String queue, String type, Encoded payload, int priority, Instant runAt,
		long seq, int attempt, int expectedFailures, int maxAttempts, Duration maxRunTime, Instant createdAt,
		@Nullable String headers, @Nullable String key, @Nullable String orderingKey, @Nullable String limitKey,
		boolean atMostOnce, boolean involved, int releases) {

	private static final Encoded NO_PAYLOAD = Encoded.ofText("");

	/**
	 * Return this job with an empty payload, so that the payload can be
	 * garbage-collected.
	 * @return the job, headers included
	 */
	public ClaimedJob withoutPayload() {
		return NO_PAYLOAD.equals(this.payload) ? this
				: new ClaimedJob(this.id, this.claim, this.queue, this.type, NO_PAYLOAD, this.priority, this.runAt,
						this.seq, this.attempt, this.expectedFailures, this.maxAttempts, this.maxRunTime,
						this.createdAt, this.headers, this.key, this.orderingKey, this.limitKey, this.atMostOnce,
						this.involved, this.releases);
	}

	/**
	 * Return whether the job has neither a unique key nor a batch nor a history of
	 * attempts, so that its success changes none of these.
	 * @return whether it is plain
	 */
	public boolean isPlain() {
		return this.key == null && !this.involved;
	}

	/**
	 * Return the keys that the job occupies while it is claimed.
	 * @return the keys, {@code null} if it has neither an ordering nor a limit key
	 */
	public @Nullable HeldKeys heldKeys() {
		return (this.orderingKey != null || this.limitKey != null)
				? new HeldKeys(this.queue, this.orderingKey, this.limitKey) : null;
	}

	/**
	 * Return the queue and priority of the job.
	 * @return the tier
	 */
	public Tier tier() {
		return new Tier(this.queue, this.priority);
	}

	/**
	 * Return the position of the job within its tier.
	 * @return the position
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
	 * Return the id, queue, type and attempt of the job, for log messages; not its
	 * payload.
	 */
	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s, attempt=%s]".formatted(this.id, this.queue, this.type, this.attempt);
	}

	/**
	 * The ordering and limit key that a claimed job occupies in its queue.
	 *
	 * @param queue the queue
	 * @param ordering the ordering key, {@code null} for none
	 * @param limit the limit key, one slot of which it occupies, {@code null} for none
	 */
	public record HeldKeys(String queue, @Nullable String ordering, @Nullable String limit) {

		/**
		 * Return whether two jobs of the same queue have a key in common.
		 * @param other the keys of the other job, {@code null} if it has none
		 * @return {@code true} if they have
		 */
		public boolean overlap(@Nullable HeldKeys other) {
			return other != null && ((this.ordering != null && this.ordering.equals(other.ordering))
					|| (this.limit != null && this.limit.equals(other.limit)));
		}

	}

}
