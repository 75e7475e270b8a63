package io.jobqueue.observation;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.UnexpectedRollbackException;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What an observer learns of a call that enqueues, and what its jobs take along.
 */
class EnqueueObservationTests extends ObservationTestBase {

	@Test
	void enqueueReturnsWhatItAdds() {
		JobReceipt receipt = producing().queue().enqueue(MAIL);
		Observation.Context enqueued = this.recording.enqueued();
		assertThat(enqueued.getName()).isEqualTo("jobqueue.send");
		assertThat(enqueued.getContextualName()).isEqualTo("enqueue emails");
		assertThat(keys(enqueued.getLowCardinalityKeyValues())).containsOnly(Map.entry("messaging.system", "jobqueue"),
				Map.entry("messaging.operation.name", "enqueue"), Map.entry("messaging.operation.type", "send"),
				Map.entry("queue", "emails"), Map.entry("type", "mail"), Map.entry("outcome", "added"));
		assertThat(keys(enqueued.getHighCardinalityKeyValues())).containsOnly(
				Map.entry("messaging.destination.name", "emails"),
				Map.entry("messaging.message.id", receipt.id().toString()));
	}

	@Test
	void allJobsOfACallShareOneObservation() {
		producing().queue().enqueueAll(List.of(MAIL, MAIL, JobRequest.of("others", new Mail("hi"))));
		Observation.Context enqueued = this.recording.enqueued();
		assertThat(keys(enqueued.getLowCardinalityKeyValues())).containsEntry("queue", "(several)")
			.containsEntry("type", "mail");
		assertThat(keys(enqueued.getHighCardinalityKeyValues())).containsEntry("messaging.batch.message_count", "3")
			.doesNotContainKey("messaging.message.id");
		assertThat(this.sql.sql("SELECT headers FROM jobqueue_job").query(String.class).list()).hasSize(3)
			.allSatisfy((headers) -> assertThat(headers).contains("00-1-2-01"));
	}

	@Test
	void undeclaredNamesAreNoKeysOfLowCardinality() {
		producing().queue().enqueue(JobRequest.of("of-customer-4711", "hi").type("text-4711"));
		Observation.Context enqueued = this.recording.enqueued();
		assertThat(keys(enqueued.getLowCardinalityKeyValues())).containsEntry("queue", "(other)")
			.containsEntry("type", "(other)");
		assertThat(keys(enqueued.getHighCardinalityKeyValues())).containsEntry("messaging.destination.name",
				"of-customer-4711");
	}

	@Test
	void typesOfUnhandledClassesAreBounded() {
		producing().queue().enqueue(new Unhandled("hi"));
		assertThat(keys(this.recording.enqueued().getLowCardinalityKeyValues())).containsEntry("type", "Unhandled");
	}

	@Test
	void severalTypesAreNone() {
		producing().queue()
			.enqueueAll(List.of(JobRequest.of("hi").type("text-4711"), JobRequest.of("hi").type("text-4712")));
		assertThat(keys(this.recording.enqueued().getLowCardinalityKeyValues())).containsEntry("type", "(several)");
	}

	@Test
	void duplicateIsObservedToo() {
		QueueNode node = producing();
		JobReceipt first = node.queue().enqueue(MAIL.key("one"));
		this.recording.contexts.clear();
		node.queue().enqueue(MAIL.key("one"));
		Observation.Context enqueued = this.recording.enqueued();
		assertThat(keys(enqueued.getLowCardinalityKeyValues())).containsEntry("outcome", "already_waiting");
		assertThat(keys(enqueued.getHighCardinalityKeyValues())).containsEntry("messaging.message.id",
				first.id().toString());
	}

	@Test
	void rejectionIsItsError() {
		QueueNode node = producing();
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> node.queue().enqueue(JobRequest.of("no name", new Mail("hi"))));
		Observation.Context enqueued = this.recording.enqueued();
		assertThat(enqueued.getError()).isInstanceOf(JobRejectedException.class);
		assertThat(keys(enqueued.getLowCardinalityKeyValues())).containsEntry("queue", "none")
			.containsEntry("outcome", "none");
	}

	@Test
	void rollbackTakesTheJobAndLeavesTheObservation() {
		QueueNode node = producing();
		node.transaction().executeWithoutResult((status) -> {
			node.queue().enqueue(MAIL);
			status.setRollbackOnly();
		});
		assertThat(this.recording.enqueued().getError()).isNull();
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void whatAnInterceptorAddsTakesTheContextAlong() {
		QueueNode node = node(settings().observations(this.registry).bean(new Doubling()));
		node.queue().enqueue(MAIL);
		assertThat(this.sql.sql("SELECT headers FROM jobqueue_job").query(String.class).list()).hasSize(2)
			.allSatisfy((headers) -> assertThat(headers).contains("00-1-2-01"));
	}

	@Test
	void contextReplacesAHeaderOfItsName() {
		JobReceipt receipt = producing().queue()
			.enqueue(MAIL.header("traceparent", "of my own").header("tenant", "acme"));
		assertThat(column("headers", receipt.id(), String.class)).contains("00-1-2-01", "acme")
			.doesNotContain("of my own");
	}

	@Test
	void whatCannotBeStoredRefusesNoJob() {
		this.recording.headers = Map.of("baggage", "a\0b\uD800", "jobqueue.mdc.tenant", "forged");
		JobReceipt receipt = producing().queue().enqueue(MAIL);
		assertThat(column("headers", receipt.id(), String.class)).contains("a\uFFFDb?").doesNotContain("forged");
	}

	/**
	 * The observation stops after the write.
	 */
	@Test
	void callerWhoseObservationFailedCannotCommit() {
		ObservationRegistry failing = ObservationRegistry.create();
		failing.observationConfig().observationHandler(new FailingStop());
		QueueNode node = node(settings().observations(failing).bean(new Doubling()));
		assertThatExceptionOfType(UnexpectedRollbackException.class).isThrownBy(() -> node.transaction()
			.executeWithoutResult((status) -> assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> node.queue().enqueue(MAIL))));
		assertThat(count("jobqueue_job")).isZero();
	}

	private record Unhandled(String text) {
	}

	/**
	 * Adds a job to each call.
	 */
	private static final class Doubling implements JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			return next.apply(List.of(requests.get(0), MAIL)).subList(0, 1);
		}

	}

	/**
	 * Fails when an observation stops.
	 */
	private static final class FailingStop implements ObservationHandler<Observation.Context> {

		@Override
		public void onStop(Observation.Context context) {
			throw new IllegalStateException("no exporter");
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
