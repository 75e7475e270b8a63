package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobOperations;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Changes of running jobs, and of jobs with a cancel request, are refused and change
 * nothing.
 */
class RefusedChangeTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	static Stream<Change> changes() {
		return Stream.of(JobOperations::retry, (operations, job) -> operations.reschedule(job, Instant.EPOCH),
				(operations, job) -> operations.reschedule(job, Instant.now().plus(HOUR)));
	}

	static Stream<Change> changesAndDeletion() {
		return Stream.concat(changes(), Stream.of(JobOperations::delete));
	}

	@ParameterizedTest
	@MethodSource("changesAndDeletion")
	void runningJobIsUnchanged(Change change) {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.handler((mail, job) -> release.await()));
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		awaitState(job, "RUNNING");
		assertRefused(node, change, job);
		release.countDown();
		awaitState(job, "SUCCEEDED");
	}

	/**
	 * Until the reaper cancels it.
	 */
	@ParameterizedTest
	@MethodSource("changes")
	void jobWithACancelRequestIsUnchanged(Change change) {
		QueueNode node = producer();
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true, attempts = 1").update();
		assertRefused(node, change, job);
	}

	private void assertRefused(QueueNode node, Change change, UUID job) {
		String before = row(job);
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> change.of(node.operations(), job))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.RUNNING));
		assertThat(row(job)).isEqualTo(before);
	}

	private String row(UUID job) {
		return this.sql.sql("SELECT to_jsonb(j)::text FROM jobqueue_job j WHERE id = ?")
			.param(job)
			.query(String.class)
			.single();
	}

	/**
	 * A change that is refused.
	 */
	@FunctionalInterface
	interface Change {

		void of(JobOperations operations, UUID job);

	}

}
