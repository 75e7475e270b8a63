package io.jobqueue.delivery;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import io.jobqueue.PulledJob;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much of a handler's exception is in the log.
 */
class FailureTraceTests extends NodeTestBase {

	private static final List<String> BEHIND = List.of("io.jobqueue.internal.handler.",
			"io.jobqueue.internal.worker.execution.JobRunner", "io.jobqueue.internal.context.", "java.lang.reflect.",
			"jdk.internal.", "java.lang.Thread.run");

	@Test
	void framesBehindTheHandlerAreNotLogged() {
		assertThat(logged(() -> new IllegalStateException("refused", new IllegalArgumentException("no such user"))))
			.contains("failed and is dead", "IllegalStateException: refused",
					"Caused by: java.lang.IllegalArgumentException: no such user", "FailureTraceTests")
			.doesNotContain(BEHIND);
	}

	@Test
	void framesBehindTheHandlerOfAPulledJobAreNotLogged() {
		QueueNode node = started((settings) -> settings.maxAttempts(1));
		node.queue().enqueue("emails", new Mail("hi"));
		PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
		assertThat(job).isNotNull();
		try (CapturedLog log = new CapturedLog()) {
			job.run((mail, context) -> {
				throw new IllegalStateException("refused");
			});
			await().until(() -> !log.messages("failed and is dead").isEmpty());
			assertThat(log.text("failed and is dead"))
				.contains("IllegalStateException: refused", "FailureTraceTests.lambda")
				.doesNotContain(BEHIND)
				.doesNotContain("io.jobqueue.internal.pull.", "io.jobqueue.observation.", "org.junit.");
		}
	}

	@Test
	void failedAttemptHasAtMostFifteenLines() {
		assertThat(logged(
				() -> deep(60, new IllegalStateException("outer", deep(60, new IllegalArgumentException("inner")))))
			.lines()).hasSizeLessThanOrEqualTo(15)
			.anyMatch((line) -> line.contains("IllegalStateException: outer"))
			.anyMatch((line) -> line.contains("Caused by: java.lang.IllegalArgumentException: inner"));
	}

	@Test
	void frameNextToTheHandlerSurvivesADeepTrace() {
		assertThat(logged(() -> deep(60, new IllegalStateException("refused")))).contains("shop.Deep.call0(")
			.doesNotContain("shop.Deep.call59(")
			.contains("MailHandler");
	}

	@Test
	void messagesOfAllCausesAreLogged() {
		String log = logged(() -> chain(30));
		for (int cause = 1; cause <= 30; cause++) {
			assertThat(log).contains("cause " + cause);
		}
	}

	private static Exception chain(int length) {
		return new IllegalStateException("cause " + length, (length > 1) ? chain(length - 1) : null);
	}

	@Test
	void whatIsSuppressedIsLogged() {
		assertThat(logged(FailureTraceTests::suppressing).lines()).hasSizeLessThanOrEqualTo(15)
			.anyMatch((line) -> line.contains("Suppressed: java.lang.IllegalArgumentException: not closed"));
	}

	private static Exception suppressing() {
		Exception thrown = deep(60, new IllegalStateException("refused"));
		thrown.addSuppressed(deep(60, new IllegalArgumentException("not closed")));
		return thrown;
	}

	@Test
	void exceptionAndLastErrorKeepTheWholeTrace() {
		AtomicReference<Exception> thrown = new AtomicReference<>();
		UUID job = failing(() -> {
			thrown.set(new IllegalStateException("refused"));
			return thrown.get();
		});
		assertThat(column("last_error", job, String.class)).contains("java.lang.Thread.run");
		await().untilAsserted(() -> assertThat(thrown.get().getStackTrace()).extracting(StackTraceElement::getClassName)
			.contains("java.lang.Thread"));
	}

	@Test
	void wholeTraceIsLoggedAtDebug() {
		try (CapturedLog log = CapturedLog.ofEverything()) {
			failing(() -> new IllegalStateException("refused"));
			await().untilAsserted(() -> assertThat(log.text()).contains("failed and is dead", "java.lang.Thread.run"));
		}
	}

	private String logged(Supplier<Exception> exception) {
		try (CapturedLog log = new CapturedLog()) {
			failing(exception);
			await().until(() -> !log.messages("failed and is dead").isEmpty());
			return log.text("failed and is dead");
		}
	}

	private UUID failing(Supplier<Exception> exception) {
		UUID job = started((settings) -> settings.maxAttempts(1).handler((mail, context) -> {
			throw exception.get();
		})).queue().enqueue(new Mail("hi")).id();
		awaitState(job, "DEAD");
		return job;
	}

	/**
	 * As if the exception were thrown by what the handler calls, and that by others.
	 */
	private static Exception deep(int depth, Exception exception) {
		StackTraceElement[] caller = exception.getStackTrace();
		StackTraceElement[] frames = new StackTraceElement[depth + caller.length];
		Arrays.setAll(frames, (frame) -> (frame < depth)
				? new StackTraceElement("shop.Deep", "call" + frame, "Deep.java", frame) : caller[frame - depth]);
		exception.setStackTrace(frames);
		return exception;
	}

}
