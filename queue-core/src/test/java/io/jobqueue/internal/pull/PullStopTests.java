package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What a stop of the application means to those who pull.
 */
@Tag("slow") // stops that wait for claims and handlers for seconds
class PullStopTests extends NodeTestBase {

	private static final Duration WELL_BELOW = Duration.ofSeconds(30);

	@Test
	void waitingPullEndsWithoutAJobAndFurtherOnesAreRefused() throws Exception {
		QueueNode node = started((settings) -> settings);
		FutureTask<PulledJob<Mail>> pull = new FutureTask<>(
				() -> node.puller().pull("emails", Mail.class, Duration.ofMinutes(1)));
		new Thread(pull).start();
		await().until(() -> count("jobqueue_worker") > 0);
		node.puller().stop();
		assertThat(pull.get(WELL_BELOW.toMillis(), TimeUnit.MILLISECONDS)).isNull();
		assertThat(count("jobqueue_worker")).isZero();
		assertRefused(node);
	}

	@Test
	void nothingIsPulledBeforeTheStart() {
		assertRefused(producer());
	}

	private static void assertRefused(QueueNode node) {
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> node.puller().tryPull("emails", Mail.class))
			.withMessageContaining("not running");
	}

	@Test
	void pullsGoOnAfterAnotherStart() {
		QueueNode node = started((settings) -> settings);
		assertThat(node.puller().tryPull("emails", Mail.class)).isNull();
		node.puller().stop();
		node.puller().start();
		UUID id = enqueue(node);
		pull(node).end(JobResult.success());
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void jobThatIsNotEndedInTimeIsReleasedUncounted() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.shutdownTimeout(Duration.ofMillis(200)));
			UUID id = enqueue(node);
			PulledJob<Mail> job = pull(node);
			node.puller().stop();
			assertThat(state(id)).isEqualTo("READY");
			assertThat(column("attempts", id, Integer.class)).isZero();
			assertThat(log.messages("is stopping; waiting up to 200ms for 1 pulled job to be ended")).hasSize(1);
			assertThat(log.messages("was pulled but not ended; it is released")).hasSize(1);
			assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.end(JobResult.success()));
			job.close();
		}
	}

	@Test
	void jobThatIsEndedInTimeCounts() throws Exception {
		QueueNode node = started((settings) -> settings.shutdownTimeout(Duration.ofMinutes(2)));
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		FutureTask<Void> stop = new FutureTask<>(node.puller()::stop, null);
		new Thread(stop).start();
		await().until(() -> !node.puller().isRunning());
		job.end(JobResult.success());
		stop.get(WELL_BELOW.toMillis(), TimeUnit.MILLISECONDS);
		assertThat(state(id)).isEqualTo("SUCCEEDED");
		assertThat(count("jobqueue_worker")).isZero();
	}

	@Test
	void stopThatReleasesDoesNotWait() {
		QueueNode node = started((settings) -> settings.releaseOnStop().shutdownTimeout(Duration.ofMinutes(2)));
		UUID id = enqueue(node);
		pull(node);
		long start = System.nanoTime();
		node.puller().stop();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(WELL_BELOW);
		assertThat(state(id)).isEqualTo("READY");
	}

	/**
	 * By then, no outcome is written any more.
	 */
	@Test
	void jobThatIsClaimedLateIsReleasedUncounted() throws Exception {
		SlowClaim slow = new SlowClaim();
		QueueNode node = started(slow::slowing);
		UUID id = enqueue(node);
		FutureTask<@Nullable PulledJob<Mail>> pull = slow.begin(node);
		FutureTask<Void> stop = new FutureTask<>(node.puller()::stop, null);
		Thread stopping = new Thread(stop);
		stopping.start();
		await().until(() -> isReleasing(stopping));
		slow.end.countDown();
		stop.get(30, TimeUnit.SECONDS);
		assertThat(pull.get(30, TimeUnit.SECONDS)).isNull();
		assertThat(state(id)).isEqualTo("READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
		assertThat(column("failures", id, Integer.class)).isZero();
		assertThat(count("jobqueue_claim")).isZero();
	}

	/**
	 * The interval between heartbeats is 1 ns, which the executor of background tasks
	 * rejects after the first threads have started.
	 */
	@Test
	void pullerThatCannotStartLeavesNoThreadBehind() {
		QueueNode node = started((settings) -> settings.name("failing").serves("none").timeout(Duration.ofNanos(3)));
		assertThatIllegalArgumentException().isThrownBy(() -> node.puller().tryPull("emails", Mail.class));
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.getName().startsWith("jobqueue@failing-pull-")));
	}

	private static boolean isReleasing(Thread thread) {
		return Stream.of(thread.getStackTrace()).anyMatch((call) -> call.getMethodName().equals("leave"));
	}

	@Test
	void stopDoesNotWaitForAClaimThatHangs() throws Exception {
		SlowClaim slow = new SlowClaim();
		QueueNode node = started(slow::slowing);
		UUID id = enqueue(node);
		FutureTask<@Nullable PulledJob<Mail>> pull = slow.begin(node);
		try {
			FutureTask<Void> stop = new FutureTask<>(node.puller()::stop, null);
			new Thread(stop).start();
			stop.get(30, TimeUnit.SECONDS);
		}
		finally {
			slow.end.countDown();
		}
		assertThat(pull.get(30, TimeUnit.SECONDS)).isNull();
		assertThat(state(id)).isEqualTo("READY");
		assertThat(count("jobqueue_worker")).isZero();
	}

	@Test
	void jobClaimedDuringTheStopIsReleasedUncounted() throws Exception {
		SlowClaim slow = new SlowClaim();
		QueueNode node = started(slow::slowingAnswers);
		UUID id = node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).maxAttempts(1)).id();
		FutureTask<@Nullable PulledJob<Mail>> pull = slow.begin(node);
		try {
			node.puller().stop();
			PostgresStores.of(this.pool, null, null).maintenance().reap(null);
			assertThat(state(id)).isEqualTo("RUNNING");
		}
		finally {
			slow.end.countDown();
		}
		assertThat(pull.get(30, TimeUnit.SECONDS)).isNull();
		assertThat(state(id)).isEqualTo("READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
		assertThat(column("failures", id, Integer.class)).isZero();
		assertThat(count("jobqueue_worker")).isZero();
	}

	/**
	 * The thread that pulls deregisters the worker then.
	 */
	@Test
	void lateDeregistrationCommitsNothingOfTheCaller() throws Exception {
		SlowClaim slow = new SlowClaim();
		QueueNode node = node(slow.slowingAnswers(settings(new TransactionAwareDataSourceProxy(this.pool)))).start();
		UUID id = enqueue(node);
		FutureTask<Boolean> pull = slow.begin(() -> node.transaction().execute((status) -> {
			enqueue(node);
			status.setRollbackOnly();
			return node.puller().tryPull("emails", Mail.class) != null;
		}));
		try {
			node.puller().stop();
		}
		finally {
			slow.end.countDown();
		}
		assertThat(pull.get(30, TimeUnit.SECONDS)).isFalse();
		assertThat(count("jobqueue_worker")).isZero();
		assertThat(this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list()).containsExactly(id);
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private static PulledJob<Mail> pull(QueueNode node) {
		PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
		assertThat(job).isNotNull();
		return job;
	}

	/**
	 * A claim that waits for its connection.
	 */
	private static final class SlowClaim {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		TestNodeSettings slowing(TestNodeSettings settings) {
			return settings.jobStore((store) -> StoreCalls.before("claim", store, this::await));
		}

		TestNodeSettings slowingAnswers(TestNodeSettings settings) {
			return settings.jobStore((store) -> StoreCalls.after("claim", store, this::await));
		}

		private void await() {
			this.begun.countDown();
			try {
				this.end.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		FutureTask<@Nullable PulledJob<Mail>> begin(QueueNode node) throws InterruptedException {
			return begin(() -> node.puller().tryPull("emails", Mail.class));
		}

		<T extends @Nullable Object> FutureTask<T> begin(Callable<T> pulling) throws InterruptedException {
			FutureTask<T> pull = new FutureTask<>(pulling);
			new Thread(pull).start();
			assertThat(this.begun.await(30, TimeUnit.SECONDS)).isTrue();
			return pull;
		}

	}

}
