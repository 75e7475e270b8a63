package io.jobqueue.worker;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import io.jobqueue.store.ClaimedJob;

/**
 * A line of the log about a job, with what its handler threw.
 */
final class JobLine {

	/**
	 * Its level DEBUG, usually that of all loggers of the queue, asks for whole stack
	 * traces.
	 */
	private static final Logger logger = LoggerFactory.getLogger(JobLine.class);

	/**
	 * Two lines about one exception must not restore each other's shortened traces.
	 */
	private static final Lock LOCK = new ReentrantLock();

	private JobLine() {
	}

	/**
	 * Log a line. An exception that cannot be printed must not keep whoever tells of it
	 * from telling of others.
	 * @param line begins the line
	 * @param text what is said of the job
	 */
	static void log(Supplier<LoggingEventBuilder> line, ClaimedJob job, String text, @Nullable Throwable cause) {
		try {
			write(line.get().setCause(cause), job, text, cause);
		}
		catch (Throwable ex) {
			line.get()
				.log("{} {}, with a {} that cannot be printed", job, text,
						((cause != null) ? cause : ex).getClass().getName());
		}
	}

	private static void write(LoggingEventBuilder line, ClaimedJob job, String text, @Nullable Throwable cause) {
		if (cause == null || logger.isDebugEnabled()) {
			line.log("{} {}", job, text);
			return;
		}
		LOCK.lock();
		try {
			shortened(cause, () -> line.log("{} {}", job, text));
		}
		finally {
			LOCK.unlock();
		}
	}

	private static void shortened(Throwable cause, Runnable logging) {
		ShortStackTraces traces = ShortStackTraces.of(cause);
		try {
			logging.run();
		}
		finally {
			traces.restore();
		}
	}

}
