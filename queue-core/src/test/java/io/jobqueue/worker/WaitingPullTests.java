package io.jobqueue.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
import io.jobqueue.store.JobStore;

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
		QueueNode node = started((settings) -> settings.jobStore((store) -> after("claim", store, () -> {
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
		AtomicBoolean lost = new AtomicBoolean();
		QueueNode node = started((settings) -> settings.jobStore((store) -> after("claim", store, () -> {
			if (count("jobqueue_claim") > 0 && lost.compareAndSet(false, true)) {
				throw new DataAccessResourceFailureException("gone");
			}
		})));
		UUID id = enqueue(node);
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> node.puller().tryPull(MAILS));
		assertThat(lost).isTrue();
		awaitState(id, "READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
	}

	/**
	 * A heartbeat looks too.
	 */
	private static NodeSettings rarely(NodeSettings settings) {
		return settings.pollInterval(RARELY).timeout(Duration.ofMinutes(5));
	}

	private static JobStore after(String method, JobStore store, Runnable action) {
		return (JobStore) Proxy.newProxyInstance(JobStore.class.getClassLoader(), new Class<?>[] { JobStore.class },
				(proxy, called, arguments) -> {
					try {
						Object result = called.invoke(store, arguments);
						if (called.getName().equals(method)) {
							action.run();
						}
						return result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
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
		return Stream.of(thread.getStackTrace())
			.map(StackTraceElement::getClassName)
			.anyMatch((name) -> name.equals(Waiter.class.getName()) || name.equals(Semaphore.class.getName()));
	}

	private Pull pull(QueueNode node) {
		FutureTask<PulledJob<Mail>> result = new FutureTask<>(() -> ended(node.puller().pull(MAILS, LONG)));
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
