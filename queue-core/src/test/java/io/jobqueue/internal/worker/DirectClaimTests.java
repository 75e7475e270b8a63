package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.harness.WakeUpListener;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * New jobs that idle handlers of the committing JVM claim by their ids.
 */
class DirectClaimTests extends NodeTestBase {

	private final List<String> threads = new CopyOnWriteArrayList<>();

	private final List<WakeUp> forwarded = new CopyOnWriteArrayList<>();

	private BlockedHandler blocked = new BlockedHandler();

	@AfterEach
	void releaseHandlers() {
		this.blocked.release();
		this.blocked = new BlockedHandler();
		this.threads.clear();
		this.forwarded.clear();
	}

	@Test
	void newJobIsClaimedByAnIdleHandlerAndSignalledToNoOtherNode() {
		QueueNode node = idle(DirectClaimTests::handled);
		awaitState(enqueue(node), "SUCCEEDED");
		assertThat(this.threads).singleElement().asString().startsWith("jobqueue@node-emails-");
		assertThat(this.forwarded).isEmpty();
	}

	@Test
	void failedAttemptIsRepeatedByTheFetcher() {
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		QueueNode node = idle((settings) -> settings.handler((mail, job) -> {
			attempts.add(job.attempt());
			if (mail.text().equals("fails") && job.attempt() == 1) {
				throw new IllegalStateException("once");
			}
		}));
		attempts.clear();
		UUID job = node.queue().enqueue(new Mail("fails")).id();
		awaitState(job, "SUCCEEDED");
		assertThat(attempts).containsExactly(1, 2);
		assertThat(column("failures", job, Integer.class)).isOne();
		assertThat(this.threads).hasSize(1);
		await().until(() -> count("jobqueue_claim") == 0);
	}

	@Test
	void jobThatCannotBeClaimedIsSignalled() {
		QueueNode node = idle((settings) -> handled(settings).claimsByFetcher());
		awaitState(enqueue(node), "SUCCEEDED");
		assertThat(this.forwarded).isNotEmpty();
	}

	@Test
	void failedClaimIsRepeatedByTheFetcher() {
		AtomicBoolean failed = new AtomicBoolean();
		QueueNode node = idle((settings) -> handled(settings)
			.jobStore((store) -> StoreCalls.before("claimNew", store, () -> failOnce(failed))));
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(node);
			awaitState(job, "SUCCEEDED");
			assertThat(log.messages("Claiming new jobs by their ids failed; will retry")).hasSize(1);
		}
		assertThat(this.forwarded).isNotEmpty();
	}

	@Test
	void jobOfALostAnswerRunsOnItsFirstAttempt() {
		AtomicBoolean failed = new AtomicBoolean();
		QueueNode node = idle((settings) -> handled(settings)
			.jobStore((store) -> StoreCalls.after("claimNew", store, () -> failOnce(failed))));
		UUID job = enqueue(node);
		awaitState(job, "SUCCEEDED");
		assertThat(failed).isTrue();
		assertThat(column("attempts", job, Integer.class)).isOne();
	}

	private static void failOnce(AtomicBoolean failed) {
		if (failed.compareAndSet(false, true)) {
			throw new DataAccessResourceFailureException("The connection was lost");
		}
	}

	/**
	 * Other workers and the fetcher may have a free connection.
	 */
	@Test
	void jobOfASlowClaimIsSignalled() throws Exception {
		QueueNode node = idle((settings) -> handled(settings)
			.jobStore((store) -> StoreCalls.before("claimNew", store, this.blocked::blockUninterruptibly)));
		UUID job = enqueue(node);
		this.blocked.awaitBegun();
		awaitState(job, "SUCCEEDED");
		assertThat(this.forwarded).isNotEmpty();
		this.blocked.release();
		await().until(() -> count("jobqueue_claim") == 0);
		assertThat(column("attempts", job, Integer.class)).isOne();
	}

	@Test
	void jobIsReleasedUncountedIfItsQueueIsPausedBeforeTheAnswer() {
		List<QueueNode> nodes = new CopyOnWriteArrayList<>();
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = idle((settings) -> handled(settings)
				.jobStore((store) -> StoreCalls.after("claimNew", store, () -> nodes.forEach((pausing) -> {
					pausing.operations().pause("emails");
					await().until(() -> !log.messages("now serves []").isEmpty());
				}))));
			nodes.add(node);
			UUID job = enqueue(node);
			await().until(() -> !log.messages("now serves []").isEmpty());
			awaitState(job, "READY");
			assertThat(column("attempts", job, Integer.class)).isZero();
		}
	}

	/**
	 * The third one is claimed by the fetcher meanwhile.
	 */
	@Test
	void noMoreThanTwoAreClaimedAtOnce() {
		AtomicInteger claiming = new AtomicInteger();
		QueueNode node = idle(
				(settings) -> handled(settings).jobStore((store) -> StoreCalls.before("claimNew", store, () -> {
					claiming.incrementAndGet();
					this.blocked.blockUninterruptibly();
				})));
		List<UUID> first = List.of(enqueue(node), enqueue(node));
		await().until(() -> claiming.get() == 2);
		UUID third = enqueue(node);
		awaitState(third, "SUCCEEDED");
		assertThat(claiming).hasValue(2);
		this.blocked.release();
		first.forEach((job) -> awaitState(job, "SUCCEEDED"));
	}

	@Test
	void jobsThatMayHaveToWaitAreClaimedByTheFetcher() {
		QueueNode node = idle(DirectClaimTests::handled);
		JobRequest mail = JobRequest.of(new Mail("hi"));
		List<UUID> jobs = Stream
			.of(mail.key("unique"), mail.orderedBy("order"), mail.limitedBy("limit"), mail.delay(Duration.ofMillis(1)))
			.map((request) -> node.queue().enqueue(request).id())
			.toList();
		jobs.forEach((job) -> awaitState(job, "SUCCEEDED"));
		node.queue().enqueueAll(List.of(mail, mail)).forEach((receipt) -> awaitState(receipt.id(), "SUCCEEDED"));
		assertThat(this.threads).isEmpty();
	}

	@Test
	void jobsOfAQueueWithLimitsAreClaimedByTheFetcher() {
		QueueNode node = idle((settings) -> handled(settings).limits(new ClusterLimits(1, null)));
		awaitState(enqueue(node), "SUCCEEDED");
		assertThat(this.threads).isEmpty();
	}

	@Test
	void busyHandlersLeaveJobsToTheFetcher() throws Exception {
		QueueNode node = idle((settings) -> settings.concurrency(1).handler((mail, job) -> {
			if (mail.text().equals("block")) {
				this.blocked.block();
			}
		}));
		node.queue().enqueue(new Mail("block"));
		this.blocked.awaitBegun();
		this.threads.clear();
		UUID waiting = enqueue(node);
		assertThat(state(waiting)).isNotEqualTo("SUCCEEDED");
		this.blocked.release();
		awaitState(waiting, "SUCCEEDED");
		assertThat(this.threads).isEmpty();
	}

	@Test
	void jobsOfAPausedQueueAndOfOtherPrioritiesStay() {
		QueueNode node = idle((settings) -> handled(settings).priorities(0, 50));
		UUID other = node.queue().enqueue(JobRequest.of(new Mail("hi")).priority(Priority.of(60))).id();
		node.operations().pause("emails");
		UUID paused = enqueue(node);
		node.operations().resume("emails");
		awaitState(paused, "SUCCEEDED");
		assertThat(state(other)).isEqualTo("READY");
		assertThat(column("attempts", other, Integer.class)).isZero();
	}

	@Test
	@Tag("slow") // an answer that is late
	void lastAttemptIsReleasedUncountedIfClaimedDuringTheStop() throws Exception {
		AtomicBoolean blocks = new AtomicBoolean();
		QueueNode node = idle((settings) -> handled(settings).shutdownTimeout(Duration.ofMinutes(2))
			.jobStore((store) -> StoreCalls.after("claimNew", store, () -> {
				if (blocks.get()) {
					this.blocked.blockUninterruptibly();
				}
			})));
		blocks.set(true);
		UUID job = node.queue().enqueue(JobRequest.of(new Mail("hi")).maxAttempts(1)).id();
		this.blocked.awaitBegun();
		node.jobWorker().stop();
		assertThat(this.forwarded).as("others may have a free connection").isNotEmpty();
		PostgresStores.of(this.pool, null, null).maintenance().reap(null);
		assertThat(state(job)).isEqualTo("RUNNING");
		this.blocked.release();
		awaitState(job, "READY");
		assertThat(column("attempts", job, Integer.class)).isZero();
		await().until(() -> count("jobqueue_worker") == 0);
	}

	@Test
	void optionsOfTheTypeApplyToADirectClaim() throws Exception {
		QueueNode node = idle(
				(settings) -> settings.types(Map.of("mail", new AttemptOptions(2, Duration.ofMinutes(3), null)))
					.handler((mail, job) -> {
						if (mail.text().equals("block")) {
							this.blocked.block();
						}
					}));
		node.queue().enqueue(new Mail("block"));
		this.blocked.awaitBegun();
		assertThat(this.threads).hasSize(1);
		assertThat(count("jobqueue_claim WHERE max_attempts = 2 AND expires_at < now() + interval '4 minutes'"))
			.isOne();
	}

	@Test
	void jobThatRunsAtMostOnceRunsOnce() {
		Once once = new Once();
		QueueNode node = idle((settings) -> settings.bean(once));
		once.runs.set(0);
		UUID job = enqueue(node);
		awaitState(job, "SUCCEEDED");
		assertThat(once.runs).hasValue(1);
		assertThat(this.threads).hasSize(1);
	}

	/**
	 * Both nodes poll all the time.
	 */
	@Test
	void noJobRunsTwiceWhereFetchersClaimAsWell() throws Exception {
		AtomicInteger runs = new AtomicInteger();
		QueueNode producing = started((settings) -> settings.name("producing")
			.pollInterval(Duration.ofMillis(1))
			.jobStore(this::recording)
			.handler((mail, job) -> runs.incrementAndGet()));
		started((settings) -> settings.name("other")
			.pollInterval(Duration.ofMillis(1))
			.handler((mail, job) -> runs.incrementAndGet()));
		IntStream.range(0, 500).forEach((job) -> enqueue(producing));
		await().until(() -> count("jobqueue_archive") == 500);
		assertThat(runs).hasValue(500);
		assertThat(this.threads).isNotEmpty();
	}

	/**
	 * A node whose worker has claimed a first job and knows of no other.
	 */
	private QueueNode idle(UnaryOperator<TestNodeSettings> settings) {
		QueueNode node = started((defaults) -> settings.apply(defaults.neverPolls().jobStore(this::recording)));
		node.workerServices().signals().forwardTo(new WakeUpListener(this::forward));
		node.queue()
			.enqueueAll(List.of(new Mail("first"), new Mail("second")))
			.forEach((receipt) -> awaitState(receipt.id(), "SUCCEEDED"));
		await().until(() -> count("jobqueue_claim") == 0);
		this.forwarded.clear();
		this.threads.clear();
		return node;
	}

	private static TestNodeSettings handled(TestNodeSettings settings) {
		return settings.handler((mail, job) -> {
		});
	}

	private JobStore recording(JobStore store) {
		return StoreCalls.before("claimNew", store, () -> this.threads.add(Thread.currentThread().getName()));
	}

	private void forward(Collection<? extends WakeUp> signals) {
		this.forwarded.addAll(signals);
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue(new Mail("hi")).id();
	}

	static class Once {

		private final AtomicInteger runs = new AtomicInteger();

		@JobHandler(queue = "emails", delivery = Delivery.AT_MOST_ONCE)
		void send(Mail mail) {
			this.runs.incrementAndGet();
		}

	}

}
