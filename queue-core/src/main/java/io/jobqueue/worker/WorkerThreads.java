package io.jobqueue.worker;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.jobqueue.policy.WorkerSettings;

/**
 * The threads of a worker that are named after their roles.
 */
final class WorkerThreads {

	private WorkerThreads() {
	}

	static CustomizableThreadFactory of(String role, WorkerSettings settings) {
		return new CustomizableThreadFactory("jobqueue@%s-%s-".formatted(settings.name(), role));
	}

	/**
	 * Stop on a thread of its own, and call back in any case.
	 */
	static void stop(Runnable stop, Runnable callback, WorkerSettings settings) {
		of("stop", settings).newThread(() -> {
			try {
				stop.run();
			}
			finally {
				callback.run();
			}
		}).start();
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
