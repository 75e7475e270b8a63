package io.jobqueue.worker;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeSettings;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;
import io.jobqueue.store.ClusterLimits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What ends the wait of a pull.
 */
class WaitingPullTests extends NodeTestBase {

	private static final Duration RARELY = Duration.ofSeconds(20);

	private static final Duration WELL_BELOW = Duration.ofSeconds(5);

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final JobSource<Mail> MAILS = JobSource.of("emails", Mail.class);

	@Test
	void pullThatFindsNothingReturnsWhenItsTimeIsOverAndNotBefore() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		assertThat(node.puller().tryPull(MAILS)).isNull();
		long start = System.nanoTime();
		assertThat(node.puller().pull(MAILS, Duration.ofMillis(700))).isNull();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(700), WELL_BELOW);
		assertThat(node.puller().pull(MAILS, Duration.ZERO)).isNull();
		assertThat(node.puller().pull(MAILS, Duration.ofSeconds(-1))).isNull();
	}

	@Test
	void commitInThisJvmEndsTheWait() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		Pull pull = waiting(node);
		UUID id = enqueue(node);
		assertThat(pull.soon().context().id()).isEqualTo(id);
	}

	@Test
	void commitOnAnotherNodeEndsTheWait() throws Exception {
		QueueNode node = started((settings) -> rarely(settings).listensOn(this.database.directDataSource()));
		QueueNode other = started((settings) -> settings.unpooled(this.database.dataSource()));
		await().until(() -> node.remoteSignals().isHearing());
		Pull pull = waiting(node);
		UUID id = enqueue(other);
		assertThat(pull.soon().context().id()).isEqualTo(id);
	}

	@Test
	void delayedJobEndsTheWaitWhenItIsDue() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		Pull pull = waiting(node);
		node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(Duration.ofMillis(500)));
		assertThat(pull.soon().payload()).isEqualTo(new Mail("hi"));
	}

	@Test
	void lostSignalCostsOnePoll() throws Exception {
		QueueNode node = started((settings) -> rarely(settings).pollInterval(Duration.ofSeconds(1)));
		Pull pull = waiting(node);
		UUID id = enqueue(producer());
		assertThat(pull.soon().context().id()).isEqualTo(id);
	}

	@Test
	void jobThatComesBackEndsTheWait() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		enqueue(node);
		PulledJob<Mail> first = node.puller().tryPull(MAILS);
		assertThat(first).isNotNull();
		Pull pull = waiting(node);
		first.close();
		assertThat(pull.soon().context().id()).isEqualTo(first.context().id());
	}

	@Test
	void eachOfManyThatWaitGetsAJob() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		List<Pull> pulls = Stream.generate(() -> pull(node)).limit(6).toList();
		pulls.forEach(WaitingPullTests::awaitWaiting);
		node.queue()
			.enqueueAll(IntStream.range(0, 6).mapToObj((mail) -> JobRequest.of("emails", new Mail("hi"))).toList());
		for (Pull pull : pulls) {
			pull.soon();
		}
		assertThat(count("jobqueue_archive")).isEqualTo(6);
	}

	/**
	 * The second one in the line becomes the first.
	 */
	@Test
	void interruptOfOneThatWaitsIsNoneOfTheOthers() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		Pull first = waiting(node);
		Pull second = waiting(node);
		first.thread.interrupt();
		first.assertInterrupted();
		UUID id = enqueue(node);
		assertThat(second.soon().context().id()).isEqualTo(id);
	}

	@Test
	void interruptEndsTheWaitAndClaimsNothing() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		Pull pull = waiting(node);
		pull.thread.interrupt();
		pull.assertInterrupted();
		UUID id = enqueue(node);
		assertThat(state(id)).isEqualTo("READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
	}

	@Test
	void threadThatIsInterruptedBeforeClaimsNothing() {
		QueueNode node = started((settings) -> settings);
		UUID id = enqueue(node);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> node.puller().pull(MAILS, LONG));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(state(id)).isEqualTo("READY");
	}

	@Test
	void jobWhoseClaimIsAnsweredAfterTheInterruptIsGivenBack() throws Exception {
		CountDownLatch claimed = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.jobStore((store) -> StoreCalls.after("claim", store, () -> {
			claimed.countDown();
			awaitUninterruptibly(answer);
		})));
		UUID id = enqueue(node);
		Pull pull = pull(node);
		assertThat(claimed.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(state(id)).isEqualTo("RUNNING");
		pull.thread.interrupt();
		answer.countDown();
		pull.assertInterrupted();
		awaitState(id, "READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
	}

	@Test
	void jobWhoseClaimIsNeverAnsweredIsGivenBack() {
		QueueNode node = started(this::losing);
		UUID id = enqueue(node);
		loseAClaim(node);
		awaitState(id, "READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
	}

	/**
	 * The one that waits does not hear of the job, but of the failure.
	 */
	@Test
	void jobWhoseClaimIsNeverAnsweredGoesToAnotherThatWaits() throws Exception {
		QueueNode node = started(this::losing);
		Pull pull = waiting(node);
		UUID id = enqueue(producer());
		loseAClaim(node);
		assertThat(pull.soon().context().id()).isEqualTo(id);
		assertThat(pull.soon().context().attempt()).isEqualTo(1);
	}

	@Test
	void jobWhoseClaimIsNeverAnsweredGoesToOneThatWaitsForMore() throws Exception {
		QueueNode node = started(this::losing);
		Pull pull = pull(node, JobSource.firstOf(MAILS, JobSource.of("others", Mail.class)));
		awaitWaiting(pull);
		UUID id = enqueue(producer());
		loseAClaim(node);
		assertThat(pull.soon().context().id()).isEqualTo(id);
	}

	private NodeSettings losing(NodeSettings settings) {
		AtomicBoolean lost = new AtomicBoolean();
		return rarely(settings).jobStore((store) -> StoreCalls.after("claim", store, () -> {
			if (count("jobqueue_claim") > 0 && lost.compareAndSet(false, true)) {
				throw new DataAccessResourceFailureException("gone");
			}
		}));
	}

	private static void loseAClaim(QueueNode node) {
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> node.puller().tryPull(MAILS));
	}

	@Test
	void whatAnotherPullFindsIsKnownToTheOneThatWaits() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		Pull pull = waiting(node);
		List<UUID> ids = List.of(enqueue(producer()), enqueue(producer()));
		try (PulledJob<Mail> other = node.puller().tryPull(MAILS)) {
			assertThat(other).isNotNull();
			assertThat(pull.soon().context().id()).isIn(ids);
		}
	}

	@Test
	void whatAnotherPullFindsToBeDueLaterIsKnownToTheOneThatWaits() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		Pull pull = waiting(node);
		producer().queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(Duration.ofSeconds(2)));
		assertThat(node.puller().tryPull(MAILS)).isNull();
		assertThat(pull.soon().payload()).isEqualTo(new Mail("hi"));
	}

	/**
	 * Neither for others of the same source nor for those of another one.
	 */
	@Test
	void nobodyWaitsLongerForAPullThatHangs() throws Exception {
		CountDownLatch claims = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		AtomicBoolean hung = new AtomicBoolean();
		QueueNode node = started((settings) -> settings.jobStore((store) -> StoreCalls.before("claim", store, () -> {
			if (hung.compareAndSet(false, true)) {
				claims.countDown();
				awaitUninterruptibly(answer);
			}
		})));
		enqueue(node);
		Pull hanging = pull(node);
		try {
			assertThat(claims.await(30, TimeUnit.SECONDS)).isTrue();
			Pull interrupted = pull(node);
			Awaitility.await().until(() -> isIn(interrupted.thread, ReentrantLock.class));
			interrupted.thread.interrupt();
			interrupted.assertInterrupted();
			long start = System.nanoTime();
			assertThat(node.puller().pull(MAILS, Duration.ofMillis(300))).isNull();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(WELL_BELOW);
			assertThat(node.puller().tryPull("others", Mail.class)).isNull();
		}
		finally {
			answer.countDown();
		}
		assertThat(hanging.soon()).isNotNull();
	}

	/**
	 * A claim that is not made for the sake of others is no sign of being forgotten.
	 */
	@Test
	void pullWaitsForItsTurnAtALimitWithoutHeartbeats() throws Exception {
		AtomicInteger claims = new AtomicInteger();
		Set<String> heartbeats = ConcurrentHashMap.newKeySet();
		QueueNode node = started((settings) -> rarely(settings).limits(new ClusterLimits(1, null))
			.jobStore((store) -> StoreCalls.after("claim", store, () -> {
				claims.incrementAndGet();
				heartbeats.addAll(
						this.sql.sql("SELECT last_active_at::text FROM jobqueue_worker").query(String.class).list());
			})));
		UUID id = enqueue(producer());
		Pull pull;
		try (Connection connection = this.database.directDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(
					"SELECT pg_advisory_lock(hashtextextended('LIMITS of emails', 'jobqueue_job'::regclass::oid::bigint))");
			pull = pull(node);
			await().until(() -> claims.get() > 5);
		}
		assertThat(pull.soon().context().id()).isEqualTo(id);
		assertThat(heartbeats).hasSizeBetween(1, 2);
	}

	/**
	 * A heartbeat looks too.
	 */
	private static NodeSettings rarely(NodeSettings settings) {
		return settings.pollInterval(RARELY).timeout(Duration.ofMinutes(5));
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean interrupted = false;
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private Pull waiting(QueueNode node) {
		Pull pull = pull(node);
		awaitWaiting(pull);
		return pull;
	}

	private static void awaitWaiting(Pull pull) {
		Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> isWaiting(pull.thread));
	}

	private static boolean isWaiting(Thread thread) {
		return isIn(thread, Waiter.class) || isIn(thread, Semaphore.class);
	}

	private static boolean isIn(Thread thread, Class<?> type) {
		return Stream.of(thread.getStackTrace()).anyMatch((call) -> call.getClassName().equals(type.getName()));
	}

	private Pull pull(QueueNode node) {
		return pull(node, MAILS);
	}

	private Pull pull(QueueNode node, JobSource<Mail> source) {
		FutureTask<PulledJob<Mail>> result = new FutureTask<>(() -> ended(node.puller().pull(source, LONG)));
		Thread thread = new Thread(result, "pull");
		thread.start();
		closeLater(() -> {
			thread.interrupt();
			thread.join();
		});
		return new Pull(thread, result);
	}

	private static @Nullable PulledJob<Mail> ended(@Nullable PulledJob<Mail> job) {
		if (job != null) {
			job.end(JobResult.success());
		}
		return job;
	}

	/**
	 * A pull in a thread of its own, which ends the job at once.
	 */
	private record Pull(Thread thread, Future<PulledJob<Mail>> result) {

		PulledJob<Mail> soon() throws Exception {
			return this.result.get(WELL_BELOW.toMillis(), TimeUnit.MILLISECONDS);
		}

		void assertInterrupted() {
			assertThat(this.result).failsWithin(WELL_BELOW)
				.withThrowableThat()
				.withCauseInstanceOf(InterruptedException.class);
		}

	}

}
