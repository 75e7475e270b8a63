package io.jobqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * What the jobs of a queue are subject to that have an ordering or a limit key.
 *
 * @param concurrency how many jobs of a limit key may be claimed at a time, {@code null}
 * for any number
 * @param deadHeadHolds whether a dead job keeps back the others of its ordering key for
 * as long as the archive has it
 */
public record KeyRules(@Nullable Integer concurrency, boolean deadHeadHolds) {

	/**
	 * No limit, and nothing that the dead hold.
	 */
	public static final KeyRules NONE = new KeyRules(null, false);

}
