package io.jobqueue.internal.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.OnDuplicate;

/**
 * The keys of a job. Jobs of the same queue are related to each other by equal keys.
 *
 * @param unique the key that at most one live job has, apart from one that follows it,
 * {@code null} for none
 * @param ordering the key whose jobs run one at a time, in the order of enqueueing,
 * {@code null} for none
 * @param limit the key whose jobs share a number of slots, {@code null} for none
 * @param group the name of the group that the job is counted in, {@code null} for none
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
	 * @param dedupeFor how long it stays taken after a success, {@code null} if it does
	 * not
	 */
	public record UniqueKey(String value, OnDuplicate onDuplicate, @Nullable Duration dedupeFor) {
	}

}
