package io.jobqueue.internal.concurrent;

import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.ClassUtils;

/**
 * Creates threads that are named after their node and their role, such as
 * {@code jobqueue@web-1-fetcher-1}. A thread inherits nothing from the thread that starts
 * it, which may belong to a request of the application: neither thread-local values nor
 * the priority. Its group and its context class loader are those of the thread that
 * created the factory: since Java 19, the class loader of a thread without inherited
 * values is the system's, which finds no class within an executable jar.
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
	public static ThreadFactory of(String node, String role) {
		return new IndependentThreads(prefix(node, role));
	}

	/**
	 * Return a factory of daemon threads, for code of the application that may not end.
	 * @param node the name of the node
	 * @param role the role of the threads
	 * @return the factory
	 */
	public static ThreadFactory daemons(String node, String role) {
		return daemons(prefix(node, role));
	}

	/**
	 * Return a factory of daemon threads that belong to no node.
	 * @param prefix the prefix of their names
	 * @return the factory
	 */
	public static ThreadFactory daemons(String prefix) {
		CustomizableThreadFactory threads = new IndependentThreads(prefix);
		threads.setDaemon(true);
		return threads;
	}

	/**
	 * Return a factory of virtual threads.
	 * @param node the name of the node
	 * @param role the role of the threads
	 * @return the factory
	 * @throws IllegalStateException if the JVM has none, before Java 21
	 */
	public static ThreadFactory virtual(String node, String role) {
		ThreadFactory threads = virtual(prefix(node, role));
		ClassLoader classes = ClassUtils.getDefaultClassLoader();
		return (task) -> {
			Thread thread = threads.newThread(task);
			thread.setContextClassLoader(classes);
			return thread;
		};
	}

	/**
	 * Spring's virtual threads inherit the values of the thread that starts them.
	 */
	private static ThreadFactory virtual(String prefix) {
		try {
			Class<?> type = Class.forName("java.lang.Thread$Builder");
			Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
			type.getMethod("name", String.class, long.class).invoke(builder, prefix, 1L);
			type.getMethod("inheritInheritableThreadLocals", boolean.class).invoke(builder, false);
			return (ThreadFactory) type.getMethod("factory").invoke(builder);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Virtual threads need Java 21 or later", ex);
		}
	}

	private static String prefix(String node, String role) {
		return "jobqueue@%s-%s-".formatted(node, role);
	}

	@SuppressWarnings({ "serial", "ThreadPriorityCheck" })
	private static final class IndependentThreads extends CustomizableThreadFactory {

		private final transient @Nullable ThreadGroup group = Thread.currentThread().getThreadGroup();

		private final transient @Nullable ClassLoader classes = ClassUtils.getDefaultClassLoader();

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
