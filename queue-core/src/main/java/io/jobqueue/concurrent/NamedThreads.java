package io.jobqueue.concurrent;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Creates threads that are named after their node and their role, such as
 * {@code jobqueue@web-1-fetcher-1}. A thread inherits nothing from the thread that starts
 * it, which may belong to a request of the application: neither thread-local values nor
 * the priority. Its group and its context class loader are those of the thread that
 * created the factory.
 */
public final class NamedThreads {

	private NamedThreads() {
	}

	/**
	 * Return a factory of threads that keep the JVM running.
	 * @param node the name of the node
	 * @param role the role of the threads
	 * @return the factory
	 */
	public static CustomizableThreadFactory of(String node, String role) {
		return new IndependentThreads("jobqueue@%s-%s-".formatted(node, role));
	}

	/**
	 * Return a factory of daemon threads, for code of the application that may not end.
	 * @param node the name of the node
	 * @param role the role of the threads
	 * @return the factory
	 */
	public static CustomizableThreadFactory daemons(String node, String role) {
		CustomizableThreadFactory threads = of(node, role);
		threads.setDaemon(true);
		return threads;
	}

	@SuppressWarnings({ "serial", "ThreadPriorityCheck" })
	private static final class IndependentThreads extends CustomizableThreadFactory {

		private final transient @Nullable ThreadGroup group = Thread.currentThread().getThreadGroup();

		private final transient @Nullable ClassLoader classes = Thread.currentThread().getContextClassLoader();

		private IndependentThreads(String prefix) {
			super(prefix);
		}

		@Override
		public Thread createThread(Runnable task) {
			Thread thread = new Thread(this.group, task, nextThreadName(), 0, false);
			thread.setContextClassLoader(this.classes);
			thread.setPriority(getThreadPriority());
			thread.setDaemon(isDaemon());
			return thread;
		}

	}

}
