package io.jobqueue.performance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.jobqueue.JobOperations;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The operator log costs no round trip: its row is written by the statement of the
 * change.
 */
class OperatorLogGateTests extends NodeTestBase {

	private static final RecurringJobRequest DIGEST = RecurringJobRequest
		.of("digest", JobRequest.of("emails", new Mail("")))
		.cron("0 0 3 1 1 *");

	private static final JobRequest LATER = JobRequest.of("emails", new Mail("hi")).delay(Duration.ofHours(1));

	private final CountingDataSource counting = new CountingDataSource(this.pool);

	static Stream<Change> changes() {
		return Stream.of((store, job) -> store.cancel(job.waiting(), Duration.ofDays(1)),
				(store, job) -> store.cancel(job.running(), Duration.ofDays(1)),
				(store, job) -> store.delete(List.of(job.waiting())),
				(store, job) -> store.deleteArchived(List.of(job.archived())),
				(store, job) -> store.retry(List.of(job.retrying())),
				(store, job) -> store.revive(List.of(job.archived())),
				(store, job) -> store.replay(Map.of(job.archived(), UUID.randomUUID())),
				(store, job) -> store.release(job.blocked()),
				(store, job) -> store.reschedule(List.of(job.waiting()), Instant.EPOCH),
				(store, job) -> store.reprioritise(List.of(job.waiting()), 3));
	}

	@ParameterizedTest
	@MethodSource("changes")
	void loggedChangeIsOneRoundTrip(Change change) {
		PostgresStores stores = closeLater(PostgresStores.of(this.counting, null, null));
		Jobs jobs = new Jobs();
		assertThat(sent(() -> change.of(stores.operations(), jobs))).hasSize(1);
		assertThat(count("jobqueue_operator_log")).isZero();
		LoggedOperation operation = new LoggedOperation(UUID.randomUUID(), "change", null, "job", "alice", "why");
		assertThat(sent(() -> change.of(stores.operations().logging(operation), jobs))).hasSize(1);
		assertThat(count("jobqueue_operator_log WHERE affected = 1 AND ended_at IS NULL")).isOne();
	}

	private List<String> sent(Runnable operation) {
		this.counting.sent().clear();
		operation.run();
		return List.copyOf(this.counting.sent());
	}

	/**
	 * Before its change, an operation reads where the job is.
	 */
	@Test
	void roundTripsOfOperations() {
		QueueNode node = node(settings(this.counting));
		Jobs jobs = new Jobs();
		JobOperations operations = node.operations().because("it is broken");
		UUID keyed = node.queue().enqueue(LATER.key("k")).id();
		assertThat(sent(() -> operations.cancel("emails", "k"))).hasSize(3);
		assertThat(state(keyed)).isEqualTo("CANCELLED");
		assertThat(sent(() -> operations.cancel(jobs.running()))).hasSize(2);
		assertThat(sent(() -> operations.retry(jobs.archived()))).hasSize(2);
		assertThat(sent(() -> operations.reprioritise(jobs.waiting(), Priority.of(3)))).hasSize(1);
		assertThat(sent(() -> operations.pause("emails"))).hasSize(1);
		assertThat(sent(() -> operations.resume("emails"))).hasSize(1);
		assertThat(count("jobqueue_operator_log")).isEqualTo(6);
	}

	/**
	 * A saved schedule is locked before and read afterwards. BEGIN and COMMIT are those
	 * of the caller.
	 */
	@Test
	void roundTripsOfSchedules() {
		QueueNode node = node(settings(this.counting));
		RecurringJobs schedules = node.recurring();
		assertThat(sent(() -> schedules.save(DIGEST))).hasSize(3);
		assertThat(sent(() -> schedules.trigger("digest"))).hasSize(2);
		assertThat(sent(() -> schedules.delete("digest"))).hasSize(1);
		assertThat(count("jobqueue_operator_log")).isEqualTo(3);
	}

	/**
	 * A change of one job.
	 */
	interface Change {

		void of(OperationStore store, Jobs job);

	}

	/**
	 * Creates jobs in each state.
	 */
	private final class Jobs {

		private final QueueNode producer = producer();

		private final OperationStore unlogged = closeLater(
				PostgresStores.of(OperatorLogGateTests.this.pool, null, null))
			.operations();

		UUID waiting() {
			return this.producer.queue().enqueue(LATER).id();
		}

		UUID running() {
			return updated("locked_by = gen_random_uuid(), attempts = 1");
		}

		UUID retrying() {
			return updated("attempts = 1, failures = 1");
		}

		UUID archived() {
			UUID job = waiting();
			this.unlogged.cancel(job, Duration.ofDays(1));
			return job;
		}

		UUID blocked() {
			return this.producer.queue().enqueue(LATER.after(waiting())).id();
		}

		private UUID updated(String columns) {
			UUID job = waiting();
			OperatorLogGateTests.this.sql.sql("UPDATE jobqueue_job SET %s WHERE id = ?".formatted(columns))
				.param(job)
				.update();
			return job;
		}

	}

}
