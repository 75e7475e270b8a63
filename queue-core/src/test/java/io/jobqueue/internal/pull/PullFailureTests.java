package io.jobqueue.internal.pull;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobRequest;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.store.ClusterLimits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What pulls that hang or fail mean to their jobs, and to others that pull.
 */
class PullFailureTests extends NodeTestBase {

	private static final JobSource<Mail> MAILS = JobSource.of("emails", Mail.class);

	private static final JobSource<Mail> BOTH = JobSource.firstOf(JobSource.of("others", Mail.class), MAILS);

	@Test
	void jobClaimedDuringTheInterruptIsReleased() throws Exception {
		CountDownLatch claimed = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.jobStore((store) -> StoreCalls.after("claim", store, () -> {
			claimed.countDown();
			awaitUninterruptibly(answer);
		})));
		UUID id = enqueue(node);
		PendingPull pull = pull(node);
		assertThat(claimed.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(state(id)).isEqualTo("RUNNING");
		pull.thread().interrupt();
		answer.countDown();
		pull.assertInterrupted();
		awaitState(id, "READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
	}

	@Test
	void jobCancelledDuringItsClaimIsNotReturned() {
		AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {
		});
		QueueNode node = started((settings) -> settings
			.jobStore((store) -> StoreCalls.after("claim", store, () -> meanwhile.getAndSet(() -> {
			}).run())));
		UUID id = enqueue(node);
		meanwhile.set(() -> assertThat(node.operations().cancel(id)).isEqualTo(CancelOutcome.REQUESTED));
		assertThat(node.puller().tryPull(MAILS)).isNull();
		awaitState(id, "CANCELLED");
	}

	@Test
	void jobOfALostClaimIsReleased() {
		QueueNode node = started(this::losing);
		UUID id = enqueue(node);
		loseAClaim(node);
		awaitState(id, "READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
	}

	/**
	 * The waiting pull does not get the job, but the failure.
	 */
	@Test
	void jobOfALostClaimGoesToAWaitingPull() throws Exception {
		QueueNode node = started(this::losing);
		PendingPull pull = pull(node).awaitWaiting();
		UUID id = enqueue(producer());
		loseAClaim(node);
		assertThat(pull.soon().context().id()).isEqualTo(id);
		assertThat(pull.soon().context().attempt()).isEqualTo(1);
	}

	@Test
	void jobOfALostClaimGoesToAPullThatWaitsForMore() throws Exception {
		QueueNode node = started(this::losing);
		PendingPull pull = pull(node, JobSource.firstOf(MAILS, JobSource.of("others", Mail.class))).awaitWaiting();
		UUID id = enqueue(producer());
		loseAClaim(node);
		assertThat(pull.soon().context().id()).isEqualTo(id);
	}

	private TestNodeSettings losing(TestNodeSettings settings) {
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

	/**
	 * Neither for others of the same source nor for those of another one.
	 */
	@Test
	void otherPullsDoNotWaitForAPullThatHangs() throws Exception {
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
		PendingPull hanging = pull(node);
		try {
			assertThat(claims.await(30, TimeUnit.SECONDS)).isTrue();
			PendingPull interrupted = pull(node);
			await().until(() -> interrupted.isIn(ReentrantLock.class));
			interrupted.thread().interrupt();
			interrupted.assertInterrupted();
			long start = System.nanoTime();
			assertThat(node.puller().pull(MAILS, Duration.ofMillis(300))).isNull();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PendingPull.WELL_BELOW);
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
		PendingPull pull;
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

	@Test
	void failingAdmissionsOfAQueueDelayNoOther() {
		refuseUpdatesOfOthers();
		QueueNode node = started(PullFailureTests::rarely);
		node.queue().enqueue(JobRequest.of("others", new Mail("hi")).orderedBy("key"));
		node.queue().enqueue(JobRequest.of("others", new Mail("hi")).orderedBy("key"));
		UUID id = enqueue(node);
		PulledJob<Mail> pulled = node.puller().tryPull(BOTH);
		assertThat(pulled).isNotNull();
		assertThat(pulled.context().id()).isEqualTo(id);
		pulled.close();
		assertThat(tries()).isPositive();
	}

	/**
	 * After eight tries, the ninth is at least six seconds away.
	 */
	@Test
	void failingQueueIsNotTriedAtEachPull() {
		refuseUpdatesOfOthers();
		QueueNode node = started(PullFailureTests::rarely);
		node.queue().enqueue("others", new Mail("hi"));
		enqueue(node);
		for (int look = 0; look < 40; look++) {
			PulledJob<Mail> pulled = node.puller().tryPull(BOTH);
			assertThat(pulled).isNotNull();
			pulled.close();
		}
		assertThat(tries()).isBetween(1L, 20L);
	}

	/**
	 * The caller of a source of one queue gets each failure.
	 */
	@Test
	void failureOfTheOnlyQueueIsThrownEachTime() {
		refuseUpdatesOfOthers();
		QueueNode node = started(PullFailureTests::rarely);
		node.queue().enqueue("others", new Mail("hi"));
		IntStream.range(0, 3)
			.forEach((time) -> assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> node.puller().tryPull(JobSource.of("others", Mail.class))));
	}

	/**
	 * A sequence counts what is rolled back, too.
	 */
	private void refuseUpdatesOfOthers() {
		this.sql.sql("""
				CREATE SEQUENCE tries;
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN
				    PERFORM nextval('tries');
				    RAISE EXCEPTION 'not today';
				END $$;
				CREATE TRIGGER refuse BEFORE UPDATE ON jobqueue_job FOR EACH ROW WHEN (OLD.queue = 'others')
				EXECUTE FUNCTION refuse()
				""").update();
	}

	private long tries() {
		return this.sql.sql("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM tries")
			.query(Long.class)
			.single();
	}

	@AfterEach
	void takeUpdatesAgain() {
		this.sql.sql("DROP SEQUENCE IF EXISTS tries; DROP FUNCTION IF EXISTS refuse() CASCADE").update();
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

	/**
	 * Neither polls nor heartbeats are to help.
	 */
	private static TestNodeSettings rarely(TestNodeSettings settings) {
		return settings.pollInterval(Duration.ofMinutes(2)).timeout(Duration.ofMinutes(5));
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private PendingPull pull(QueueNode node) {
		return pull(node, MAILS);
	}

	private PendingPull pull(QueueNode node, JobSource<Mail> source) {
		PendingPull pull = PendingPull.begin(node, source);
		closeLater(pull::end);
		return pull;
	}

}
