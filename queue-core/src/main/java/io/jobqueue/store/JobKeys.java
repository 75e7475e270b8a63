package io.jobqueue.store;

import org.jspecify.annotations.Nullable;

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
	public boolean areGated() {
		return this.ordering != null || this.limit != null;
	}

}
