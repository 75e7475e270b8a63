package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
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
 * What ends the wait of a pull.
 */
class WaitingPullTests extends NodeTestBase {

	private static final Duration RARELY = Duration.ofMinutes(2);

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final JobSource<Mail> MAILS = JobSource.of("emails", Mail.class);

	@Test
	void emptyPullReturnsAfterItsTimeAndNotBefore() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		assertThat(node.puller().tryPull(MAILS)).isNull();
		long start = System.nanoTime();
		assertThat(node.puller().pull(MAILS, Duration.ofMillis(700))).isNull();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(700),
				PendingPull.WELL_BELOW);
		assertThat(node.puller().pull(MAILS, Duration.ZERO)).isNull();
		assertThat(node.puller().pull(MAILS, Duration.ofSeconds(-1))).isNull();
	}

	@Test
	void commitInThisJvmEndsTheWait() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		PendingPull pull = waiting(node);
		UUID id = enqueue(node);
		assertThat(pull.soon().context().id()).isEqualTo(id);
	}

	@Test
	void commitOnAnotherNodeEndsTheWait() throws Exception {
		QueueNode node = started((settings) -> rarely(settings).listensOn(this.database.directDataSource()));
		QueueNode other = started((settings) -> settings.unpooled(this.database.dataSource()));
		await().until(() -> node.remoteSignals().isConnected());
		PendingPull pull = waiting(node);
		UUID id = enqueue(other);
		assertThat(pull.soon().context().id()).isEqualTo(id);
	}

	@Test
	void delayedJobEndsTheWaitWhenItIsDue() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		PendingPull pull = waiting(node);
		node.queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(Duration.ofMillis(500)));
		assertThat(pull.soon().payload()).isEqualTo(new Mail("hi"));
	}

	@Test
	void lostSignalCostsOnePoll() throws Exception {
		AtomicInteger polls = new AtomicInteger();
		AtomicReference<UUID> id = new AtomicReference<>();
		QueueNode other = producer();
		QueueNode node = started((settings) -> rarely(settings).pollInterval(Duration.ofSeconds(1))
			.jobStore((jobs) -> StoreCalls.before("scanBacklog", jobs, () -> {
				if (polls.incrementAndGet() == 3) {
					id.set(enqueue(other));
				}
			})));
		assertThat(pull(node).soon().context().id()).isEqualTo(id.get());
		assertThat(polls).hasValue(3);
	}

	/**
	 * Before it sleeps, the pull claims once in each of its first two polls, and once
	 * more in its turn to wait.
	 */
	@Test
	void pullThatFindsNothingDoesNotWakeItself() throws Exception {
		Collection<Thread> claims = new ConcurrentLinkedQueue<>();
		QueueNode node = started((settings) -> rarely(settings).limits(new ClusterLimits(1, null))
			.jobStore((jobs) -> StoreCalls.after("claim", jobs, () -> claims.add(Thread.currentThread()))));
		enqueue(node);
		UUID waits = enqueue(node);
		PulledJob<Mail> first = node.puller().tryPull(JobSource.firstOf(MAILS, JobSource.of("others", Mail.class)));
		assertThat(first).isNotNull();
		PendingPull pull = pull(node);
		await().until(() -> claims.stream().filter(pull.thread()::equals).count() >= 3);
		pull.awaitWaiting();
		first.end(JobResult.success());
		assertThat(pull.soon().context().id()).isEqualTo(waits);
		assertThat(claims).filteredOn(pull.thread()::equals).hasSize(4);
	}

	@Test
	void releasedJobEndsTheWait() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		enqueue(node);
		PulledJob<Mail> first = node.puller().tryPull(MAILS);
		assertThat(first).isNotNull();
		PendingPull pull = waiting(node);
		first.close();
		assertThat(pull.soon().context().id()).isEqualTo(first.context().id());
	}

	@Test
	void eachOfManyWaitingPullsGetsAJob() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		List<PendingPull> pulls = Stream.generate(() -> pull(node)).limit(6).toList();
		pulls.forEach(PendingPull::awaitWaiting);
		node.queue()
			.enqueueAll(IntStream.range(0, 6).mapToObj((mail) -> JobRequest.of("emails", new Mail("hi"))).toList());
		for (PendingPull pull : pulls) {
			pull.soon();
		}
		assertThat(count("jobqueue_archive")).isEqualTo(6);
	}

	/**
	 * The second one in the line becomes the first.
	 */
	@Test
	void interruptEndsOnlyItsOwnPull() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		PendingPull first = waiting(node);
		PendingPull second = waiting(node);
		first.thread().interrupt();
		first.assertInterrupted();
		UUID id = enqueue(node);
		assertThat(second.soon().context().id()).isEqualTo(id);
	}

	@Test
	void interruptEndsTheWaitAndClaimsNothing() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		PendingPull pull = waiting(node);
		UUID before = enqueue(producer());
		pull.thread().interrupt();
		pull.assertInterrupted();
		UUID after = enqueue(node);
		for (UUID id : List.of(before, after)) {
			assertThat(state(id)).isEqualTo("READY");
			assertThat(column("attempts", id, Integer.class)).isZero();
		}
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
	void waitingPullLearnsDueJobsFromOtherPulls() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		PendingPull pull = waiting(node);
		List<UUID> ids = List.of(enqueue(producer()), enqueue(producer()));
		try (PulledJob<Mail> other = node.puller().tryPull(MAILS)) {
			assertThat(other).isNotNull();
			assertThat(pull.soon().context().id()).isIn(ids);
		}
	}

	@Test
	@Tag("slow") // waits for a delay
	void waitingPullLearnsLaterDueTimesFromOtherPulls() throws Exception {
		QueueNode node = started(WaitingPullTests::rarely);
		PendingPull pull = waiting(node);
		producer().queue().enqueue(JobRequest.of("emails", new Mail("hi")).delay(Duration.ofSeconds(2)));
		assertThat(node.puller().tryPull(MAILS)).isNull();
		assertThat(pull.soon().payload()).isEqualTo(new Mail("hi"));
	}

	/**
	 * A heartbeat looks too.
	 */
	private static TestNodeSettings rarely(TestNodeSettings settings) {
		return settings.pollInterval(RARELY).timeout(Duration.ofMinutes(5));
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private PendingPull waiting(QueueNode node) {
		return pull(node).awaitWaiting();
	}

	private PendingPull pull(QueueNode node) {
		PendingPull pull = PendingPull.begin(node, MAILS);
		closeLater(pull::end);
		return pull;
	}

}
