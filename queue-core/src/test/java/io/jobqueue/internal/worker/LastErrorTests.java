package io.jobqueue.internal.worker;

import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is kept of a handler's exception.
 */
class LastErrorTests extends NodeTestBase {

	@Test
	void holdsTypeMessageAndStackTraceWithCauses() {
		String error = errorOf(
				() -> new IllegalStateException("refused", new IllegalArgumentException("no such user")));
		assertThat(error).startsWith("java.lang.IllegalStateException: refused")
			.contains("at io.jobqueue.internal.worker.LastErrorTests.", "(LastErrorTests.java:")
			.contains("Caused by: java.lang.IllegalArgumentException: no such user");
		assertThat(error.split("Caused by: ")).hasSize(2);
	}

	/**
	 * The trace of the exception alone is longer than what is kept.
	 */
	@Test
	void keepsTheFirstLineOfEachCauseOfADeepTrace() {
		String error = errorOf(() -> deep(
				new IllegalStateException("refused", deep(new IllegalArgumentException("no such user\nin the directory",
						new IllegalStateException("no such row " + "x".repeat(20_000)))))));
		assertThat(error).hasSizeBetween(9_000, 10_000).startsWith("java.lang.IllegalStateException: refused");
		assertThat(error.lines().filter((line) -> line.startsWith("Caused by: "))).satisfiesExactly(
				(line) -> assertThat(line).endsWith("IllegalArgumentException: no such user"),
				(line) -> assertThat(line).contains("IllegalStateException: no such row xxx").hasSize(400));
	}

	/**
	 * Among many causes, the last ones say most.
	 */
	@Test
	void keepsTheLastCausesOfMany() {
		String error = errorOf(() -> {
			Exception exception = deep(new IllegalStateException("cause 0"));
			for (int number = 1; number < 100; number++) {
				exception = deep(new IllegalStateException("cause " + number, exception));
			}
			return exception;
		});
		assertThat(error).hasSizeLessThanOrEqualTo(10_000)
			.startsWith("java.lang.IllegalStateException: cause 99")
			.containsSubsequence("\t...", "cause 9\n", "cause 1\n")
			.endsWith("Caused by: java.lang.IllegalStateException: cause 0")
			.doesNotContain("cause 10\n");
	}

	private static <E extends Exception> E deep(E exception) {
		exception.setStackTrace(IntStream.range(0, 1_000)
			.mapToObj((line) -> new StackTraceElement(exception.getMessage().substring(0, 7), "method", "Some.java",
					line))
			.toArray(StackTraceElement[]::new));
		return exception;
	}

	@Test
	void attemptHasTheFingerprintOfItsException() {
		String error = errorOf(
				() -> deep(new IllegalStateException("refused", new IllegalArgumentException("no such user"))));
		assertThat(error).startsWith("java.lang.IllegalStateException: refused");
		assertThat(this.sql.sql("SELECT history -> -1 ->> 'fingerprint' FROM jobqueue_archive")
			.query(String.class)
			.single()).isEqualTo("java.lang.IllegalArgumentException at io.jobqueue.harness.MailHandler.handle");
	}

	@Test
	void isCutToItsDocumentedSize() {
		assertThat(errorOf(new IllegalStateException("x".repeat(50_000)))).hasSize(10_000)
			.startsWith("java.lang.IllegalStateException: xxx");
	}

	@Test
	void survivesNulAndLoneSurrogates() {
		assertThat(errorOf(new IllegalStateException("a\0b\uD83Dc"))).contains("a\uFFFDb?c");
	}

	@Test
	void isNotCutWithinACharacter() {
		String face = "\uD83D\uDE00";
		assertThat(errorOf(new IllegalStateException(face.repeat(10_000)))).contains(face)
			.doesNotContain("\uFFFD\uFFFD");
		assertThat(errorOf(new IllegalStateException("x" + face.repeat(10_000)))).contains(face);
	}

	private String errorOf(Exception exception) {
		return errorOf(() -> exception);
	}

	/**
	 * The exception is made by the handler, so that its trace is no longer under one
	 * launcher of tests than under another.
	 */
	private String errorOf(Supplier<Exception> exception) {
		UUID job = started((settings) -> settings.maxAttempts(1).handler((mail, context) -> {
			throw exception.get();
		})).queue().enqueue(new Mail("hi")).id();
		awaitState(job, "DEAD");
		return column("last_error", job, String.class);
	}

}
