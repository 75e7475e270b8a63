package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeMain;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pauses and resumes take effect within a second, on each kind of worker. Those in this
 * JVM send no heartbeat meanwhile: one receives signals, the other polls. Each is the
 * only worker, so that no other one claims its jobs.
 */
@Tag("alone") // measures the time that a pause takes
@Tag("slow") // starts JVMs
@Tag("pooler") // signals
class PauseInTimeTests extends NodeTestBase {

	private static final Duration OFTEN = Duration.ofMillis(200);

	private static final Duration NEVER = Duration.ofHours(1);

	private static final Duration PROMISED = Duration.ofSeconds(1);

	/**
	 * A busy machine may be late, but not each time.
	 */
	private static final int ROUNDS = 5;

	/**
	 * When jobs began. The worker of an earlier test may still add to its own.
	 */
	private Queue<Instant> begun = new ConcurrentLinkedQueue<>();

	private QueueNode operator;

	@BeforeEach
	void startOperator() {
		this.begun = new ConcurrentLinkedQueue<>();
		this.operator = started((settings) -> settings.unpooled(this.database.directDataSource()));
	}

	@Test
	void workerWithSignalsIsInTime() {
		QueueNode worker = started((settings) -> noting(settings).listensOn(this.database.directDataSource()));
		await().until(() -> worker.remoteSignals().isConnected());
		pauseAndResume();
	}

	@Test
	void workerThatPollsIsInTime() {
		started(this::noting);
		pauseAndResume();
	}

	private TestNodeSettings noting(TestNodeSettings settings) {
		Queue<Instant> beginnings = this.begun;
		return settings.name("worker")
			.pollInterval(OFTEN)
			.timeout(NEVER.multipliedBy(4))
			.handler((mail, job) -> beginnings.add(Instant.now()));
	}

	@Test
	void workerOfAnotherJvmIsInTime() {
		ChildJvm distant = closeLater(NodeMain.start(this.database, "distant", OFTEN));
		Queue<Instant> beginnings = this.begun;
		CompletableFuture<Void> unused = CompletableFuture
			.runAsync(() -> Stream.generate(() -> distant.awaitLine("BEGIN", NEVER))
				.forEach((line) -> beginnings.add(Instant.now())));
		pauseAndResume();
	}

	private void pauseAndResume() {
		List<Duration> delays = new ArrayList<>();
		while (delays.size() < ROUNDS && delays.stream().noneMatch(PauseInTimeTests::isInTime)) {
			delays.add(delayOfPauseOrResume());
		}
		assertThat(delays).as("Delays of a pause or a resume").anyMatch(PauseInTimeTests::isInTime);
	}

	private static boolean isInTime(Duration delay) {
		return delay.compareTo(PROMISED) <= 0;
	}

	private Duration delayOfPauseOrResume() {
		enqueueUntil(() -> !this.begun.isEmpty());
		this.operator.operations().pause("emails");
		Instant paused = Instant.now();
		enqueueUntil(() -> !last().plus(PROMISED).isAfter(Instant.now()));
		Duration ofPause = Duration.between(paused, last());
		this.begun.clear();
		this.operator.operations().resume("emails");
		Instant resumed = Instant.now();
		enqueueUntil(() -> !this.begun.isEmpty());
		Duration ofResume = Duration.between(resumed, this.begun.element());
		return (ofPause.compareTo(ofResume) > 0) ? ofPause : ofResume;
	}

	private Instant last() {
		return this.begun.stream().max(Instant::compareTo).orElseThrow();
	}

	/**
	 * There is always something to begin.
	 */
	private void enqueueUntil(BooleanSupplier condition) {
		await().until(() -> {
			this.operator.queue().enqueue("emails", new Mail("hi"));
			return condition.getAsBoolean();
		});
	}

}
