package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.worker.completion.WorkListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What becomes of jobs when their worker is stopped.
 */
class StopTests extends NodeTestBase {

	private BlockedHandler blocked = new BlockedHandler();

	@BeforeEach
	void blockHandlers() {
		this.blocked = new BlockedHandler();
	}

	@AfterEach
	void releaseHandlers() {
		this.blocked.release();
	}

	@Test
	void runningHandlerFinishes() throws Exception {
		QueueNode node = started((settings) -> settings.name("stopping")
			.shutdownTimeout(Duration.ofMinutes(2))
			.handler((mail, job) -> this.blocked.block()));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		this.blocked.awaitBegun();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> node.jobWorker().stop());
		await().until(() -> !claims("stopping"));
		UUID later = node.queue().enqueue(new Mail("later")).id();
		this.blocked.release();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(state(job)).isEqualTo("SUCCEEDED");
		assertThat(state(later)).isEqualTo("READY");
		assertThat(count("jobqueue_claim")).isZero();
		assertThat(count("jobqueue_worker")).isZero();
	}

	@Test
	void interruptedStopInterruptsHandlersAndReleasesTheirJobs() throws Exception {
		QueueNode node = started((settings) -> settings.name("stopping").handler((mail, job) -> this.blocked.block()));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		this.blocked.awaitBegun();
		Thread stopping = new Thread(() -> node.jobWorker().stop());
		stopping.start();
		await().until(() -> !claims("stopping"));
		stopping.interrupt();
		stopping.join();
		assertReleased(job);
		assertThat(count("jobqueue_worker")).isZero();
	}

	@Test
	void resultAfterTheInterruptCounts() throws Exception {
		QueueNode node = started((settings) -> settings.releaseOnStop().bean(new GivingUp(this.blocked::block)));
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
		assertThat(state(job)).isEqualTo("DEAD");
		assertThat(column("last_error", job, String.class)).startsWith("It is too late");
	}

	@Test
	void slowHandlerIsInterruptedAndItsJobReleasedUncounted() throws Exception {
		AtomicBoolean interrupted = new AtomicBoolean();
		QueueNode node = started((settings) -> settings.shutdownTimeout(Duration.ofMillis(100)).handler((mail, job) -> {
			try {
				this.blocked.block();
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
				throw ex;
			}
		}));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
		assertThat(interrupted).isTrue();
		assertReleased(job);
	}

	@Test
	void jobsAreReleasedAtOnceWhereThatIsWanted() throws Exception {
		QueueNode node = started((settings) -> settings.releaseOnStop()
			.shutdownTimeout(Duration.ofHours(1))
			.handler((mail, job) -> this.blocked.block()));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		this.blocked.awaitBegun();
		try (CapturedLog log = new CapturedLog()) {
			node.jobWorker().stop();
			assertThat(log.messages("is stopping; waiting up to 0ms")).singleElement()
				.asString()
				.endsWith("for 1 running handler");
			assertThat(log.levels("interrupts 1 handler")).containsExactly("INFO");
		}
		assertReleased(job);
	}

	@Test
	void releasedJobRunsElsewhereAtOnce() throws Exception {
		QueueNode node = started((settings) -> settings.shutdownTimeout(Duration.ofMillis(100))
			.handler((mail, job) -> this.blocked.block()));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		this.blocked.awaitBegun();
		try (CapturedLog log = new CapturedLog()) {
			node.jobWorker().stop();
			assertThat(log.messages("interrupts 1 handler still running after 100ms: [Job[" + job + ", queue=emails"))
				.hasSize(1);
			assertThat(log.levels("interrupts 1 handler")).containsExactly("WARN");
		}
		started((settings) -> settings.handler((mail, context) -> assertThat(context.attempt()).isEqualTo(1)));
		awaitState(job, "SUCCEEDED");
	}

	@Test
	@Tag("slow") // a handler that ignores the stop
	void jobOfAHandlerThatIgnoresInterruptsIsReleasedToo() throws Exception {
		QueueNode node = started((settings) -> settings.shutdownTimeout(Duration.ofMillis(100))
			.handler((mail, job) -> this.blocked.blockUninterruptibly()));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
		assertReleased(job);
		this.blocked.release();
	}

	@Test
	void releasesInARowAreCountedAndAnyOtherOutcomeEndsTheRow() throws Exception {
		AtomicBoolean fails = new AtomicBoolean();
		QueueNode node = node(settings().releaseOnStop().handler((mail, job) -> {
			if (fails.getAndSet(false)) {
				throw new IllegalStateException("failed");
			}
			try {
				this.blocked.block();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException("interrupted");
			}
		}));
		UUID job = node.queue().enqueue(JobRequest.of(new Mail("hi")).maxAttempts(1)).id();
		try (CapturedLog log = new CapturedLog()) {
			for (int releases = 1; releases <= 3; releases++) {
				assertThat(log.messages("Stops have released it")).isEmpty();
				stopWithinHandler(node);
				assertReleased(job);
				assertThat(releases(job)).isEqualTo(releases);
			}
			assertThat(log.messages("Stops have released it 3 times in a row")).singleElement()
				.asString()
				.contains(job.toString());
			assertThat(log.levels("Stops have released it")).containsExactly("WARN");
		}
		this.sql.sql("UPDATE jobqueue_job SET max_attempts = 2").update();
		this.blocked = new BlockedHandler();
		fails.set(true);
		node.jobWorker().start();
		this.blocked.awaitBegun();
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
		assertThat(releases(job)).isZero();
	}

	private int releases(UUID job) {
		return this.sql.sql("SELECT coalesce(releases, 0) FROM jobqueue_job WHERE id = ?")
			.param(job)
			.query(Integer.class)
			.single();
	}

	private void stopWithinHandler(QueueNode node) throws InterruptedException {
		this.blocked = new BlockedHandler();
		node.jobWorker().start();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
	}

	@Test
	@Tag("slow") // handlers that ignore the stop
	void releaseCountsOnceThereWereSeveralIfTheHandlerDoesNotEnd() {
		BlockedHandler deaf = this.blocked;
		CountDownLatch begun = new CountDownLatch(3);
		QueueNode node = node(settings().releaseOnStop().concurrency(3).handler((mail, job) -> {
			begun.countDown();
			deaf.blockUninterruptibly();
		}));
		UUID last = node.queue().enqueue(JobRequest.of(new Mail("last")).maxAttempts(1)).id();
		UUID other = node.queue().enqueue(JobRequest.of(new Mail("other"))).id();
		this.sql.sql("UPDATE jobqueue_job SET releases = 2").update();
		UUID second = node.queue().enqueue(JobRequest.of(new Mail("second")).maxAttempts(1)).id();
		this.sql.sql("UPDATE jobqueue_job SET releases = 1 WHERE id = ?").param(second).update();
		node.jobWorker().start();
		await().until(() -> begun.getCount() == 0);
		node.jobWorker().stop();
		assertThat(state(last)).isEqualTo("DEAD");
		assertThat(column("last_error", last, String.class)).contains(
				"did not end when it was interrupted for a stop, and stops have released the job 3 times in a row");
		assertThat(column("failures", other, Integer.class)).isEqualTo(1);
		assertThat(releases(other)).isEqualTo(3);
		assertReleased(second);
		assertThat(releases(second)).isEqualTo(2);
	}

	@Test
	void handlerThatSucceedsInSpiteOfTheInterruptHasSucceeded() throws Exception {
		QueueNode node = started((settings) -> settings.shutdownTimeout(Duration.ofMillis(100)).handler((mail, job) -> {
			try {
				this.blocked.block();
			}
			catch (InterruptedException ex) {
				// goes on to its end
			}
		}));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
		assertThat(state(job)).isEqualTo("SUCCEEDED");
	}

	@Test
	void jobsClaimedInAdvanceGoBackUncounted() throws Exception {
		QueueNode node = started(
				(settings) -> settings.concurrency(1).shutdownTimeout(Duration.ofMillis(100)).handler((mail, job) -> {
					if (mail.text().equals("block")) {
						this.blocked.block();
					}
				}));
		runShortJobs(node);
		node.queue()
			.enqueueAll(Stream.concat(Stream.of(JobRequest.of(new Mail("block"))), mails(20).stream()).toList());
		this.blocked.awaitBegun();
		await().until(() -> count("jobqueue_job WHERE locked_by IS NOT NULL") > 1);
		node.jobWorker().stop();
		assertThat(count("jobqueue_jobs WHERE state = 'READY' AND attempts = 0")).isEqualTo(21);
		assertThat(count("jobqueue_claim")).isZero();
	}

	@Test
	@Tag("slow") // an answer that is late
	void lastAttemptIsReleasedUncountedIfClaimedDuringTheStop() throws Exception {
		assertReleasedAfterLateAnswer(new MailHandler((mail, job) -> {
		}), JobRequest.of("emails", new Mail("hi")).maxAttempts(1));
	}

	@Test
	@Tag("slow") // an answer that is late
	void atMostOnceJobIsReleasedUncountedIfClaimedDuringTheStop() throws Exception {
		assertReleasedAfterLateAnswer(new Once(), JobRequest.of("emails", new Mail("hi")));
	}

	@Test
	void atMostOnceJobIsReleasedUncountedBeforeItsHandlerBegins() throws Exception {
		QueueNode node = started(
				(settings) -> settings.releaseOnStop().bean(new Once()).listener(new BlockedBeginning(this.blocked)));
		UUID job = node.queue().enqueue(JobRequest.of("emails", new Mail("hi"))).id();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
		assertReleased(job);
	}

	private void assertReleasedAfterLateAnswer(Object handler, JobRequest request) throws Exception {
		QueueNode node = started((settings) -> settings.bean(handler)
			.claimsByFetcher()
			.jobStore((store) -> StoreCalls.after("claim", store, this::blockAnswerOfClaimedJobs)));
		UUID job = node.queue().enqueue(request).id();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
		PostgresStores.of(this.pool, null, null).maintenance().reap(null);
		assertThat(state(job)).isEqualTo("RUNNING");
		this.blocked.release();
		awaitState(job, "READY");
		assertReleased(job);
		await().until(() -> count("jobqueue_worker") == 0);
	}

	private void blockAnswerOfClaimedJobs() {
		if (count("jobqueue_claim") > 0) {
			this.blocked.blockUninterruptibly();
		}
	}

	/**
	 * The handlers that the stop waits for may run for much longer.
	 */
	@Test
	@Tag("slow") // an answer that is late
	void jobOfAClaimThatIsAnsweredDuringTheStopIsReleasedAtOnce() throws Exception {
		BlockedHandler answer = new BlockedHandler();
		QueueNode node = started((settings) -> settings.shutdownTimeout(Duration.ofMinutes(2))
			.concurrency(2)
			.handler((mail, job) -> this.blocked.block())
			.claimsByFetcher()
			.jobStore((store) -> StoreCalls.after("claim", store, () -> {
				if (count("jobqueue_job WHERE claim IS NOT NULL") == 2) {
					answer.blockUninterruptibly();
				}
			})));
		UUID running = node.queue().enqueue(new Mail("hi")).id();
		this.blocked.awaitBegun();
		UUID claimed = node.queue().enqueue(new Mail("hi")).id();
		answer.awaitBegun();
		Thread stopping = new Thread(() -> node.jobWorker().stop());
		stopping.start();
		await().until(() -> isAwaitingHandlers(stopping));
		answer.release();
		awaitState(claimed, "READY");
		assertThat(column("attempts", claimed, Integer.class)).isZero();
		assertThat(stopping.isAlive()).isTrue();
		this.blocked.release();
		stopping.join();
		assertThat(state(running)).isEqualTo("SUCCEEDED");
	}

	private static boolean isAwaitingHandlers(Thread thread) {
		return Stream.of(thread.getStackTrace()).anyMatch((call) -> call.getMethodName().equals("awaitIdle"));
	}

	@Test
	void startsAndStopsManyTimes() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
		}));
		for (int round = 0; round < 10; round++) {
			node.jobWorker().stop();
			assertThat(node.jobWorker().isRunning()).isFalse();
			UUID job = node.queue().enqueue(new Mail("hi")).id();
			node.jobWorker().start();
			node.jobWorker().start();
			awaitState(job, "SUCCEEDED");
		}
		assertThat(count("jobqueue_worker")).isEqualTo(1);
	}

	@Test
	void secondStopHasNoEffect() throws Exception {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
		}));
		node.jobWorker().stop();
		node.jobWorker().stop();
		CountDownLatch called = new CountDownLatch(1);
		node.jobWorker().stop(called::countDown);
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
	}

	/**
	 * The interval between heartbeats is 1 ns, which the executor of background tasks
	 * rejects after the first threads have started.
	 */
	@Test
	void workerThatCannotStartLeavesNoThreadBehind() {
		QueueNode node = node(settings().name("failing").timeout(Duration.ofNanos(3)).handler((mail, job) -> {
		}));
		try (CapturedLog log = new CapturedLog()) {
			assertThatIllegalArgumentException().isThrownBy(node.jobWorker()::start);
			await().until(() -> !hasThread("jobqueue@failing-"));
			assertThat(log.messages("Worker failing")).hasSize(2).last().asString().endsWith("has stopped");
		}
		assertThat(node.jobWorker().isRunning()).isFalse();
	}

	private void runShortJobs(QueueNode node) {
		node.queue().enqueueAll(mails(100));
		await().until(() -> count("jobqueue_archive") == 100);
	}

	private static List<JobRequest> mails(int count) {
		return IntStream.range(0, count).mapToObj((n) -> JobRequest.of(new Mail("quick"))).toList();
	}

	private static boolean claims(String node) {
		return hasThread("jobqueue@" + node + "-fetcher-");
	}

	private static boolean hasThread(String prefix) {
		return Thread.getAllStackTraces().keySet().stream().anyMatch((thread) -> thread.getName().startsWith(prefix));
	}

	private void assertReleased(UUID job) {
		assertThat(state(job)).isEqualTo("READY");
		assertThat(column("attempts", job, Integer.class)).isZero();
		assertThat(column("failures", job, Integer.class)).isZero();
		assertThat(count("jobqueue_claim")).isZero();
	}

	/**
	 * Blocks before handlers begin.
	 */
	record BlockedBeginning(BlockedHandler blocked) implements WorkListener {

		@Override
		public void begins(ClaimedJob job, Duration waited) {
			try {
				this.blocked.block();
			}
			catch (InterruptedException ex) {
				// the stop has begun to interrupt handlers
			}
		}

	}

	/**
	 * Runs a job at most once.
	 */
	record Once() {

		@JobHandler(queue = "emails", delivery = Delivery.AT_MOST_ONCE)
		void handle(Mail mail) {
		}

	}

	/**
	 * Says what is to become of its job when it is interrupted.
	 */
	record GivingUp(Blocker blocker) {

		@JobHandler(queue = "emails")
		JobResult handle(Mail mail) {
			try {
				this.blocker.block();
				return JobResult.success();
			}
			catch (InterruptedException ex) {
				return JobResult.fail("It is too late for '%s'".formatted(mail.text()));
			}
		}

	}

	/**
	 * Waits.
	 */
	interface Blocker {

		void block() throws InterruptedException;

	}

}
