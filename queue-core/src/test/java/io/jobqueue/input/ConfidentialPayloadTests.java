package io.jobqueue.input;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The payload of a job that fails is in no line of the log and in no exception of the
 * queue.
 */
class ConfidentialPayloadTests extends NodeTestBase {

	private static final String SECRET = "s3cret";

	private CapturedLog log;

	private CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void capture() {
		this.release = new CountDownLatch(1);
		this.log = closeLater(new CapturedLog());
	}

	@AfterEach
	void releaseHandlers() {
		this.release.countDown();
	}

	@Test
	void deadJob() {
		dies(Map.of("key", SECRET), "fails", (settings) -> settings.maxAttempts(2));
		assertThat(this.log.messages("is retried in")).hasSize(1);
		assertThat(this.log.messages("failed and is dead")).hasSize(1);
	}

	@Test
	void jobWithAnInvalidResult() {
		dies(Map.of("key", SECRET), "asks", (settings) -> settings.maxAttempts(1));
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void jobThatIgnoresItsTimeout() {
		dies(Map.of("key", SECRET), "hangs",
				(settings) -> settings.maxAttempts(1)
					.maxRunTime(Duration.ofSeconds(2))
					.warnAfter(Duration.ofMillis(10))
					.reaperInterval(Duration.ofHours(1)));
		await().until(() -> this.log.messages("did not end when interrupted and has held").size() == 1);
		assertThat(this.log.text()).contains("is still running after").doesNotContain(SECRET);
	}

	@Test
	void jobOfAnUnknownType() {
		QueueNode node = start(UnaryOperator.identity());
		node.queue().enqueue(JobRequest.of("discreet", Map.of("key", SECRET)).type("unheard-of"));
		await().until(() -> this.log.messages("without a handler on this node").size() == 1);
		assertThat(this.log.text()).doesNotContain(SECRET);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"day\":\"s3cret\"}", "{\"day\":s3cret}", "s3cret", "\"s3cret", "{\"day\":\"s3cret",
			"{\"amounts\":{\"s3cret\":\"x\"}}", "{\"amounts\":{\"s3cret\":{\"a\":1}}}", "{\"s3cret\":{},,}",
			"{\"kind\":\"s3cret\"}", "{\"day\":{\"s3cret\":1}}", "[\"s3cret\"]", "{\"day\":null} s3cret" })
	void unreadablePayload(String json) {
		QueueNode node = node(settings().maxAttempts(2).bean(handler()));
		UUID job = node.queue().enqueue("discreet", new Mixed(null, null, null)).id();
		this.sql.sql("UPDATE jobqueue_job SET payload = ?").param(json).update();
		node.start();
		awaitState(job, "DEAD");
		assertThat(this.log.text()).contains("of type 'Mixed' cannot be read");
		assertSecretIsNotShown(job);
	}

	@Test
	void refusedPayload() {
		JobQueue queue = node(settings().maxPayloadSize(100)).queue();
		assertRefusedWithoutTheSecret(queue, Map.of("key", SECRET.repeat(100)));
		assertRefusedWithoutTheSecret(queue, Map.of(SECRET, new Unwritable()));
		assertRefusedWithoutTheSecret(queue, Map.of(SECRET, Map.of("key", new Unwritable())));
		assertRefusedWithoutTheSecret(queue, Map.of("key", SECRET + "\uD83D"));
	}

	private void dies(Object payload, String type, UnaryOperator<TestNodeSettings> settings) {
		UUID job = start(settings).queue().enqueue(JobRequest.of("discreet", payload).type(type)).id();
		awaitState(job, "DEAD");
		assertSecretIsNotShown(job);
	}

	private void assertSecretIsNotShown(UUID job) {
		await().until(() -> this.log.steps(job.toString()).contains("dead"));
		assertThat(column("payload", job, String.class)).contains(SECRET);
		assertThat(column("last_error", job, String.class)).isNotBlank().doesNotContain(SECRET);
		assertThat(this.log.text()).contains(job.toString()).doesNotContain(SECRET);
	}

	private void assertRefusedWithoutTheSecret(JobQueue queue, Object payload) {
		JobRequest request = JobRequest.of(payload).type("refused");
		StringWriter text = new StringWriter();
		catchThrowableOfType(JobRejectedException.class, () -> queue.enqueue(request))
			.printStackTrace(new PrintWriter(text));
		assertThat(text.toString()).startsWith(JobRejectedException.class.getName()).doesNotContain(SECRET);
		assertThat(this.log.text()).doesNotContain(SECRET);
		assertThat(count("jobqueue_job")).isZero();
	}

	private QueueNode start(UnaryOperator<TestNodeSettings> settings) {
		return started((node) -> settings.apply(node.bean(handler())));
	}

	private Handlers handler() {
		return new Handlers(this.release);
	}

	enum Kind {

		ONE, OTHER

	}

	record Mixed(LocalDate day, Kind kind, Map<String, Integer> amounts) {
	}

	static final class Unwritable {

		public String getText() {
			return Objects.requireNonNull(null, "not now");
		}

	}

	record Handlers(CountDownLatch release) {

		@JobHandler(queue = "discreet")
		void mixed(Mixed mixed) {
		}

		@JobHandler(queue = "discreet", type = "fails")
		void fail(Map<String, String> payload) {
			if (!payload.isEmpty()) {
				throw new IllegalStateException("no such customer");
			}
		}

		@JobHandler(queue = "discreet", type = "asks")
		JobResult ask(Map<String, String> payload) {
			return JobResult.retryIn(Duration.ofHours(1));
		}

		@JobHandler(queue = "discreet", type = "hangs")
		void hang(Map<String, String> payload) {
			boolean ended = false;
			while (!ended) {
				try {
					ended = this.release.await(1, TimeUnit.MINUTES);
				}
				catch (InterruptedException ex) {
					// ignored, as in some libraries
				}
			}
		}

	}

}
