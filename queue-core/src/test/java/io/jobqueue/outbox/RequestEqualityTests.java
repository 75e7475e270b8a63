package io.jobqueue.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests are compared, and printed, in the tests of applications.
 */
class RequestEqualityTests {

	static final List<UnaryOperator<JobRequest>> OPTIONS = List.of((mail) -> mail.priority(Priority.of(7)),
			(mail) -> mail.delay(Duration.ofSeconds(3)), (mail) -> mail.runAt(Instant.EPOCH),
			(mail) -> mail.key("the-key"), (mail) -> mail.onDuplicate(OnDuplicate.REQUEUE),
			(mail) -> mail.dedupeFor(Duration.ofHours(1)), (mail) -> mail.orderedBy("customer-7"),
			(mail) -> mail.limitedBy("customer-7"), (mail) -> mail.group("order-5"), (mail) -> mail.maxAttempts(3),
			(mail) -> mail.maxRunTime(Duration.ofHours(2)), (mail) -> mail.type("fax"),
			(mail) -> mail.header("tenant", "acme"));

	@ParameterizedTest
	@FieldSource("OPTIONS")
	void eachOptionCounts(UnaryOperator<JobRequest> option) {
		JobRequest plain = JobRequest.of(new Mail("hi"));
		assertThat(option.apply(JobRequest.of(new Mail("hi")))).isEqualTo(option.apply(plain))
			.hasSameHashCodeAs(option.apply(plain))
			.isNotEqualTo(plain);
	}

	@ParameterizedTest
	@FieldSource("OPTIONS")
	void eachOptionIsShown(UnaryOperator<JobRequest> option) {
		JobRequest plain = JobRequest.of(new Mail("hi"));
		assertThat(option.apply(plain).toString()).isNotEqualTo(plain.toString());
	}

	@Test
	void payloadAndQueueCount() {
		assertThat(JobRequest.of(new Mail("hi"))).isNotEqualTo(JobRequest.of(new Mail("ho")))
			.isNotEqualTo(JobRequest.of("emails", new Mail("hi")))
			.isNotEqualTo(new Mail("hi"));
		assertThat(JobRequest.of("emails", new Mail("hi"))).isEqualTo(JobRequest.of("emails", new Mail("hi")));
	}

	@Test
	void headersWithOtherValuesDiffer() {
		JobRequest mail = JobRequest.of(new Mail("hi"));
		assertThat(mail.header("tenant", "acme")).isNotEqualTo(mail.header("tenant", "other"));
	}

	@Test
	void textNamesWhatIsAskedForAndNoContents() {
		String secret = UUID.randomUUID().toString();
		assertThat(JobRequest.of("emails", new Mail(secret)).group("order-5").maxAttempts(3).header("token", secret))
			.hasToString("JobRequest[payload=%s, queue=emails, group=order-5, maxAttempts=3, headers=[token]]"
				.formatted(Mail.class.getName()));
	}

	@Test
	void textShowsDurationsAsSettingsAreWritten() {
		assertThat(JobRequest.of("emails", new Mail("hi"))
			.delay(Duration.ofMinutes(5))
			.dedupeFor(Duration.ofDays(1))
			.maxRunTime(Duration.ofMinutes(90))).asString()
			.contains("delay=5m,", "dedupeFor=1d,", "maxRunTime=1h 30m]");
	}

}
