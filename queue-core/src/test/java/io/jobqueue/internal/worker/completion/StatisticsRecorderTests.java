package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.JobResult;
import io.jobqueue.PriorityClass;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What workers record of their attempts.
 */
class StatisticsRecorderTests extends NodeTestBase {

	private final CountingDataSource counted = new CountingDataSource(this.database.directDataSource());

	private final PostgresStores stores = PostgresStores.of(this.counted, this.counted, null);

	private RunCounter counter = new RunCounter();

	private StatisticsRecorder recorder = recorder();

	@BeforeEach
	void beginWithoutCounts() {
		this.counter = new RunCounter();
		this.recorder = recorder();
		this.counted.sent().clear();
	}

	private StatisticsRecorder recorder() {
		return new StatisticsRecorder(UUID.randomUUID(), this.stores.statistics(), this.counter);
	}

	@Test
	void workerRecordsItsLastOutcomesWhenItStops() {
		QueueNode node = started((settings) -> settings.maxAttempts(2).handler((mail, job) -> {
			if (mail.text().equals("refused")) {
				throw new IllegalStateException("refused");
			}
		}));
		UUID succeeds = node.queue().enqueue(new Mail("")).id();
		UUID fails = node.queue().enqueue(new Mail("refused")).id();
		awaitState(succeeds, "SUCCEEDED");
		awaitState(fails, "DEAD");
		node.close();
		assertThat(recorded()).singleElement().satisfies((emails) -> {
			assertThat(List.of(emails.succeeded(), emails.failed(), emails.dead(), emails.cancelled()))
				.containsExactly(1L, 1L, 1L, 0L);
			assertThat(emails.runTimes().counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(3);
		});
	}

	@Test
	void nodesAreAddedUp() {
		List<QueueNode> nodes = List.of(emptyNode("first"), emptyNode("second"));
		for (int job = 0; job < 20; job++) {
			nodes.get(job % 2).queue().enqueue(new Mail(""));
		}
		await().until(() -> count("jobqueue_job") == 0);
		nodes.forEach(QueueNode::close);
		assertThat(recorded()).extracting(QueueStatistics::succeeded).containsExactly(20L);
	}

	@Test
	void idleNodeRecordsNothing() {
		emptyNode("idle").close();
		this.recorder.run();
		assertThat(this.counted.sent()).noneMatch((text) -> text.contains("INSERT INTO jobqueue_statistics"));
		assertThat(count("jobqueue_statistics")).isZero();
	}

	private QueueNode emptyNode(String name) {
		return node(settings(this.counted).name(name).listensOn(this.counted).handler((mail, job) -> {
		})).start();
	}

	@Test
	void pulledJobsAreRecorded() throws InterruptedException {
		QueueNode node = node(settings()).start();
		node.queue().enqueue("emails", new Mail(""));
		node.puller().pull("emails", Mail.class, Duration.ofSeconds(30)).end(JobResult.success());
		node.close();
		assertThat(recorded()).extracting(QueueStatistics::succeeded).containsExactly(1L);
	}

	@Test
	void crashLosesOnlyWhatWasCountedSinceTheLastRun() {
		count("emails", 10, 3);
		this.recorder.run();
		count("emails", 10, 2);
		count("emails", 99, 1);
		this.recorder.run();
		count("emails", 10, 7);
		assertThat(recorded()).extracting((each) -> each.priority() + " " + each.succeeded())
			.containsExactly("USER_VISIBLE 5", "REPORTING 1");
		assertThat(count("jobqueue_statistics")).isEqualTo(3);
	}

	/**
	 * One round trip, whose commit does not wait for the disk.
	 */
	@Test
	void queuesAreRecordedTogether() {
		count("emails", 10, 1);
		count("letters", 10, 1);
		this.recorder.run();
		assertThat(this.counted.sent()).singleElement().asString().contains("'synchronous_commit', 'off'");
		this.recorder.run();
		assertThat(this.counted.sent()).hasSize(1);
		assertThat(recorded()).extracting(QueueStatistics::queue).containsExactly("emails", "letters");
	}

	@Test
	void whatCouldNotBeRecordedIsPartOfTheNextRun() throws Exception {
		count("emails", 10, 1);
		try (OpenTransaction other = new OpenTransaction(this.database.directDataSource())) {
			other.sql().sql("LOCK TABLE jobqueue_statistics").update();
			assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this.recorder::run);
		}
		count("emails", 10, 2);
		this.recorder.run();
		assertThat(recorded()).extracting(QueueStatistics::succeeded).containsExactly(3L);
		assertThat(count("jobqueue_statistics")).isOne();
	}

	@Test
	void snoozedAttemptIsNotCounted() {
		QueueCounter snoozed = new QueueCounter();
		snoozed.add(RunOutcome.SNOOZED, Duration.ofMillis(1));
		QueueStatistics total = snoozed.total("emails", PriorityClass.EVENTUAL);
		assertThat(total.attempts()).isZero();
		assertThat(total.runTimes().counts()).isEmpty();
	}

	/**
	 * Let jobs succeed after 1 ms.
	 */
	private void count(String queue, int priority, int jobs) {
		ClaimedJob job = new ClaimedJobBuilder().queue(queue).priority(priority).build();
		Completion completion = new Completion(job, Completed.of(job, null, null), null, Duration.ofMillis(1));
		for (int number = 0; number < jobs; number++) {
			this.counter.recorded(List.of(completion),
					new CompletionResult(Set.of(job.id()), List.of(), Set.of(), Set.of()));
		}
	}

	private List<QueueStatistics> recorded() {
		StatisticsStore store = this.stores.statistics();
		return store.read(Duration.ofHours(1), Duration.ofDays(2), null)
			.stream()
			.map(StatisticsStore.StatisticsStep::statistics)
			.toList();
	}

}
