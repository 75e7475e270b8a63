package io.jobqueue.delivery;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

	private static final Duration SHORT = Duration.ofSeconds(1);

	private static final String SECONDS_LEFT = "coalesce(extract(epoch FROM lease_until - now()), 0)";

	private final AtomicInteger interrupts = new AtomicInteger();

	private CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void blockHandlers() {
		this.interrupts.set(0);
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
		assertThat(column("extract(epoch FROM finished_at - started_at)", job, Double.class)).isGreaterThan(0.9);
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

}
