package io.jobqueue.worker;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

import io.jobqueue.store.ClaimedJob;

/**
 * A line of the log about a job, with what its handler threw.
 */
final class JobLine {

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
			line.get().setCause(cause).log("{} {}", job, text);
		}
		catch (Throwable ex) {
			line.get()
				.log("{} {}, with a {} that cannot be printed", job, text,
						((cause != null) ? cause : ex).getClass().getName());
		}
	}

}
