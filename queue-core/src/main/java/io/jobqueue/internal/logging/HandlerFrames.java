package io.jobqueue.internal.logging;

import java.util.List;
import java.util.stream.Stream;

/**
 * Separates the stack frames of a handler from those of its callers: this library,
 * reflection and the thread.
 */
public final class HandlerFrames {

	private static final List<String> CALLERS = List.of("io.jobqueue.internal.handler.", "io.jobqueue.internal.worker.",
			"io.jobqueue.internal.pull.");

	/**
	 * The packages of frames between a handler and its callers.
	 */
	private static final List<String> BETWEEN = List.of("io.jobqueue.internal.handler.", "io.jobqueue.internal.worker.",
			"io.jobqueue.internal.pull.", "io.jobqueue.observation.", "io.micrometer.observation.",
			"java.lang.reflect.", "jdk.internal.");

	private static final List<String> INFRASTRUCTURE = List.of("java.", "jdk.", "org.springframework.");

	private HandlerFrames() {
	}

	/**
	 * Return the frames down to the handler, or all frames if the trace contains no
	 * handler.
	 * @param trace the stack trace
	 * @return the frames
	 */
	public static List<StackTraceElement> of(StackTraceElement[] trace) {
		int thrower = 0;
		while (thrower < trace.length && isIn(BETWEEN, trace[thrower])) {
			thrower++;
		}
		int caller = thrower;
		while (caller < trace.length && !isIn(CALLERS, trace[caller])) {
			caller++;
		}
		return List.of(trace).subList(0, (caller < trace.length) ? withoutBetween(trace, caller) : caller);
	}

	private static int withoutBetween(StackTraceElement[] trace, int caller) {
		int end = caller;
		while (end > 0 && isIn(BETWEEN, trace[end - 1])) {
			end--;
		}
		return (end > 0) ? end : caller;
	}

	/**
	 * Return at most the given number of frames: the first ones, and as the last one the
	 * frame of the application that is nearest to the handler.
	 */
	static List<StackTraceElement> shortened(List<StackTraceElement> frames, int size) {
		if (frames.size() <= size || size < 2) {
			return frames.subList(0, Math.min(frames.size(), Math.max(0, size)));
		}
		return Stream.concat(frames.stream().limit(size - 1), Stream.of(own(frames.subList(size - 1, frames.size()))))
			.toList();
	}

	private static StackTraceElement own(List<StackTraceElement> frames) {
		return frames.stream()
			.filter((frame) -> !isIn(INFRASTRUCTURE, frame) && !frame.getClassName().contains("$$"))
			.reduce((first, second) -> second)
			.orElse(frames.get(0));
	}

	private static boolean isIn(List<String> packages, StackTraceElement frame) {
		return packages.stream().anyMatch(frame.getClassName()::startsWith);
	}

}
