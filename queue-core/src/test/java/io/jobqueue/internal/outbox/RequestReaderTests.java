package io.jobqueue.internal.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.store.DatabaseEncoding;
import io.jobqueue.internal.store.NewJob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The jobs of requests, and the least that is rejected of each option.
 */
class RequestReaderTests {

	private static final UUID ID = new UUID(0, 1);

	private static final Duration LONGEST = Duration.ofDays(36_500);

	private static final Duration TOO_LONG = LONGEST.plusNanos(1);

	private static final JobRequest MAIL = JobRequest.of(new Mail("hi"));

	private static final JobRequest KEYED = MAIL.key("signup-42");

	static final List<Rejection> REJECTIONS = List.of(
			new Rejection("maxAttempts", MAIL.maxAttempts(0), MAIL.maxAttempts(-1)),
			new Rejection("maxRunTime", MAIL.maxRunTime(Duration.ofMillis(1)),
					MAIL.maxRunTime(Duration.ofNanos(999_999))),
			new Rejection("maxRunTime", MAIL.maxRunTime(LONGEST), MAIL.maxRunTime(TOO_LONG)),
			new Rejection("expiresAfter", MAIL.expiresAfter(Duration.ofMillis(1)),
					MAIL.expiresAfter(Duration.ofNanos(999_999))),
			new Rejection("expiresAfter", MAIL.expiresAfter(LONGEST), MAIL.expiresAfter(TOO_LONG)),
			new Rejection("delay", MAIL.delay(LONGEST), MAIL.delay(TOO_LONG)),
			new Rejection("dedupeFor", KEYED.dedupeFor(LONGEST), KEYED.dedupeFor(TOO_LONG)),
			new Rejection("dedupeFor", KEYED.dedupeFor(Duration.ZERO), KEYED.dedupeFor(Duration.ofNanos(-1))),
			new Rejection("dedupeFor", KEYED.dedupeFor(Duration.ZERO), MAIL.dedupeFor(Duration.ZERO)),
			new Rejection("onDuplicate", KEYED.onDuplicate(OnDuplicate.UPDATE), MAIL.onDuplicate(OnDuplicate.UPDATE)),
			new Rejection("onDuplicate", debounced().delay(Duration.ZERO), debounced()),
			new Rejection("onDuplicate", debounced().runAt(Instant.EPOCH), debounced()),
			new Rejection("key", MAIL.key("k".repeat(800)), MAIL.key("k".repeat(801))),
			new Rejection("orderedBy", MAIL.orderedBy("k"), MAIL.orderedBy("")),
			new Rejection("limitedBy", MAIL.limitedBy("k"), MAIL.limitedBy("")),
			new Rejection("group", MAIL.group("k"), MAIL.group("nul\0")),
			new Rejection("after", MAIL.after(ids(1_000)), MAIL.after(ids(1_001))),
			new Rejection("ifPredecessorFails", MAIL.after(ID).ifPredecessorFails(OnPredecessorFailure.FAIL),
					MAIL.ifPredecessorFails(OnPredecessorFailure.FAIL)),
			new Rejection("header", MAIL.header("tenant", "acme"), MAIL.header("nul\0", "acme")),
			new Rejection("header tenant", MAIL.header("tenant", "acme"), MAIL.header("tenant", "nul\0")),
			new Rejection("header jobqueue.", MAIL.header("jobqueue", "acme"), MAIL.header("jobqueue.", "acme")),
			new Rejection("queue", JobRequest.of("emails", new Mail("hi")), JobRequest.of("Emails", new Mail("hi"))),
			new Rejection("type", JobRequest.of("text").type("note"), JobRequest.of("text")));

	private final RequestReader reader = new RequestReader(new JobTypes(),
			(type) -> type.equals("mail") ? "emails" : null, (queue) -> Priority.of(7),
			new PayloadEncoder(new PayloadCodecs(new JacksonPayloadCodec()), null, 1_000_000, DatabaseEncoding.UNICODE),
			new CallerContext(List.of(), List.of()), () -> ID, Clock.systemUTC(), null);

	private static JobRequest debounced() {
		return KEYED.onDuplicate(OnDuplicate.DEBOUNCE);
	}

	private static Set<UUID> ids(int count) {
		return LongStream.range(0, count)
			.mapToObj((number) -> new UUID(0, number))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	@ParameterizedTest
	@FieldSource("REJECTIONS")
	void optionIsAcceptedUpToItsLimit(Rejection rejection) {
		assertThat(this.reader.read(rejection.accepted()).id()).isEqualTo(ID);
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> this.reader.read(rejection.rejected()))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(rejection.property()));
	}

	@Test
	void optionsThatAreNotSetAreThoseOfTheNode() {
		assertThat(this.reader.read(MAIL))
			.isEqualTo(new NewJobBuilder().id(ID).payload("{\"text\":\"hi\"}").priority(7).build());
	}

	@Test
	void optionsOfTheRequestAreThoseOfTheJob() {
		Instant runAt = Instant.parse("2099-05-06T07:08:09Z");
		JobRequest request = JobRequest.of("given", new Mail("hi"))
			.priority(Priority.of(33))
			.runAt(runAt)
			.delay(Duration.ofSeconds(5))
			.expiresAfter(Duration.ofMinutes(3))
			.maxAttempts(4)
			.maxRunTime(Duration.ofHours(2))
			.header("tenant", "acme")
			.key("signup-42")
			.onDuplicate(OnDuplicate.REQUEUE)
			.dedupeFor(Duration.ofHours(1))
			.orderedBy("customer-7")
			.limitedBy("tenant-8")
			.group("import")
			.after(ID)
			.ifPredecessorFails(OnPredecessorFailure.FAIL);
		assertThat(this.reader.read(request)).isEqualTo(new NewJobBuilder().id(ID)
			.queue("given")
			.payload("{\"text\":\"hi\"}")
			.priority(33)
			.runAt(runAt)
			.delay(Duration.ofSeconds(5))
			.expiresAfter(Duration.ofMinutes(3))
			.maxAttempts(4)
			.maxRunTime(Duration.ofHours(2))
			.headers("{\"tenant\":\"acme\"}")
			.key("signup-42", OnDuplicate.REQUEUE, Duration.ofHours(1))
			.orderedBy("customer-7")
			.limitedBy("tenant-8")
			.group("import")
			.after(OnPredecessorFailure.FAIL, ID)
			.build());
	}

	@Test
	void negativeDelayIsNone() {
		assertThat(this.reader.read(MAIL.delay(Duration.ofNanos(-1))).delay()).isZero();
	}

	@Test
	void queueIsThatOfTheClassElseTheDefault() {
		assertThat(this.reader.read(JobRequest.of(new Routed(1))).queue()).isEqualTo("of-type");
		assertThat(this.reader.read(JobRequest.of(new Unknown(1))).queue()).isEqualTo("default");
	}

	@Test
	void scheduledJobHasTheHeadersOfItsRequestWithoutTheTrace() {
		JobRequest traced = MAIL.header("traceparent", "00-1-2-01").header("tenant", "acme");
		assertThat(this.reader.readScheduled(traced)).isEqualTo(this.reader.read(MAIL.header("tenant", "acme")));
	}

	@Test
	void severalRequestsAreReadInTheirOrder() {
		List<JobRequest> requests = RequestReader.requests(List.of(new Mail("hi"), JobRequest.of(new Unknown(1))));
		assertThat(this.reader.readAll(requests)).extracting(NewJob::type).containsExactly("mail", "Unknown");
	}

	@Test
	@SuppressWarnings("NullAway")
	void nothingIsRejectedByItsPlace() {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> RequestReader.requests(null))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("requestsOrPayloads"));
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> RequestReader.requests(Arrays.asList("hi", null)))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("requestsOrPayloads[1]"));
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> this.reader.name("batch", null))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("batch"));
	}

	record Unknown(int number) {
	}

	@JobType(queue = "of-type")
	record Routed(int number) {
	}

	/**
	 * An option at its limit and beyond.
	 *
	 * @param property the property that the rejection names
	 * @param accepted a request that is accepted
	 * @param rejected a request that is rejected
	 */
	record Rejection(String property, JobRequest accepted, JobRequest rejected) {

		@Override
		public String toString() {
			return this.property;
		}

	}

}
