package io.jobqueue.internal.context;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.store.ClaimedJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What is in the MDC while a job runs, and on our own lines about it.
 */
class MdcTests extends NodeTestBase {

	private static final ClaimedJob CARRYING = new ClaimedJobBuilder()
		.headers(Headers.encode(Map.of("jobqueue.mdc.mine", "carried")))
		.build();

	private final List<Map<String, String>> seen = new CopyOnWriteArrayList<>();

	private BlockedHandler blocked = new BlockedHandler();

	@BeforeEach
	void prepare() {
		this.seen.clear();
		this.blocked = new BlockedHandler();
	}

	@AfterEach
	void cleanUp() {
		this.blocked.release();
		MDC.clear();
	}

	@Test
	void handlersLinesNameTheJob() {
		UUID job = run((settings) -> settings.name("here").handler((mail, context) -> recordMdc()));
		awaitState(job, "SUCCEEDED");
		assertThat(this.seen).containsExactly(of(job, 1));
	}

	@Test
	void chosenEntriesOfTheCallerTravel() {
		MDC.put("tenant", "acme");
		MDC.put("user", "a \"quoted\" one");
		MDC.put("secret", "stays here");
		UUID job = run((settings) -> settings.name("here")
			.mdcKeys("tenant", "user", "absent")
			.handler((mail, context) -> recordMdc()));
		awaitState(job, "SUCCEEDED");
		Map<String, String> expected = of(job, 1);
		expected.putAll(Map.of("tenant", "acme", "user", "a \"quoted\" one"));
		assertThat(this.seen).containsExactly(expected);
	}

	@Test
	void chosenEntriesTravelToJobsOfTheHandler() {
		MDC.put("tenant", "acme");
		QueueNode[] node = new QueueNode[1];
		node[0] = started((settings) -> settings.mdcKeys("tenant").handler((mail, context) -> {
			recordMdc();
			if (mail.text().equals("first")) {
				node[0].queue().enqueue(new Mail("second"));
			}
		}));
		node[0].queue().enqueue(new Mail("first"));
		await().until(() -> this.seen.size() == 2);
		assertThat(this.seen).allMatch((mdc) -> mdc.get("tenant").equals("acme"));
	}

	/**
	 * Tracers mark lines with it in this way; it needs nothing of its own.
	 */
	@Test
	void traceOfTheCallerMarksTheHandlersLinesAndOurs() {
		Map<String, String> trace = Map.of("traceId", "4bf92f3577b34da6a3ce929d0e0e4736", "spanId", "00f067aa0ba902b7");
		trace.forEach(MDC::put);
		try (CapturedLog log = CapturedLog.ofEverything()) {
			UUID job = run((settings) -> settings.mdcKeys("traceId", "spanId").handler((mail, context) -> {
				recordMdc();
				if (context.attempt() == 1) {
					throw new IllegalStateException("refused");
				}
			}));
			await().until(() -> !log.messages("succeeded").isEmpty());
			assertThat(this.seen).hasSize(2).allSatisfy((mdc) -> assertThat(mdc).containsAllEntriesOf(trace));
			assertThat(log.mdc(job.toString())).hasSize(7)
				.allSatisfy((mdc) -> assertThat(mdc).containsAllEntriesOf(trace));
		}
	}

	@Test
	void unstorableCharactersAreReplaced() {
		MDC.put("tenant", "a\0b\uD83D");
		UUID job = run((settings) -> settings.mdcKeys("tenant").handler((mail, context) -> recordMdc()));
		awaitState(job, "SUCCEEDED");
		assertThat(this.seen.get(0)).containsEntry("tenant", "a\uFFFDb?");
	}

	@Test
	void handlerSeesItsOwnHeadersAlone() {
		MDC.put("tenant", "acme");
		List<Map<String, String>> headers = new CopyOnWriteArrayList<>();
		QueueNode node = started(
				(settings) -> settings.mdcKeys("tenant").handler((mail, context) -> headers.add(context.headers())));
		UUID job = node.queue().enqueue(JobRequest.of(new Mail("hi")).header("colour", "red")).id();
		awaitState(job, "SUCCEEDED");
		assertThat(headers).containsExactly(Map.of("colour", "red"));
		assertThat(column("headers", job, String.class)).contains("jobqueue.mdc.tenant");
	}

	@Test
	void nothingIsLeftForTheNextJob() {
		QueueNode node = started((settings) -> settings.concurrency(1).mdcKeys("tenant").handler((mail, context) -> {
			recordMdc();
			MDC.put("left", "behind");
			MDC.remove("job.id");
		}));
		MDC.put("tenant", "acme");
		node.queue().enqueue(new Mail("hi"));
		await().until(() -> this.seen.size() == 1);
		MDC.remove("tenant");
		node.queue().enqueue(new Mail("hi"));
		await().until(() -> this.seen.size() == 2);
		assertThat(this.seen.get(1)).containsKey("job.id").doesNotContainKeys("left", "tenant");
	}

	@Test
	void unreadableHeadersDoNotFailTheRun() {
		started((settings) -> settings.handler((mail, context) -> recordMdc()));
		UUID job = UUID.randomUUID();
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, headers)
				VALUES (?, now(), now(), 10, 'emails', 'mail', '{"text": "hi"}', '{"jobqueue.mdc.')
				""").param(job).update();
		awaitState(job, "SUCCEEDED");
		assertThat(this.seen.get(0)).containsEntry("job.id", job.toString());
	}

	@Test
	void linesAboutAFailureNameTheJob() {
		MDC.put("tenant", "acme");
		assertMarked("failed and is retried in", "tenant",
				(settings) -> settings.mdcKeys("tenant").handler((mail, context) -> {
					if (context.attempt() == 1) {
						throw new IllegalStateException("refused");
					}
				}));
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void linesAboutATimeoutNameTheJob() {
		assertMarked("failed and is dead", "job.id",
				(settings) -> settings.maxAttempts(1)
					.maxRunTime(Duration.ofSeconds(2))
					.handler((mail, context) -> this.blocked.block()));
	}

	@Test
	void linesAboutASlowHandlerNameTheJob() {
		assertMarked("is still running after", "job.id", (settings) -> settings.warnAfter(Duration.ofMillis(100))
			.handler((mail, context) -> this.blocked.block()));
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void linesAboutAHandlerThatIgnoresInterruptsNameTheJob() {
		assertMarked("did not end when interrupted and has held", "job.id",
				(settings) -> settings.maxRunTime(Duration.ofSeconds(2))
					.handler((mail, context) -> this.blocked.blockUninterruptibly()));
	}

	@Test
	void linesAboutAVoidOutcomeNameTheJob() throws InterruptedException {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = run((settings) -> settings.name("here").handler((mail, context) -> this.blocked.block()));
			this.blocked.awaitBegun();
			this.sql.sql("UPDATE jobqueue_job SET locked_by = gen_random_uuid()").update();
			this.blocked.release();
			await()
				.untilAsserted(() -> assertThat(log.mdc("its outcome was not recorded")).containsExactly(of(job, 1)));
		}
	}

	@Test
	void linesAboutALostAttemptNameTheJob() throws InterruptedException {
		MDC.put("tenant", "acme");
		try (CapturedLog log = CapturedLog.ofEverything()) {
			UUID job = run((settings) -> settings.name("here")
				.mdcKeys("tenant")
				.handler((mail, context) -> this.blocked.block()));
			this.blocked.awaitBegun();
			this.sql.sql("UPDATE jobqueue_job SET lease_until = now()").update();
			this.sql.sql("UPDATE jobqueue_claim SET expires_at = now()").update();
			Map<String, String> expected = of(job, 1);
			expected.put("tenant", "acme");
			await().untilAsserted(() -> assertThat(log.mdc("Reaped Job[")).containsExactly(expected));
		}
	}

	@Test
	void linesAboutACancelledJobNameIt() {
		assertMarkedWhenCancelled("io.jobqueue.operations", (node, job) -> node.operations().cancel(job));
	}

	@Test
	void linesAboutAJobThatTheReaperCancelsNameIt() {
		assertMarkedWhenCancelled("io.jobqueue.reaper",
				(node, job) -> this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true").update());
	}

	@Test
	@Tag("slow") // a handler that ignores the stop
	void linesAboutAJobThatIsGivenUpAtAStopNameIt() throws InterruptedException {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.name("here")
				.shutdownTimeout(Duration.ofMillis(10))
				.handler((mail, context) -> this.blocked.blockUninterruptibly()));
			UUID job = node.queue().enqueue(new Mail("hi")).id();
			this.blocked.awaitBegun();
			node.jobWorker().stop();
			assertThat(log.mdc("did not end when interrupted; the stop ends its attempt")).containsExactly(of(job, 1));
		}
	}

	@Test
	void previousMdcIsRestored() {
		MDC.put("mine", "kept");
		new JobMdc("here").within(CARRYING, () -> {
			assertThat(MDC.get("mine")).isEqualTo("carried");
			MDC.put("other", "lost");
		});
		assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("mine", "kept"));
	}

	@Test
	void previousMdcIsRestoredAfterAFailure() {
		MDC.put("mine", "kept");
		assertThatIllegalStateException().isThrownBy(() -> new JobMdc("here").within(CARRYING, () -> {
			throw new IllegalStateException(MDC.get("mine"));
		})).withMessage("carried");
		assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("mine", "kept"));
	}

	private void assertMarked(String line, String key, UnaryOperator<TestNodeSettings> settings) {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = run((node) -> settings.apply(node.name("here")));
			await().untilAsserted(() -> assertThat(log.mdc(line)).isNotEmpty()
				.allSatisfy((mdc) -> assertThat(mdc).containsAllEntriesOf(of(job, 1)).containsKey(key)));
		}
	}

	private void assertMarkedWhenCancelled(String logger, BiConsumer<QueueNode, UUID> cancel) {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.mdcKeys("tenant"));
			MDC.put("tenant", "acme");
			UUID job = node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(Duration.ofHours(1))).id();
			MDC.put("tenant", "another");
			cancel.accept(node, job);
			await().untilAsserted(() -> assertThat(log.mdc("is cancelled")).containsExactly(
					Map.of("job.id", job.toString(), "job.queue", "emails", "job.type", "mail", "tenant", "acme")));
			assertThat(log.steps(job.toString())).containsExactly("cancelled");
			assertThat(log.loggers("is cancelled")).containsExactly(logger);
			assertThat(MDC.get("tenant")).isEqualTo("another");
		}
	}

	private UUID run(UnaryOperator<TestNodeSettings> settings) {
		return started(settings).queue().enqueue(new Mail("hi")).id();
	}

	private void recordMdc() {
		this.seen.add(MDC.getCopyOfContextMap());
	}

	private static Map<String, String> of(UUID job, int attempt) {
		return new HashMap<>(Map.of("job.id", job.toString(), "job.queue", "emails", "job.type", "mail", "job.attempt",
				Integer.toString(attempt), "job.worker", "here"));
	}

}
