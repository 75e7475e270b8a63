package io.jobqueue.worker;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads of a worker that are named after their roles.
 */
final class WorkerThreads {

	private WorkerThreads() {
	}

	static CustomizableThreadFactory of(String role, WorkerSettings settings) {
		return new CustomizableThreadFactory("jobqueue-%s@%s-".formatted(role, settings.name()));
	}

	/**
	 * What is the application's may never end.
	 */
	static CustomizableThreadFactory daemons(String role, WorkerSettings settings) {
		CustomizableThreadFactory threads = of(role, settings);
		threads.setDaemon(true);
		return threads;
	}

}
