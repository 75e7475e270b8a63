package io.jobqueue.worker;

import java.util.UUID;

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
		Exception cause = new IllegalArgumentException("no such user");
		assertThat(errorOf(new IllegalStateException("refused", cause)))
			.startsWith("java.lang.IllegalStateException: refused")
			.contains(
					"at io.jobqueue.worker.LastErrorTests.holdsTypeMessageAndStackTraceWithCauses(LastErrorTests.java:")
			.contains("Caused by: java.lang.IllegalArgumentException: no such user");
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
		UUID job = started((settings) -> settings.maxAttempts(1).handler((mail, context) -> {
			throw exception;
		})).queue().enqueue(new Mail("hi")).id();
		awaitState(job, "DEAD");
		return column("last_error", job, String.class);
	}

}
