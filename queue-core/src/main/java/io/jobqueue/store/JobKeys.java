package io.jobqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.OnDuplicate;

/**
 * The names that a job shares with others of its queue.
 *
 * @param unique what no two live jobs have, {@code null} for none
 * @param ordering whose jobs run one at a time, in order, {@code null} for none
 * @param limit whose jobs share slots, {@code null} for none
 * @param group whose jobs are counted together, {@code null} for none
 */
public record JobKeys(@Nullable UniqueKey unique, @Nullable String ordering, @Nullable String limit,
		@Nullable String group) {

	/**
	 * None at all.
	 */
	public static final JobKeys NONE = new JobKeys(null, null, null, null);

	/**
	 * Return whether the job has to be admitted before it can be claimed.
	 * @return {@code true} with an ordering or a limit key
	 */
	public boolean needAdmission() {
		return this.ordering != null || this.limit != null;
	}

	/**
	 * A key that no two live jobs of a queue have.
	 *
	 * @param value the key
	 * @param onDuplicate what to do where it is taken
	 * @param dedupeFor how long it stays taken after a success, {@code null} for not at
	 * all
	 */
	public record UniqueKey(String value, OnDuplicate onDuplicate, @Nullable Duration dedupeFor) {
	}

}
