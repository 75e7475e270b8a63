package io.jobqueue.internal.context;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The job whose handler runs on the current thread. Threads that a handler starts have
 * none.
 */
public final class CurrentJob {

	private static final ThreadLocal<@Nullable UUID> ID = new ThreadLocal<>();

	private CurrentJob() {
	}

	/**
	 * Return the job whose handler runs.
	 * @return its id, {@code null} outside a handler
	 */
	public static @Nullable UUID id() {
		return ID.get();
	}

	/**
	 * Set the job whose handler begins. A handler may run another job on its thread.
	 * @param job the id of the job
	 * @return the id of the outer job, {@code null} if there is none, to be passed to
	 * {@link #restore}
	 */
	public static @Nullable UUID enter(UUID job) {
		UUID outer = ID.get();
		ID.set(job);
		return outer;
	}

	/**
	 * Restore the outer job after a handler has ended.
	 * @param outer the id that {@link #enter} has returned
	 */
	public static void restore(@Nullable UUID outer) {
		if (outer != null) {
			ID.set(outer);
		}
		else {
			ID.remove();
		}
	}

}
