package io.jobqueue.operations;

import java.time.Duration;
import java.time.Instant;
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
import io.jobqueue.harness.NodeSettings;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pauses and resumes take effect within a second, on each kind of worker. Those in this
 * JVM have no heartbeat meanwhile: one hears signals, the other has to look. Each is
 * alone with the jobs: nobody takes them away from it.
 */
@Tag("alone")
class PauseInTimeTests extends NodeTestBase {

	private static final Duration OFTEN = Duration.ofMillis(200);

	private static final Duration NEVER = Duration.ofHours(1);

	private static final Duration PROMISED = Duration.ofSeconds(1);

	/**
	 * How much longer a busy machine may take to begin a job. That is no reason to begin
	 * one that is paused.
	 */
	private static final Duration NOISE = Duration.ofSeconds(2);

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
	void workerThatHearsSignalsIsInTime() {
		QueueNode worker = started((settings) -> noting(settings).listensOn(this.database.directDataSource()));
		await().until(() -> worker.remoteSignals().isHearing());
		pauseAndResume();
	}

	@Test
	void workerThatPollsIsInTime() {
		started(this::noting);
		pauseAndResume();
	}

	private NodeSettings noting(NodeSettings settings) {
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
		enqueueUntil(() -> !this.begun.isEmpty());
		this.operator.operations().pause("emails");
		Instant inTime = Instant.now().plus(PROMISED);
		enqueueUntil(() -> Instant.now().isAfter(inTime.plus(PROMISED)));
		assertThat(this.begun).allMatch(inTime::isAfter);
		this.begun.clear();
		this.operator.operations().resume("emails");
		Instant resumed = Instant.now();
		enqueueUntil(() -> !this.begun.isEmpty());
		assertThat(this.begun.element()).isBefore(resumed.plus(PROMISED).plus(NOISE));
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
