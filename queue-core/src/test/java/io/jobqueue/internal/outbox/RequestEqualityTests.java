package io.jobqueue.internal.outbox;

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
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests are compared, and printed, in the tests of applications.
 */
class RequestEqualityTests {

	static final List<Option> OPTIONS = List.of(
			new Option("priority=Priority[value=7]", (mail) -> mail.priority(Priority.of(7))),
			new Option("delay=3s", (mail) -> mail.delay(Duration.ofSeconds(3))),
			new Option("runAt=1970-01-01T00:00:00Z", (mail) -> mail.runAt(Instant.EPOCH)),
			new Option("expiresAfter=5m", (mail) -> mail.expiresAfter(Duration.ofMinutes(5))),
			new Option("key=the-key", (mail) -> mail.key("the-key")),
			new Option("onDuplicate=REQUEUE", (mail) -> mail.onDuplicate(OnDuplicate.REQUEUE)),
			new Option("dedupeFor=1h", (mail) -> mail.dedupeFor(Duration.ofHours(1))),
			new Option("orderedBy=customer-7", (mail) -> mail.orderedBy("customer-7")),
			new Option("limitedBy=customer-7", (mail) -> mail.limitedBy("customer-7")),
			new Option("group=order-5", (mail) -> mail.group("order-5")),
			new Option("maxAttempts=3", (mail) -> mail.maxAttempts(3)),
			new Option("maxRunTime=2h", (mail) -> mail.maxRunTime(Duration.ofHours(2))),
			new Option("type=fax", (mail) -> mail.type("fax")),
			new Option("after=[00000000-0000-0000-0000-000000000007]", (mail) -> mail.after(new UUID(0, 7))),
			new Option("ifPredecessorFails=RUN", (mail) -> mail.ifPredecessorFails(OnPredecessorFailure.RUN)),
			new Option("headers=[tenant]", (mail) -> mail.header("tenant", "acme")));

	@ParameterizedTest
	@FieldSource("OPTIONS")
	void eachOptionCounts(Option option) {
		JobRequest plain = JobRequest.of(new Mail("hi"));
		JobRequest changed = option.change().apply(plain);
		assertThat(option.change().apply(JobRequest.of(new Mail("hi")))).isEqualTo(changed)
			.hasSameHashCodeAs(changed)
			.isNotEqualTo(plain);
	}

	@ParameterizedTest
	@FieldSource("OPTIONS")
	void eachOptionIsShown(Option option) {
		assertThat(option.change().apply(JobRequest.of(new Mail("hi"))))
			.hasToString("JobRequest[payload=%s, %s]".formatted(Mail.class.getName(), option.shown()));
	}

	@Test
	void eachOptionKeepsTheOthers() {
		JobRequest mail = JobRequest.of("emails", new Mail("hi"));
		for (Option option : OPTIONS) {
			mail = option.change().apply(mail);
		}
		assertThat(mail).asString().contains("queue=emails").contains(OPTIONS.stream().map(Option::shown).toList());
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
	void textNamesTheOptionsAndNoContents() {
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

	/**
	 * An option of a request.
	 *
	 * @param shown what the text of the request has for it
	 * @param change sets it
	 */
	record Option(String shown, UnaryOperator<JobRequest> change) {
	}

}
