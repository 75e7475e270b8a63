package io.jobqueue.delivery;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobTimeoutException;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What happens to handlers that do not end in time.
 */
class MaxRunTimeTests extends NodeTestBase {

	private static final Duration SHORT = Duration.ofSeconds(2);

	private static final String SECONDS_LEFT = "coalesce(extract(epoch FROM lease_until - now()), 0)";

	private final AtomicInteger interrupts = new AtomicInteger();

	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	private CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void blockHandlers() {
		this.interrupts.set(0);
		this.threads.clear();
		this.release = new CountDownLatch(1);
	}

	@AfterEach
	void releaseHandlers() {
		this.release.countDown();
	}

	@Test
	void handlerIsInterruptedAndItsAttemptHasFailed() {
		UUID job = enqueue(start(this::block, (node) -> node.maxAttempts(1)));
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).startsWith(JobTimeoutException.class.getName())
			.contains("MaxRunTimeTests.block");
		assertThat(column("history -> 0 ->> 'outcome'", job, String.class)).isEqualTo("dead");
		assertThat(column("history -> 0 ->> 'error'", job, String.class))
			.startsWith(JobTimeoutException.class.getName())
			.doesNotContain("\n");
		assertThat(column("extract(epoch FROM finished_at - started_at)", job, Double.class)).isGreaterThan(1.9);
		await().until(() -> this.interrupts.get() == 1);
	}

	@Test
	void retryPolicyDecides() {
		UUID job = enqueue(start(this::block, (node) -> node.retryPolicy((failure) -> {
			assertThat(failure.exception()).isInstanceOf(JobTimeoutException.class);
			return RetryDecision.retryIn(Duration.ofHours(1));
		})));
		awaitState(job, "RETRYING");
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void resultOfAHandlerThatSwallowsTheInterruptIsRefused(Delivery delivery) {
		QueueNode node = started(
				(settings) -> settings.maxRunTime(SHORT).maxAttempts(1).bean(Handlers.of(delivery, this::swallow)));
		UUID job = enqueue(node);
		awaitState(job, "DEAD");
		await().until(() -> this.interrupts.get() == 1);
		this.release.countDown();
		node.jobWorker().stop();
		assertThat(state(job)).isEqualTo("DEAD");
		assertThat(count("jobqueue_claim")).isZero();
	}

	@Test
	void threadThatIsStuckIsReplaced() {
		QueueNode node = start((job) -> job.headers().isEmpty() ? JobResult.success() : swallow(job),
				(settings) -> settings.concurrency(1).maxAttempts(1));
		enqueueStuck(node);
		UUID next = enqueue(node);
		awaitState(next, "SUCCEEDED");
		assertThat(this.release.getCount()).isEqualTo(1);
	}

	/**
	 * One thread more than the queue has handlers may be stuck, but not two.
	 */
	@Test
	void queueStopsOnceTooManyAreStuckAndGoesOnWhenOneEnds() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = start((job) -> job.headers().isEmpty() ? JobResult.success() : swallow(job),
					(settings) -> settings.concurrency(1).maxAttempts(1));
			enqueueStuck(node);
			enqueueStuck(node);
			await().until(() -> log.messages("claims no further jobs on this node").size() == 1);
			UUID next = enqueue(node);
			await().during(SHORT).until(() -> state(next).equals("READY"));
			this.release.countDown();
			awaitState(next, "SUCCEEDED");
			assertThat(this.threads).hasSize(2);
		}
	}

	@Test
	void stuckHandlerIsReportedWithItsStackTrace() {
		try (CapturedLog log = new CapturedLog()) {
			enqueueStuck(start(this::swallow, (node) -> node.maxAttempts(1)));
			await().until(() -> log.messages("did not end when interrupted and has held").size() == 1);
			assertThat(log.messages("did not end when interrupted and has held")).singleElement()
				.asString()
				.contains("Its attempt failed", "Add timeouts to its blocking calls");
			assertThat(log.text()).contains("MaxRunTimeTests.swallow");
		}
	}

	@Test
	void slowHandlerIsReportedOnceWhileItRuns() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(start(this::block,
					(node) -> node.maxRunTime(Duration.ofMinutes(1)).warnAfter(Duration.ofMillis(100))));
			await().until(() -> log.messages("is still running after").size() == 1);
			assertThat(log.text()).contains("MaxRunTimeTests.block");
			await().during(SHORT).until(() -> log.messages("is still running after").size() == 1);
			this.release.countDown();
			awaitState(job, "SUCCEEDED");
		}
	}

	@Test
	void extendedRunTimeCountsFromNow() {
		UUID job = enqueue(start((context) -> {
			context.extend(Duration.ofHours(2));
			context.extend(Duration.ofHours(1));
			return block(context);
		}, (node) -> node.maxAttempts(1)));
		await().until(() -> column(SECONDS_LEFT, job, Double.class) > 3_000);
		await().during(SHORT).until(() -> state(job).equals("RUNNING"));
		assertThat(column(SECONDS_LEFT, job, Double.class)).isBetween(3_500.0, 3_602.0);
		this.release.countDown();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void runTimeCanBeCutShort() {
		UUID job = enqueue(start((context) -> {
			context.extend(SHORT);
			return block(context);
		}, (node) -> node.maxAttempts(1).maxRunTime(Duration.ofHours(1))));
		awaitState(job, "DEAD");
	}

	@Test
	void runTimeIsNotExtendedByNothing() {
		UUID job = enqueue(start((context) -> {
			assertThatIllegalArgumentException().isThrownBy(() -> context.extend(Duration.ZERO));
			return JobResult.success();
		}, (node) -> node.maxAttempts(1)));
		awaitState(job, "SUCCEEDED");
	}

	/**
	 * Without a reaper, which may be quicker than the worker itself.
	 */
	private QueueNode start(Behaviour behaviour, UnaryOperator<TestNodeSettings> settings) {
		return started((node) -> settings.apply(node.maxRunTime(SHORT)
			.reaperInterval(Duration.ofHours(1))
			.bean(Handlers.of(Delivery.AT_LEAST_ONCE, behaviour))));
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private void enqueueStuck(QueueNode node) {
		int before = this.interrupts.get();
		UUID job = node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).header("stuck", "yes")).id();
		awaitState(job, "DEAD");
		await().until(() -> this.interrupts.get() > before);
	}

	private JobResult block(JobContext job) throws InterruptedException {
		try {
			this.release.await();
		}
		catch (InterruptedException ex) {
			this.interrupts.incrementAndGet();
			throw ex;
		}
		return JobResult.success();
	}

	private JobResult swallow(JobContext job) {
		this.threads.add(Thread.currentThread());
		while (this.release.getCount() > 0) {
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				this.interrupts.incrementAndGet();
			}
		}
		return JobResult.success();
	}

}
