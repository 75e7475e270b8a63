package io.jobqueue.internal.logging;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes log lines about jobs with the exceptions of their handlers, whose stack traces
 * are shortened.
 */
public final class JobLogLine {

	/**
	 * With the level DEBUG of this logger, stack traces are not shortened.
	 */
	private static final Logger logger = LoggerFactory.getLogger(JobLogLine.class);

	/**
	 * Serializes lines: two of them about the same exception would restore each other's
	 * shortened traces.
	 */
	private static final Lock LOCK = new ReentrantLock();

	private JobLogLine() {
	}

	/**
	 * Log a line. If the stack trace cannot be printed, the line is logged with the class
	 * of the exception.
	 * @param line supplies the builder of the line
	 * @param text the text of the line, including the job
	 * @param cause the exception, {@code null} if there was none
	 */
	public static void log(Supplier<LoggingEventBuilder> line, String text, @Nullable Throwable cause) {
		try {
			write(line.get().setCause(cause), text, cause);
		}
		catch (Throwable ex) {
			line.get()
				.log("{}, with a {} whose stack trace cannot be printed", text,
						((cause != null) ? cause : ex).getClass().getName());
		}
	}

	private static void write(LoggingEventBuilder line, String text, @Nullable Throwable cause) {
		if (cause == null || logger.isDebugEnabled()) {
			line.log("{}", text);
			return;
		}
		LOCK.lock();
		try {
			ShortStackTraces traces = ShortStackTraces.of(cause);
			try {
				line.log("{}", text);
			}
			finally {
				traces.restore();
			}
		}
		finally {
			LOCK.unlock();
		}
	}

	/**
	 * Shortens the stack traces of an exception, its causes and its suppressed exceptions
	 * while a line about it is logged: to the {@linkplain HandlerFrames frames of the
	 * handler}, and to {@value #MAX_LINES} lines including the line itself. Each
	 * exception keeps its type and message, which count as one line; only a chain of more
	 * exceptions has more lines. Appenders read the traces while the line is logged; then
	 * the traces are restored.
	 */
	static final class ShortStackTraces {

		static final int MAX_LINES = 15;

		private final List<Trace> traces = new ArrayList<>();

		private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

		private ShortStackTraces() {
		}

		static ShortStackTraces of(Throwable thrown) {
			ShortStackTraces all = new ShortStackTraces();
			all.add(thrown, List.of());
			all.shorten();
			return all;
		}

		private void add(@Nullable Throwable throwable, List<StackTraceElement> enclosing) {
			if (throwable != null && this.seen.add(throwable)) {
				StackTraceElement[] original = throwable.getStackTrace();
				List<StackTraceElement> frames = HandlerFrames.of(original);
				this.traces.add(new Trace(throwable, List.of(original), withoutCommon(frames, enclosing)));
				for (Throwable suppressed : throwable.getSuppressed()) {
					add(suppressed, frames);
				}
				add(throwable.getCause(), frames);
			}
		}

		/**
		 * Frames that a cause shares with the exception that it caused are printed once.
		 */
		private static List<StackTraceElement> withoutCommon(List<StackTraceElement> frames,
				List<StackTraceElement> enclosing) {
			int common = 0;
			while (common < Math.min(frames.size(), enclosing.size())
					&& frames.get(frames.size() - 1 - common).equals(enclosing.get(enclosing.size() - 1 - common))) {
				common++;
			}
			return frames.subList(0, frames.size() - common);
		}

		/**
		 * Divide the lines equally among the exceptions. Lines that an exception does not
		 * need are available to those that follow.
		 */
		private void shorten() {
			int lines = MAX_LINES - 1 - this.traces.size();
			for (int trace = 0; trace < this.traces.size(); trace++) {
				int share = Math.max(0, lines) / (this.traces.size() - trace);
				lines -= this.traces.get(trace).shorten(share);
			}
		}

		void restore() {
			this.traces.forEach(Trace::restore);
		}

		/**
		 * The stack trace of one exception.
		 *
		 * @param throwable the exception
		 * @param original all of its frames
		 * @param frames the frames of the handler that are not shared with the enclosing
		 * exception
		 */
		private record Trace(Throwable throwable, List<StackTraceElement> original, List<StackTraceElement> frames) {

			int shorten(int size) {
				List<StackTraceElement> shown = HandlerFrames.shortened(this.frames, size);
				set(shown);
				return shown.size();
			}

			void restore() {
				set(this.original);
			}

			private void set(List<StackTraceElement> trace) {
				this.throwable.setStackTrace(trace.toArray(StackTraceElement[]::new));
			}

		}

	}

}
