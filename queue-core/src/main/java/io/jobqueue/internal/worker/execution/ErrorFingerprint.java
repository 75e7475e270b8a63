package io.jobqueue.internal.worker.execution;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import io.jobqueue.internal.store.Causes;

/**
 * What failures have in common, to group them: the class of the root cause, and the
 * method of the application in which it was thrown, such as
 * {@code java.net.ConnectException at com.acme.Smtp.send}. It contains neither a message
 * nor a line number, which differ between jobs and releases.
 * <p>
 * The method is that of the first frame of the root cause, or of the cause around it and
 * so on, whose class is not in a package of {@link #LIBRARIES}. Without such a frame, the
 * fingerprint is the class alone.
 */
final class ErrorFingerprint {

	private static final String INTERNAL = "io.jobqueue.internal.";

	/**
	 * Packages of the JDK, the queue, and libraries between them and an application. The
	 * sample application is in a package below that of the API.
	 */
	private static final List<String> LIBRARIES = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "jakarta.",
			INTERNAL, "io.jobqueue.boot.", "io.jobqueue.test.", "io.jobqueue.Batch", "io.jobqueue.Job",
			"io.jobqueue.Priority", "io.jobqueue.Recurring", "org.springframework.", "org.postgresql.", "com.zaxxer.",
			"org.hibernate.", "org.jooq.", "org.apache.", "io.micrometer.", "io.opentelemetry.", "io.netty.",
			"reactor.", "okhttp3.", "kotlin.", "kotlinx.", "com.fasterxml.", "tools.jackson.");

	private static final Pattern LAMBDA = Pattern.compile("lambda\\$(.+)\\$\\d+");

	private static final int MAX_LENGTH = 500;

	private ErrorFingerprint() {
	}

	/**
	 * An exception may throw from any of its methods.
	 */
	static String of(Throwable thrown) {
		String type = thrown.getClass().getName();
		try {
			List<Throwable> causes = Causes.of(thrown);
			Collections.reverse(causes);
			type = type(causes);
			Optional<StackTraceElement> frame = causes.stream()
				.flatMap((cause) -> Arrays.stream(cause.getStackTrace()))
				.filter(ErrorFingerprint::isOfTheApplication)
				.findFirst();
			return ErrorText.storable(type + frame.map((found) -> " at " + method(found)).orElse(""), MAX_LENGTH);
		}
		catch (Throwable ex) {
			return ErrorText.storable(type, MAX_LENGTH);
		}
	}

	/**
	 * Exceptions of the queue that users cannot catch stand for those around them.
	 */
	private static String type(List<Throwable> causes) {
		return causes.stream()
			.map((cause) -> cause.getClass().getName())
			.filter((name) -> !name.startsWith(INTERNAL))
			.findFirst()
			.orElseGet(() -> causes.get(0).getClass().getName());
	}

	private static boolean isOfTheApplication(StackTraceElement frame) {
		return LIBRARIES.stream().noneMatch(frame.getClassName()::startsWith);
	}

	/**
	 * The names of proxies and lambdas contain numbers that differ between builds.
	 */
	private static String method(StackTraceElement frame) {
		String type = frame.getClassName();
		int generated = type.indexOf("$$");
		return ((generated > 0) ? type.substring(0, generated) : type) + "."
				+ LAMBDA.matcher(frame.getMethodName()).replaceFirst("$1");
	}

}
