package io.jobqueue.operations;

import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

/**
 * A worker with nothing to do hears of the jobs that run from now on, because an operator
 * took another one out of their way.
 */
class HandOverTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobRequest ORDERED = JobRequest.of("emails", new Mail("hi")).orderedBy("a");

	static Stream<Ending> endings() {
		JobQuery head = JobQuery.all().queue("emails").group("head");
		return Stream.of(JobOperations::cancel, JobOperations::delete,
				(operations, job) -> operations.bulk().cancel(head),
				(operations, job) -> operations.bulk().delete(head));
	}

	@ParameterizedTest
	@MethodSource("endings")
	void jobThatAnotherHeldUpRuns(Ending ending) {
		QueueNode node = started((settings) -> settings.pollInterval(HOUR).reaperInterval(HOUR).handler((mail, job) -> {
		}));
		UUID head = node.queue().enqueue(ORDERED.group("head").delay(HOUR)).id();
		UUID next = node.queue().enqueue(ORDERED).id();
		await().until(() -> count("jobqueue_job WHERE gate = 'ORDER'") == 1);
		ending.of(node.operations(), head);
		awaitState(next, "SUCCEEDED");
	}

	/**
	 * How the job that is waited for ends.
	 */
	@FunctionalInterface
	interface Ending {

		void of(JobOperations operations, UUID job);

	}

}
