package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.DurationText;
import io.jobqueue.policy.WorkerSettings;

/**
 * Warns of a shutdown timeout that is not shorter than the phase in which Spring stops
 * the worker.
 */
final class ShutdownTimeoutCheck {

	private static final Logger logger = LoggerFactory.getLogger(ShutdownTimeoutCheck.class);

	private ShutdownTimeoutCheck() {
	}

	/**
	 * Check the settings of a worker.
	 * @param worker the settings
	 * @param phase the timeout of a phase of the context's shutdown
	 */
	static void check(WorkerSettings worker, Duration phase) {
		if (!worker.releaseOnStop() && worker.shutdownTimeout().compareTo(phase) >= 0) {
			logger.warn(
					"'jobqueue.worker.shutdown-timeout' is {}, but 'spring.lifecycle.timeout-per-shutdown-phase' is {}: Spring closes the context before the worker has released the jobs of handlers that are still running, and they wait for 'jobqueue.worker.timeout' then. Lower the first, or raise the second, so that the first is some seconds shorter",
					DurationText.of(worker.shutdownTimeout()), DurationText.of(phase));
		}
	}

}
