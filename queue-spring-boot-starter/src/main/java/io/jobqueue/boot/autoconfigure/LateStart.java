package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;

import io.jobqueue.internal.logging.DurationText;

/**
 * Starts the worker although a runner of the application has not returned, and retries
 * until it has started.
 *
 * @param threads creates the thread that waits for runners
 * @param timeOfRunners the time after the refresh of the context after which the worker
 * starts even if the application is not ready
 * @param pause the time between two tries
 */
record LateStart(ThreadFactory threads, Duration timeOfRunners, Duration pause) {

	private static final Logger logger = LoggerFactory.getLogger(LateStart.class);

	static LateStart of(ThreadFactory threads) {
		return new LateStart(threads, Duration.ofSeconds(30), Duration.ofSeconds(10));
	}

	/**
	 * Wait for the runners on another thread.
	 * @param lifecycle starts the worker
	 * @param starting the thread that calls the runners
	 */
	void watch(WorkerLifecycle lifecycle, Thread starting) {
		this.threads.newThread(() -> awaitRunners(lifecycle, starting)).start();
	}

	private void awaitRunners(WorkerLifecycle lifecycle, Thread starting) {
		try {
			if (!lifecycle.awaitSettled(this.timeOfRunners)) {
				logger.warn(
						"The application is not ready {} after the refresh of its context, because {} has not returned: the worker starts now. Let runners return earlier, or set 'jobqueue.worker.start' to 'refreshed' if jobs do not depend on them",
						DurationText.of(this.timeOfRunners), runner(starting.getStackTrace()));
				start(lifecycle);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void start(WorkerLifecycle lifecycle) throws InterruptedException {
		do {
			tryToStart(lifecycle);
		}
		while (!lifecycle.awaitSettled(this.pause));
	}

	private void tryToStart(WorkerLifecycle lifecycle) {
		try {
			lifecycle.start();
		}
		catch (RuntimeException | Error ex) {
			logger.error("The worker could not start; it tries again in {}", DurationText.of(this.pause), ex);
		}
	}

	/**
	 * Return the outermost frame of the application above {@link SpringApplication},
	 * without frames of generated classes.
	 */
	private static String runner(StackTraceElement[] trace) {
		String runner = "its start";
		for (StackTraceElement frame : trace) {
			String type = frame.getClassName();
			if (type.equals(SpringApplication.class.getName())) {
				break;
			}
			if (!type.contains("$$") && !type.matches("(java|jdk|org\\.springframework)\\..*")) {
				runner = type + "." + frame.getMethodName();
			}
		}
		return runner;
	}

}
