package io.jobqueue.delivery;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that is delivered at most once never runs again, whatever happens to it.
 */
@Tag("pooler") // transactions of handlers
class AtMostOnceTests extends NodeTestBase {

	private static final Duration SOON = Duration.ofMillis(10);

	private final AtomicInteger runs = new AtomicInteger();

	private BlockedHandler blocked = new BlockedHandler();

	@BeforeEach
	void blockHandlers() {
		this.runs.set(0);
		this.blocked = new BlockedHandler();
	}

	@AfterEach
	void releaseHandlers() {
		this.blocked.release();
	}

	@Test
	void failureIsFinal() {
		assertDeadAfterOneRun("refused", (job) -> {
			throw new IllegalStateException("refused");
		});
	}

	@Test
	void thereIsNoOtherAttempt() {
		assertDeadAfterOneRun("but none is left", (job) -> JobResult.retryIn(SOON));
		assertDeadAfterOneRun("at most once", (job) -> JobResult.snooze(SOON));
	}

	private void assertDeadAfterOneRun(String error, Behaviour behaviour) {
		this.runs.set(0);
		QueueNode node = start(behaviour, (settings) -> settings);
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains(error);
		assertThat(this.runs).hasValue(1);
		node.jobWorker().stop();
	}

	@Test
	void crashIsFinal() throws InterruptedException {
		QueueNode node = start(this::block, (settings) -> settings);
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		this.blocked.awaitBegun();
		this.sql.sql("UPDATE jobqueue_worker SET timeout_millis = 0").update();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).startsWith("Lost in a crash");
		this.blocked.release();
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void stopIsFinalForAHandlerThatDoesNotFinish() throws InterruptedException {
		QueueNode node = start(this::block, (settings) -> settings.shutdownTimeout(SOON));
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
		assertThat(state(job)).isEqualTo("DEAD");
		assertThat(column("last_error", job, String.class)).contains("InterruptedException");
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void maximumRunTimeIsFinal() {
		QueueNode node = start(this::block, (settings) -> settings.maxRunTime(Duration.ofSeconds(2)));
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains("Timed out");
		assertThat(this.runs).hasValue(1);
	}

	/**
	 * Others may have a free handler for them.
	 */
	@Test
	void jobsAreNotClaimedInAdvance() throws InterruptedException {
		QueueNode node = start((job) -> {
			if (job.headers().containsKey("block")) {
				block(job);
			}
			return JobResult.success();
		}, (settings) -> settings.concurrency(1));
		node.queue().enqueueAll(mails(100));
		await().until(() -> count("jobqueue_archive") == 100);
		UUID blocked = node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).header("block", "yes")).id();
		this.blocked.awaitBegun();
		node.queue().enqueueAll(mails(20));
		await().during(Duration.ofMillis(500)).until(() -> count("jobqueue_job WHERE locked_by IS NOT NULL") == 1);
		this.blocked.release();
		awaitState(blocked, "SUCCEEDED");
		await().until(() -> count("jobqueue_archive") == 121);
	}

	private static List<JobRequest> mails(int count) {
		return IntStream.range(0, count).mapToObj((n) -> JobRequest.of("emails", new Mail("quick"))).toList();
	}

	private JobResult block(JobContext job) throws InterruptedException {
		this.blocked.block();
		return JobResult.success();
	}

	private QueueNode start(Behaviour behaviour, UnaryOperator<TestNodeSettings> settings) {
		return started((node) -> settings.apply(node.bean(Handlers.of(Delivery.AT_MOST_ONCE, (job) -> {
			this.runs.incrementAndGet();
			return behaviour.handle(job);
		}))));
	}

}
