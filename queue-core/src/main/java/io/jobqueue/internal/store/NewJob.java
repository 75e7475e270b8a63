package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.PayloadCodec.Encoded;

/**
 * A job to be inserted.
 *
 * @param id the job's id
 * @param queue the queue
 * @param type the name of the type
 * @param payload the encoded payload
 * @param priority the value of its priority
 * @param runAt the time it is due, {@code null} to use the delay
 * @param delay the time until it is due, from the database's clock, used without
 * {@code runAt}
 * @param expiresAfter the time after {@code runAt} at which it expires unless it has
 * begun, {@code null} if it does not expire
 * @param maxAttempts the job's own maximum number of attempts, 0 for no limit,
 * {@code null} for that of its type or queue
 * @param maxRunTime the job's own maximum run time of an attempt, {@code null} for that
 * of its type or queue
 * @param headers the encoded headers
 * @param keys the keys of the job
 * @param predecessors the jobs that it waits for
 */
public record NewJob(UUID id, String queue, String type, Encoded payload, int priority, @Nullable Instant runAt,
		Duration delay, @Nullable Duration expiresAfter, @Nullable Integer maxAttempts, @Nullable Duration maxRunTime,
		@Nullable String headers, JobKeys keys, Predecessors predecessors) {

	/**
	 * Return this job with other headers.
	 * @param encoded the encoded headers
	 * @return a copy
	 */
	public NewJob withHeaders(String encoded) {
		return new NewJob(this.id, this.queue, this.type, this.payload, this.priority, this.runAt, this.delay,
				this.expiresAfter, this.maxAttempts, this.maxRunTime, encoded, this.keys, this.predecessors);
	}

	/**
	 * Return the size of payload and headers.
	 * @return the number of characters and bytes
	 */
	public long size() {
		int bytes = (this.payload.bytes() != null) ? this.payload.bytes().length : 0;
		return (long) bytes + length(this.payload.text()) + length(this.headers);
	}

	private static int length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

	/**
	 * The keys of a job. Jobs of the same queue are related to each other by equal keys.
	 *
	 * @param unique the key that at most one live job has, apart from one that follows
	 * it, {@code null} for none
	 * @param ordering the key whose jobs run one at a time, in the order of enqueueing,
	 * {@code null} for none
	 * @param limit the key whose jobs share a number of slots, {@code null} for none
	 * @param group the name of the group that the job is counted in, {@code null} for
	 * none
	 */
	public record JobKeys(@Nullable UniqueKey unique, @Nullable String ordering, @Nullable String limit,
			@Nullable String group) {

		/**
		 * No keys.
		 */
		public static final JobKeys NONE = new JobKeys(null, null, null, null);

		/**
		 * Return whether the job has to be admitted before it can be claimed.
		 * @return {@code true} if it has an ordering or a limit key
		 */
		public boolean needAdmission() {
			return this.ordering != null || this.limit != null;
		}

		/**
		 * A key that at most one live job of a queue has, apart from one that follows it.
		 *
		 * @param value the key
		 * @param onDuplicate the action if the key is taken
		 * @param dedupeFor how long it stays taken after a success, {@code null} if it
		 * does not
		 */
		public record UniqueKey(String value, OnDuplicate onDuplicate, @Nullable Duration dedupeFor) {
		}

	}

	/**
	 * The jobs that a job waits for.
	 *
	 * @param ids their ids, empty for a job that waits for none
	 * @param onFailure what the job does if one of them fails
	 */
	public record Predecessors(Set<UUID> ids, OnPredecessorFailure onFailure) {

		/**
		 * No predecessors.
		 */
		public static final Predecessors NONE = new Predecessors(Set.of(), OnPredecessorFailure.WAIT);

	}

}
