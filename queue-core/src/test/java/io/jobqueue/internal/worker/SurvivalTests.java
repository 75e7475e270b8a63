package io.jobqueue.internal.worker;

import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a handler throws, or a row contains, never stops a worker.
 */
@Tag("pooler") // lost sessions
class SurvivalTests extends NodeTestBase {

	@Test
	void errorIsAFailedAttempt() {
		QueueNode node = started((settings) -> settings.handler(SurvivalTests::handle).maxAttempts(2).concurrency(1));
		UUID overflowing = node.queue().enqueue(new Mail("overflow")).id();
		UUID missing = node.queue().enqueue(new Mail("missing")).id();
		UUID good = node.queue().enqueue(new Mail("good")).id();
		awaitState(good, "SUCCEEDED");
		awaitState(overflowing, "DEAD");
		awaitState(missing, "DEAD");
		assertThat(lastError(overflowing)).contains("StackOverflowError");
		assertThat(lastError(missing)).contains("NoClassDefFoundError: gone");
	}

	@Test
	void exceptionThatCannotDescribeItselfIsAFailedAttempt() {
		QueueNode node = started((settings) -> settings.handler(SurvivalTests::handle).maxAttempts(1).concurrency(1));
		UUID job = node.queue().enqueue(new Mail("unspeakable")).id();
		awaitState(job, "DEAD");
		assertThat(lastError(job)).contains("Unspeakable").contains("its message cannot be read");
	}

	@Test
	void unreadablePayloadIsAFailedAttempt() {
		QueueNode node = started((settings) -> settings.handler(SurvivalTests::handle).maxAttempts(2).concurrency(1));
		UUID broken = byHand("{\"text\": ", null);
		UUID nothing = byHand("null", null);
		UUID good = byHand("{\"text\": \"good\"}", null);
		wake(node);
		awaitState(good, "SUCCEEDED");
		awaitState(broken, "DEAD");
		awaitState(nothing, "DEAD");
		assertThat(lastError(broken)).contains("payload of a job of type 'mail' cannot be read");
		assertThat(column("attempts", broken, Integer.class)).isEqualTo(2);
	}

	@Test
	void unreadableHeadersFailOnlyHandlersThatReadThem() {
		QueueNode node = started((settings) -> settings.handler(SurvivalTests::handle).maxAttempts(1).concurrency(1));
		UUID asking = byHand("{\"text\": \"headers\"}", "[1, 2");
		UUID good = byHand("{\"text\": \"good\"}", "[1, 2");
		wake(node);
		awaitState(good, "SUCCEEDED");
		awaitState(asking, "DEAD");
	}

	@Test
	void headersWithNullWrittenByHandAreAFailedAttempt() {
		QueueNode node = started((settings) -> settings.handler(SurvivalTests::handle).maxAttempts(1).concurrency(1));
		UUID asking = byHand("{\"text\": \"headers\"}", "{\"tenant\": null}");
		wake(node);
		awaitState(asking, "DEAD");
	}

	@Test
	void unknownTypeIsLeftToOtherNodes() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.handler(SurvivalTests::handle).concurrency(1));
			UUID strange = enqueueFax(node);
			enqueueFax(node);
			awaitState(node.queue().enqueue(new Mail("good")).id(), "SUCCEEDED");
			await().until(() -> log.messages("without a handler on this node").size() == 1);
			awaitState(node.queue().enqueue(new Mail("good")).id(), "SUCCEEDED");
			assertThat(column("attempts", strange, Integer.class)).isZero();
			assertThat(log.messages("without a handler on this node")).hasSize(1);
			started((settings) -> settings.bean(new FaxHandler()));
			awaitState(strange, "SUCCEEDED");
			assertThat(column("attempts", strange, Integer.class)).isEqualTo(1);
		}
	}

	@Test
	void interruptOfOneHandlerDoesNotAffectTheNext() {
		AtomicInteger interrupted = new AtomicInteger();
		QueueNode node = started((settings) -> settings.concurrency(1).handler((mail, job) -> {
			if (Thread.currentThread().isInterrupted()) {
				interrupted.incrementAndGet();
			}
			Thread.currentThread().interrupt();
		}));
		node.queue().enqueueAll(Collections.nCopies(100, JobRequest.of(new Mail("good"))));
		await().until(() -> count("jobqueue_archive") == 100);
		assertThat(interrupted).hasValue(0);
	}

	private static UUID enqueueFax(QueueNode node) {
		return node.queue().enqueue(JobRequest.of("emails", "beep").type("fax")).id();
	}

	private static void wake(QueueNode node) {
		node.queue().enqueue(new Mail("good"));
	}

	private UUID byHand(String payload, @Nullable String headers) {
		UUID id = UUID.randomUUID();
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, headers)
				VALUES (?, now(), now(), 10, 'emails', 'mail', ?, ?)
				""").param(id).param(payload).param(headers).update();
		return id;
	}

	private String lastError(UUID job) {
		return column("last_error", job, String.class);
	}

	private static void handle(Mail mail, JobContext job) throws Exception {
		switch (mail.text()) {
			case "overflow" -> handle(mail, job);
			case "missing" -> throw new NoClassDefFoundError("gone");
			case "unspeakable" -> throw new Unspeakable();
			case "headers" -> job.headers();
			default -> assertThat(mail.text()).isEqualTo("good");
		}
	}

	@SuppressWarnings("serial")
	static final class Unspeakable extends Exception {

		@Override
		public String getMessage() {
			throw new IllegalStateException("speechless");
		}

	}

	static final class FaxHandler {

		@JobHandler(queue = "emails", type = "fax")
		void send(String text) {
			assertThat(text).isEqualTo("beep");
		}

	}

}
