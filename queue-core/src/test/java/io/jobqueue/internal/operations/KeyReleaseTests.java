package io.jobqueue.internal.operations;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.Assert;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

/**
 * An idle worker is woken up for jobs that an operation makes ready: by retrying them, or
 * by removing the job that they wait for.
 */
@Tag("pooler") // signals
class KeyReleaseTests extends NodeTestBase {

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
	void jobBehindAnEndedOneRuns(Ending ending) {
		QueueNode node = started((settings) -> settings.pollInterval(HOUR).reaperInterval(HOUR).handler((mail, job) -> {
		}));
		UUID head = node.queue().enqueue(ORDERED.group("head").delay(HOUR)).id();
		UUID next = node.queue().enqueue(ORDERED).id();
		await().until(() -> count("jobqueue_job WHERE admission = 'ORDER'") == 1);
		ending.of(node.operations(), head);
		awaitState(next, "SUCCEEDED");
	}

	@ParameterizedTest
	@CsvSource({ "RETRYING,25", "DEAD,1" })
	void jobThatIsRetriedRuns(String state, int maxAttempts) {
		Set<UUID> failed = ConcurrentHashMap.newKeySet();
		QueueNode node = started((settings) -> settings.pollInterval(HOUR)
			.retryPolicy((failure) -> RetryDecision.retryIn(HOUR))
			.handler((mail, job) -> Assert.state(!failed.add(job.id()), "refused")));
		JobRequest request = JobRequest.of("emails", new Mail("hi")).maxAttempts(maxAttempts);
		UUID one = node.queue().enqueue(request).id();
		UUID other = node.queue().enqueue(request).id();
		awaitState(one, state);
		awaitState(other, state);
		node.operations().retry(one);
		awaitState(one, "SUCCEEDED");
		node.operations().bulk().retry(JobQuery.all());
		awaitState(other, "SUCCEEDED");
	}

	/**
	 * How the job that is waited for ends.
	 */
	@FunctionalInterface
	interface Ending {

		void of(JobOperations operations, UUID job);

	}

}
