package io.jobqueue.concurrent;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Creates threads that are named after their node and their role, such as
 * {@code jobqueue@web-1-fetcher-1}.
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
		return new CustomizableThreadFactory("jobqueue@%s-%s-".formatted(node, role));
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

}
