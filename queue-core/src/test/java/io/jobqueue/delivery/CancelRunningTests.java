package io.jobqueue.delivery;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.CancelOutcome;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobQuery;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.Priority;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job with a cancel request while it runs: its handler sees the request, and its result
 * decides.
 */
class CancelRunningTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private final AtomicInteger begun = new AtomicInteger();

	private final Set<UUID> running = ConcurrentHashMap.newKeySet();

	private CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void blockHandlers() {
		this.sql.sql("CREATE TABLE IF NOT EXISTS effect (job uuid); TRUNCATE effect").update();
		this.begun.set(0);
		this.release = new CountDownLatch(1);
	}

	@AfterEach
	void releaseHandlers() {
		this.release.countDown();
	}

	@ParameterizedTest
	@EnumSource
	void handlerThatReturnsHasSucceeded(Delivery delivery) {
		UUID job = cancelOnce(delivery, (context) -> JobResult.success());
		awaitState(job, "SUCCEEDED");
	}

	static Stream<Behaviour> endings() {
		return Stream.of((job) -> {
			throw new IllegalStateException("cancelled");
		}, (job) -> {
			throw new Handlers.Hopeless();
		}, (job) -> JobResult.fail("no"), (job) -> JobResult.retryIn(HOUR), (job) -> JobResult.snooze(HOUR));
	}

	@ParameterizedTest
	@MethodSource("endings")
	void anyOtherOutcomeCancelsTheJob(Behaviour ending) {
		for (Delivery delivery : Delivery.values()) {
			UUID job = cancelOnce(delivery, ending);
			awaitState(job, "CANCELLED");
			assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
			assertThat(count("jobqueue_claim")).isZero();
		}
	}

	@Test
	void whatWasThrownIsKept() {
		UUID job = cancelOnce(Delivery.AT_LEAST_ONCE, (context) -> {
			throw new IllegalStateException("seen it");
		});
		awaitState(job, "CANCELLED");
		assertThat(column("last_error", job, String.class)).contains("seen it");
		assertThat(count("jobqueue_archive WHERE keep_until = finished_at + interval '24 hours'")).isOne();
	}

	@Test
	void exceptionThatMeansSuccessIsASuccess() {
		awaitState(cancelOnce(Delivery.AT_LEAST_ONCE, (context) -> {
			throw new Handlers.AlreadyDone();
		}), "SUCCEEDED");
	}

	@Test
	void cancelledTransactionCommitsUnlessTheHandlerThrows() {
		QueueNode[] node = new QueueNode[1];
		Behaviour write = (job) -> {
			node[0].transaction()
				.executeWithoutResult((status) -> JdbcClient.create(this.pool)
					.sql("INSERT INTO effect VALUES (?)")
					.param(job.id())
					.update());
			awaitRequest(job);
			if (!job.headers().isEmpty()) {
				throw new IllegalStateException("cancelled");
			}
			return JobResult.success();
		};
		node[0] = started((settings) -> settings.bean(Handlers.of(Delivery.TRANSACTIONAL, write)));
		UUID fails = cancelled(node[0], JobRequest.of("emails", new Mail("hi")).header("fails", ""));
		UUID succeeds = cancelled(node[0], JobRequest.of("emails", new Mail("hi")));
		awaitState(fails, "CANCELLED");
		awaitState(succeeds, "SUCCEEDED");
		assertThat(this.sql.sql("SELECT job FROM effect").query(UUID.class).list()).containsExactly(succeeds);
	}

	@Test
	void handlerSeesARequestOfItsOwnJvmAtOnce() {
		QueueNode node = start((job) -> done(awaitRequest(job)),
				(settings) -> settings.timeout(Duration.ofMinutes(30)));
		awaitState(cancelled(node, JobRequest.of("emails", new Mail("hi"))), "SUCCEEDED");
	}

	@Test
	void handlersOfManyJobsSeeARequestAtOnceToo() {
		QueueNode node = start((job) -> done(awaitRequest(job)),
				(settings) -> settings.timeout(Duration.ofMinutes(30)));
		UUID job = enqueue(node);
		await().until(() -> this.running.contains(job));
		assertThat(node.operations().bulk().cancel(JobQuery.all().queue("emails"))).isOne();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void handlerOnAnotherNodeSeesTheRequestWithAHeartbeat() {
		QueueNode node = start((job) -> done(awaitRequest(job)), UnaryOperator.identity());
		UUID job = enqueue(node);
		awaitState(job, "RUNNING");
		assertThat(producer().operations().cancel(job)).isEqualTo(CancelOutcome.REQUESTED);
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void handlerThatContinuesIsInterrupted() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = cancelled(start((context) -> {
				this.release.await();
				return JobResult.success();
			}, (settings) -> settings.cancelGrace(Duration.ofMillis(50))), JobRequest.of("emails", new Mail("hi")));
			awaitState(job, "CANCELLED");
			assertThat(column("last_error", job, String.class)).contains("InterruptedException");
			assertThat(log.messages("is being cancelled; its handler is interrupted")).hasSize(1);
		}
	}

	@Test
	void handlerIsNotInterruptedDuringTheGrace() {
		UUID job = cancelled(start((context) -> {
			awaitRequest(context);
			this.release.await();
			return JobResult.success();
		}, UnaryOperator.identity()), JobRequest.of("emails", new Mail("hi")));
		await().during(Duration.ofSeconds(1)).until(() -> state(job).equals("RUNNING"));
		this.release.countDown();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void handlerThatDoesNotEndInTimeHasNoOtherAttempt() {
		UUID job = cancelled(start((context) -> {
			awaitRequest(context);
			this.release.await();
			return JobResult.success();
		}, (settings) -> settings.maxRunTime(Duration.ofSeconds(2))), JobRequest.of("emails", new Mail("hi")));
		awaitState(job, "CANCELLED");
		assertThat(column("last_error", job, String.class)).contains("Timed out");
	}

	@Test
	void jobThatWasClaimedInAdvanceDoesNotBegin() {
		QueueNode node = start((context) -> {
			this.begun.incrementAndGet();
			if (context.headers().containsKey("last")) {
				this.release.await();
			}
			return JobResult.success();
		}, (settings) -> settings.concurrency(1));
		node.queue().enqueueAll(Collections.nCopies(100, JobRequest.of("emails", new Mail("hi"))));
		await().until(() -> this.begun.get() == 100);
		JobRequest blocks = JobRequest.of("emails", new Mail("hi")).header("last", "");
		List<UUID> jobs = node.queue()
			.enqueueAll(List.of(blocks, JobRequest.of("emails", new Mail("hi")).priority(Priority.of(90))))
			.stream()
			.map(JobReceipt::id)
			.toList();
		awaitState(jobs.get(1), "RUNNING");
		assertThat(node.operations().cancel(jobs.get(1))).isEqualTo(CancelOutcome.REQUESTED);
		this.release.countDown();
		awaitState(jobs.get(1), "CANCELLED");
		assertThat(this.begun).hasValue(101);
		assertThat(column("attempts", jobs.get(1), Integer.class)).isZero();
	}

	@Test
	void stopDoesNotReleaseACancelledJob() {
		QueueNode node = start((context) -> {
			awaitRequest(context);
			this.release.await();
			return JobResult.success();
		}, TestNodeSettings::releaseOnStop);
		UUID job = cancelled(node, JobRequest.of("emails", new Mail("hi")));
		node.jobWorker().stop();
		assertThat(state(job)).isEqualTo("CANCELLED");
	}

	@Test
	void whatIsFinishedOrUnknownIsNotCancelled() {
		QueueNode node = start((context) -> JobResult.success(), UnaryOperator.identity());
		UUID job = enqueue(node);
		awaitState(job, "SUCCEEDED");
		assertThat(node.operations().cancel(job)).isEqualTo(CancelOutcome.ALREADY_FINISHED);
		assertThat(node.operations().cancel(UUID.randomUUID())).isEqualTo(CancelOutcome.UNKNOWN);
	}

	@Test
	void cancelRequestIsIndependentOfTheCallersTransaction() {
		QueueNode node = producer();
		UUID job = enqueue(node);
		node.transaction().executeWithoutResult((status) -> {
			UUID uncommitted = enqueue(node);
			assertThat(node.operations().cancel(uncommitted)).isEqualTo(CancelOutcome.UNKNOWN);
			assertThat(node.operations().cancel(job)).isEqualTo(CancelOutcome.CANCELLED);
			status.setRollbackOnly();
		});
		assertThat(state(job)).isEqualTo("CANCELLED");
	}

	private UUID cancelOnce(Delivery delivery, Behaviour ending) {
		return cancelled(
				started((settings) -> settings.bean(Handlers.of(delivery, (job) -> ending.handle(awaitRequest(job))))),
				JobRequest.of("emails", new Mail("hi")));
	}

	private JobContext awaitRequest(JobContext job) {
		this.running.add(job.id());
		await().until(job::cancelRequested);
		return job;
	}

	private static JobResult done(JobContext job) {
		assertThat(job.cancelRequested()).isTrue();
		return JobResult.success();
	}

	private UUID cancelled(QueueNode node, JobRequest request) {
		UUID job = node.queue().enqueue(request).id();
		await().until(() -> this.running.contains(job));
		assertThat(node.operations().cancel(job)).isEqualTo(CancelOutcome.REQUESTED);
		return job;
	}

	private QueueNode start(Behaviour behaviour, UnaryOperator<TestNodeSettings> settings) {
		return started((node) -> settings.apply(node).bean(Handlers.of(Delivery.AT_LEAST_ONCE, (job) -> {
			this.running.add(job.id());
			return behaviour.handle(job);
		})));
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

}
