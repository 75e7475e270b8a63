package io.jobqueue.observation;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobContext;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What an observer learns, and what a job takes along for it.
 */
class ObservationTests extends NodeTestBase {

	private static final JobRequest MAIL = JobRequest.of("emails", new Mail("hi"));

	private final Recording recording = new Recording();

	private final ObservationRegistry registry = ObservationRegistry.create();

	@BeforeAll
	void listen() {
		this.registry.observationConfig().observationHandler(this.recording);
	}

	@BeforeEach
	void forget() {
		this.recording.contexts.clear();
		this.recording.headers = Map.of("traceparent", "00-1-2-01");
	}

	@Test
	void enqueueTellsWhatItAdds() {
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
	void namesThatNobodyDeclaresAreNoKeysOfLowCardinality() {
		producing().queue().enqueue(JobRequest.of("of-customer-4711", "hi").type("text-4711"));
		Observation.Context enqueued = this.recording.enqueued();
		assertThat(keys(enqueued.getLowCardinalityKeyValues())).containsEntry("queue", "(other)")
			.containsEntry("type", "(other)");
		assertThat(keys(enqueued.getHighCardinalityKeyValues())).containsEntry("messaging.destination.name",
				"of-customer-4711");
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

	@Test
	void attemptTellsItsJobAndHowItEnded() {
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
	void pulledJobIsObservedWhereItIsTold() throws Exception {
		QueueNode node = started((settings) -> settings.observations(this.registry));
		node.queue().enqueue(JobRequest.of("pulled", new Mail("hi")));
		try (PulledJob<Mail> pulled = Objects
			.requireNonNull(node.puller().tryPull(JobSource.of("pulled", Mail.class)))) {
			pulled.run((mail, job) -> null);
		}
		assertThat(this.recording.runs()).singleElement()
			.satisfies((run) -> assertThat(run.getContextualName()).isEqualTo("run pulled"));
	}

	@Test
	void headersThatCannotBeReadFailNoAttempt() {
		QueueNode node = producing();
		JobReceipt receipt = node.queue().enqueue(MAIL);
		this.sql.sql("UPDATE jobqueue_job SET headers = 'by hand'").update();
		working((mail, job) -> {
		});
		awaitState(receipt.id(), "SUCCEEDED");
		assertThat(this.recording.runs().get(0).getCarrier()).isEmpty();
	}

	private QueueNode producing() {
		return node(settings().observations(this.registry));
	}

	private QueueNode working(MailHandler.Behaviour behaviour) {
		return started((settings) -> settings.observations(this.registry).bean(new MailHandler(behaviour)));
	}

	private static void fail(JobContext job) throws IOException {
		if (job.attempt() == 1) {
			throw new IOException("attempt 1");
		}
	}

	private static Map<String, String> keys(KeyValues values) {
		return values.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
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
	 * Keeps what was observed, and writes headers as a tracer does.
	 */
	private static final class Recording implements ObservationHandler<Observation.Context> {

		private final List<Observation.Context> contexts = new CopyOnWriteArrayList<>();

		private volatile Map<String, String> headers = Map.of();

		@Override
		public void onStart(Observation.Context context) {
			if (context instanceof EnqueueObservationContext sender) {
				this.headers.forEach((name, value) -> sender.getSetter().set(sender.getCarrier(), name, value));
			}
		}

		@Override
		public void onStop(Observation.Context context) {
			this.contexts.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		EnqueueObservationContext enqueued() {
			assertThat(this.contexts).hasSize(1);
			return (EnqueueObservationContext) this.contexts.get(0);
		}

		List<RunObservationContext> runs() {
			return this.contexts.stream()
				.filter(RunObservationContext.class::isInstance)
				.map(RunObservationContext.class::cast)
				.toList();
		}

	}

}
