package io.jobqueue.context;

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
	 * Run the handler of a job. A handler may run another job on its thread.
	 * @param job the id of the job
	 * @param handler the handler
	 * @param <T> the type of the result
	 * @return the result of the handler
	 * @throws Throwable the exception of the handler
	 */
	public static <T> T within(UUID job, Handler<T> handler) throws Throwable {
		UUID outer = ID.get();
		ID.set(job);
		try {
			return handler.run();
		}
		finally {
			if (outer != null) {
				ID.set(outer);
			}
			else {
				ID.remove();
			}
		}
	}

	/**
	 * Runs a handler.
	 *
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	public interface Handler<T> {

		/**
		 * Run the handler.
		 * @return its result
		 * @throws Throwable its exception
		 */
		T run() throws Throwable;

	}

}
