package io.jobqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.module.SimpleModule;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.jobqueue.Batch;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobJsonMapperCustomizer;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.test.TestApplication.Mail;

import static io.jobqueue.test.JobAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

class RecordingJobQueueTests {

	private final RecordingJobQueue queue = new RecordingJobQueue();

	@Test
	void recordsRequests() {
		assertThat(this.queue).nothingEnqueued();
		assertThat(this.queue.enqueue(new Mail("ada")).accepted()).isTrue();
		this.queue.enqueueAll(List.of(JobRequest.of("other", new Mail("grace")).delay(Duration.ofHours(1))));
		assertThat(this.queue).enqueued(Mail.class).withPayload(new Mail("ada")).onQueue("emails").once();
		assertThat(this.queue).enqueued(Mail.class).onQueue("other").after(Duration.ofHours(1)).once();
		assertThat(this.queue.requests()).hasSize(2);
	}

	@Test
	void writesPayloadsAsTheJobQueueDoes() {
		ZonedDateTime begin = ZonedDateTime.parse("2026-03-01T08:00:00+09:00[Asia/Tokyo]");
		RecordingJobQueue custom = new RecordingJobQueue(
				(json) -> json.propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE));
		this.queue.enqueue(new Shift(begin));
		custom.enqueue(new Shift(begin));
		assertThat(this.queue.enqueued()).extracting(EnqueuedJob::payload)
			.containsExactly("{\"firstBegin\":\"2026-03-01T08:00:00+09:00[Asia/Tokyo]\"}");
		assertThat(custom.enqueued()).extracting(EnqueuedJob::payload)
			.containsExactly("{\"first-begin\":\"2026-03-01T08:00:00+09:00[Asia/Tokyo]\"}");
	}

	@Test
	void beanTakesCustomizersThatAreBeans() {
		JobJsonMapperCustomizer module = (json) -> json
			.addModule(new SimpleModule().setMixInAnnotation(Mail.class, RenamedMail.class));
		assertThat(payloadOfBean((context) -> {
		})).isEqualTo("{\"recipient\":\"ada\"}");
		assertThat(payloadOfBean((context) -> context.registerBean(JobJsonMapperCustomizer.class, () -> module)))
			.isEqualTo("{\"to\":\"ada\"}");
	}

	private static String payloadOfBean(Consumer<AnnotationConfigApplicationContext> beans) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(RecordingJobQueue.class);
			beans.accept(context);
			context.refresh();
			RecordingJobQueue bean = context.getBean(RecordingJobQueue.class);
			bean.enqueue(new Mail("ada"));
			return bean.enqueued().get(0).payload();
		}
	}

	@Test
	void keepsRequestsWithTheirIds() {
		UUID mail = this.queue.enqueue(new Mail("ada")).id();
		UUID next = this.queue.enqueue(JobRequest.of(new Mail("bob")).after(mail)).id();
		assertThat(this.queue.requestsById()).containsExactly(entry(mail, JobRequest.of(new Mail("ada"))),
				entry(next, JobRequest.of(new Mail("bob")).after(mail)));
	}

	@Test
	void forgetsRequests() {
		this.queue.enqueue(new Mail("ada"));
		this.queue.clear();
		assertThat(this.queue).nothingEnqueued();
		assertThat(this.queue.requests()).isEmpty();
	}

	@Test
	void recordsBatches() {
		Batch batch = this.queue.batch("import").then(new Mail("then")).onFailure(new Mail("failure")).start();
		assertThat(this.queue.batch(batch.id()).add(List.of(new Mail("ada"), new Mail("bob")))).hasSize(2);
		batch.seal();
		assertThat(this.queue.requests()).extracting(JobRequest::payload)
			.containsExactly(new Mail("then"), new Mail("failure"), new Mail("ada"), new Mail("bob"));
		assertThat(batch.info()).isEqualTo(new BatchInfo(2, 0, 0, 0));
		assertThat(batch.add(List.of())).isEmpty();
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> batch.add(List.of(new Mail("eve"))));
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> this.queue.batch("import").then(JobRequest.of(new Mail("then")).key("a")).start());
		this.queue.clear();
		assertThat(this.queue.batch(batch.id()).info().total()).isZero();
	}

	@Test
	void recordsWhatIsPublished() {
		JobRequest request = JobRequest.of(new Mail("bob")).header("region", "eu");
		assertThat(this.queue.publish("news", new Mail("ada"))).isEmpty();
		assertThat(this.queue.publish("news", request)).isEmpty();
		assertThat(this.queue.published("news")).containsExactly(JobRequest.of(new Mail("ada")), request);
		assertThat(this.queue.published("other")).isEmpty();
		assertThat(this.queue).nothingEnqueued();
		this.queue.clear();
		assertThat(this.queue.published("news")).isEmpty();
	}

	@Test
	void refusesToPublishWhatTheJobQueueRefuses() {
		List<JobRequest> refused = List.of(JobRequest.of("emails", new Mail("ada")),
				JobRequest.of(new Mail("ada")).key("a"), JobRequest.of(new Mail("ada")).after(UUID.randomUUID()),
				JobRequest.of(new Object()));
		refused.forEach((request) -> assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> this.queue.publish("news", request)));
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> this.queue.publish("No topic", new Mail("ada")));
		assertThat(this.queue.published("news")).isEmpty();
	}

	@Test
	void refusedRequestLeavesNoneOfItsCall() {
		Batch batch = this.queue.batch(UUID.randomUUID());
		List<Object> payloads = List.of(new Mail("ada"), new Object());
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> this.queue.enqueueAll(payloads));
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> batch.add(payloads));
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> this.queue.batch("import").then(new Mail("then")).onFailure(new Object()).start());
		assertThat(this.queue).nothingEnqueued();
		assertThat(this.queue.requests()).isEmpty();
		assertThat(batch.info().total()).isZero();
	}

	@Test
	void delayOfAJobWithATimeIsUnknown() {
		this.queue.enqueue(JobRequest.of(new Mail("ada")).runAt(Instant.now().plusSeconds(60)));
		assertThat(this.queue.enqueued()).extracting(EnqueuedJob::delay).containsOnlyNulls();
	}

	@Test
	void refusesWhatTheJobQueueRefuses() {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> this.queue.enqueue(new Object()));
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> this.queue.enqueue(List.of("a")));
		assertThat(this.queue).nothingEnqueued();
	}

	record Shift(ZonedDateTime firstBegin) {
	}

	interface RenamedMail {

		@JsonProperty("to")
		String recipient();

	}

}
