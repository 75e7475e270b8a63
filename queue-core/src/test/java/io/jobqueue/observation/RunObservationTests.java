package io.jobqueue.observation;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.micrometer.observation.Observation;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an observer learns of an attempt.
 */
class RunObservationTests extends ObservationTestBase {

	@Test
	void attemptNamesItsJobAndItsOutcome() {
		JobReceipt receipt = working((mail, job) -> assertThat(job.headers()).containsKey("traceparent")).queue()
			.enqueue(MAIL);
		awaitState(receipt.id(), "SUCCEEDED");
		RunObservationContext run = this.recording.runs().get(0);
		assertThat(run.getCarrier()).containsEntry("traceparent", "00-1-2-01");
		assertThat(run.getName()).isEqualTo("jobqueue.process");
		assertThat(run.getContextualName()).isEqualTo("run emails");
		assertThat(keys(run.getLowCardinalityKeyValues())).containsOnly(Map.entry("messaging.system", "jobqueue"),
				Map.entry("messaging.operation.name", "run"), Map.entry("messaging.operation.type", "process"),
				Map.entry("queue", "emails"), Map.entry("type", "mail"), Map.entry("outcome", "succeeded"));
		assertThat(keys(run.getHighCardinalityKeyValues())).containsOnly(
				Map.entry("messaging.destination.name", "emails"),
				Map.entry("messaging.message.id", receipt.id().toString()), Map.entry("job.attempt", "1"));
	}

	@Test
	void eachAttemptIsObservedWithWhatItThrew() {
		JobReceipt receipt = working((mail, job) -> fail(job)).queue().enqueue(MAIL);
		awaitState(receipt.id(), "SUCCEEDED");
		List<RunObservationContext> runs = this.recording.runs();
		assertThat(runs).extracting((run) -> keys(run.getLowCardinalityKeyValues()).get("outcome"))
			.containsExactly("failed", "succeeded");
		assertThat(runs.get(0).getError()).isInstanceOf(IOException.class).hasMessage("attempt 1");
		assertThat(runs).extracting((run) -> keys(run.getHighCardinalityKeyValues()).get("job.attempt"))
			.containsExactly("1", "2");
	}

	@Test
	void callWithSeveralJobsStartsATrace() {
		producing().queue().enqueueAll(List.of(MAIL, MAIL, MAIL));
		QueueNode node = started((
				settings) -> settings.observations(this.registry).concurrency(1).claimsByFetcher().bean(new Batches()));
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == 2);
		JobReceipt alone = node.queue().enqueue(MAIL);
		awaitState(alone.id(), "SUCCEEDED");
		RunObservationContext several = this.recording.runs().get(0);
		assertThat(several.getCarrier()).isEmpty();
		assertThat(several.getContextualName()).isEqualTo("run emails");
		assertThat(several.getJobs()).hasSize(3).contains(several.getJob());
		assertThat(keys(several.getLowCardinalityKeyValues())).containsEntry("type", "mail")
			.containsEntry("outcome", "(several)");
		assertThat(keys(several.getHighCardinalityKeyValues())).containsOnly(
				Map.entry("messaging.destination.name", "emails"), Map.entry("messaging.batch.message_count", "3"));
		RunObservationContext single = this.recording.runs().get(1);
		assertThat(single.getCarrier()).containsEntry("traceparent", "00-1-2-01");
		assertThat(keys(single.getHighCardinalityKeyValues())).containsEntry("messaging.message.id",
				alone.id().toString());
	}

	@Test
	void pulledJobIsObservedOnceHandlersAreCalled() throws Exception {
		QueueNode node = started((settings) -> settings.observations(this.registry));
		node.queue().enqueue(JobRequest.of("pulled", new Mail("hi")));
		try (PulledJob<Mail> pulled = Objects
			.requireNonNull(node.puller().tryPull(JobSource.of("pulled", Mail.class)))) {
			pulled.run((mail, job) -> null);
		}
		assertThat(this.recording.runs()).singleElement()
			.satisfies((run) -> assertThat(run.getContextualName()).isEqualTo("run pulled"))
			.satisfies((run) -> assertThat(run.getQueueTag()).isEqualTo("(other)"));
	}

	@Test
	void endedObservationIsNoParent() {
		QueueNode node = producing();
		node.queue().enqueueAll(List.of(MAIL, MAIL, MAIL));
		assertThat(this.registry.getCurrentObservation()).isNull();
		started((settings) -> settings.observations(this.registry)
			.concurrency(1)
			.bean(new MailHandler((mail, job) -> fail(job))));
		await().until(() -> this.recording.runs().size() == 6);
		assertThat(this.recording.runs()).extracting(Observation.Context::getParentObservation).containsOnlyNulls();
	}

	@Test
	void attemptsShowTheResultOfTheirHandler() {
		Queue<JobResult> results = new ConcurrentLinkedQueue<>(List.of(JobResult.retryIn(Duration.ZERO),
				JobResult.snooze(Duration.ZERO), JobResult.fail("out of paper")));
		QueueNode node = started((settings) -> settings.observations(this.registry).bean(new Deciding(results)));
		awaitState(node.queue().enqueue(MAIL).id(), "DEAD");
		assertThat(this.recording.runs()).extracting((run) -> keys(run.getLowCardinalityKeyValues()).get("outcome"))
			.containsExactly("retry_in", "snoozed", "failed");
	}

	@Test
	void headersThatCannotBeReadFailNoAttempt() {
		QueueNode node = producing();
		JobReceipt receipt = node.queue().enqueue(MAIL);
		this.sql.sql("UPDATE jobqueue_job SET headers = 'by hand'").update();
		working((mail, job) -> {
		});
		awaitState(receipt.id(), "SUCCEEDED");
		assertThat(this.recording.runs()).singleElement().satisfies((run) -> assertThat(run.getCarrier()).isEmpty());
		assertThat(column("failures", receipt.id(), Integer.class)).isZero();
		assertThat(column("attempts", receipt.id(), Integer.class)).isOne();
	}

	private static void fail(JobContext job) throws IOException {
		if (job.attempt() == 1) {
			throw new IOException("attempt 1");
		}
	}

	/**
	 * Returns the given results.
	 *
	 * @param results the result of each attempt in turn
	 */
	record Deciding(Queue<JobResult> results) {

		@JobHandler(queue = "emails")
		public JobResult handle(Mail mail) {
			return this.results.remove();
		}

	}

	/**
	 * Refuses the first one of several.
	 */
	static final class Batches {

		@JobHandler(queue = "emails", batchSize = 10, batchWait = "500ms")
		List<JobResult> handle(List<Mail> mails) {
			List<JobResult> results = new ArrayList<>(Collections.nCopies(mails.size(), JobResult.success()));
			if (mails.size() > 1) {
				results.set(0, JobResult.fail("refused"));
			}
			return results;
		}

	}

}
