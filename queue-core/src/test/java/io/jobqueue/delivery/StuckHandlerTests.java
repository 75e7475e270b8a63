package io.jobqueue.delivery;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to handlers that do not end when they are interrupted.
 */
@Tag("slow") // handlers that hang for seconds
class StuckHandlerTests extends NodeTestBase {

	private static final Duration SHORT = Duration.ofSeconds(1);

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
				.contains("Its attempt has ended", "Add timeouts to its blocking calls");
			assertThat(log.text()).contains("StuckHandlerTests.swallow");
		}
	}

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
