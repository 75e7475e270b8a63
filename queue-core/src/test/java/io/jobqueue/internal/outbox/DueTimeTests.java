package io.jobqueue.internal.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When jobs are due, whatever clocks and zones there are.
 */
class DueTimeTests extends NodeTestBase {

	private static final JobRequest MAIL = JobRequest.of("emails", new Mail("hi"));

	@Test
	void jobIsDueAtOnceByDefault() {
		assertThat(dueIn(enqueue(MAIL))).isEqualTo(Duration.ZERO);
		assertThat(dueIn(enqueue(MAIL.key("signup-42")))).isEqualTo(Duration.ZERO);
		assertThat(dueIn(enqueue(MAIL.orderedBy("customer-7")))).isEqualTo(Duration.ZERO);
		assertThat(dueIn(enqueue(MAIL.limitedBy("customer-7")))).isEqualTo(Duration.ZERO);
		assertThat(dueIn(enqueue(MAIL.key("signup-43").orderedBy("customer-7")))).isEqualTo(Duration.ZERO);
		assertThat(producer().queue().enqueueAll(List.of(MAIL, MAIL))).extracting((receipt) -> dueIn(receipt.id()))
			.containsOnly(Duration.ZERO);
	}

	@Test
	void delayCountsFromTheDatabasesNow() {
		assertThat(dueIn(enqueue(MAIL.delay(Duration.ofMinutes(5))))).isEqualTo(Duration.ofMinutes(5));
	}

	@Test
	void fractionsOfAMillisecondAreRoundedUp() {
		assertThat(dueIn(enqueue(MAIL.delay(Duration.ofNanos(1_000_001))))).isEqualTo(Duration.ofMillis(2));
		assertThat(runAt(enqueue(MAIL.runAt(Instant.parse("2099-05-06T07:08:09.000000001Z")))))
			.isEqualTo(Instant.parse("2099-05-06T07:08:09.000001Z"));
	}

	@Test
	void negativeDelayIsNone() {
		assertThat(dueIn(enqueue(MAIL.delay(Duration.ofDays(-1))))).isEqualTo(Duration.ZERO);
		assertThat(dueIn(enqueue(MAIL.delay(Duration.ofSeconds(Long.MIN_VALUE))))).isEqualTo(Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(strings = { "2099-05-06T07:08:09.123456Z", "9999-12-31T23:59:59Z" })
	void runAtIsKept(Instant time) {
		assertThat(runAt(enqueue(MAIL.runAt(time)))).isEqualTo(time);
	}

	@Test
	void explicitTimeBeatsADelay() {
		Instant time = Instant.parse("2099-05-06T07:08:09Z");
		assertThat(runAt(enqueue(MAIL.runAt(time).delay(Duration.ofMinutes(5))))).isEqualTo(time);
		assertThat(runAt(enqueue(MAIL.delay(Duration.ofMinutes(5)).runAt(time)))).isEqualTo(time);
	}

	@ParameterizedTest
	@ValueSource(strings = { "2001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "-4999-01-01T00:00:00Z",
			"-1000000000-01-01T00:00:00Z" })
	void timeInThePastBecomesNow(Instant past) {
		assertThat(dueIn(enqueue(MAIL.runAt(past)))).isEqualTo(Duration.ZERO);
	}

	@Test
	void neverStartsBeforeItsTime() {
		QueueNode node = started((settings) -> settings.handler(
				(mail, job) -> assertThat(this.sql.sql("SELECT now()").query(OffsetDateTime.class).single().toInstant())
					.isAfterOrEqualTo(job.runAt())));
		UUID delayed = node.queue().enqueue(MAIL.delay(Duration.ofMillis(700))).id();
		UUID early = node.queue().enqueue(MAIL.runAt(Instant.now().plusMillis(400))).id();
		awaitState(early, "SUCCEEDED");
		awaitState(delayed, "SUCCEEDED");
		assertThat(column("attempts", delayed, Integer.class) + column("attempts", early, Integer.class)).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, -1 })
	void clockOfTheApplicationChangesNothing(long hours) {
		Clock wrong = Clock.offset(Clock.systemUTC(), Duration.ofHours(hours));
		QueueNode node = node(settings().clock(wrong).handler((mail, job) -> {
		})).start();
		UUID delayed = node.queue().enqueue(MAIL.delay(Duration.ofMinutes(30))).id();
		assertThat(dueIn(delayed)).isEqualTo(Duration.ofMinutes(30));
		Instant soon = Instant.now().plusSeconds(1_800).truncatedTo(ChronoUnit.SECONDS);
		UUID early = node.queue().enqueue(MAIL.runAt(soon)).id();
		UUID past = node.queue().enqueue(MAIL.runAt(Instant.now().minusSeconds(1_800))).id();
		assertThat(runAt(early)).isEqualTo(soon);
		assertThat(dueIn(past)).isZero();
		awaitState(node.queue().enqueue(MAIL).id(), "SUCCEEDED");
		awaitState(past, "SUCCEEDED");
		assertThat(state(delayed)).isEqualTo("SCHEDULED");
		assertThat(state(early)).isEqualTo("SCHEDULED");
	}

	/**
	 * In whatever order their ids are.
	 */
	@Test
	void jobsOfProducersWhoseClocksDifferRunAsTheyWereEnqueued() {
		Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
		Clock behind = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));
		List<QueueNode> producers = List.of(node(settings().clock(ahead)), node(settings().clock(behind)));
		List<UUID> jobs = IntStream.range(0, 6)
			.mapToObj((number) -> producers.get(number % 2).queue().enqueue(MAIL).id())
			.toList();
		Queue<UUID> begun = new ConcurrentLinkedQueue<>();
		node(settings().clock(behind).concurrency(1).handler((mail, job) -> begun.add(job.id()))).start();
		await().until(() -> begun.size() == jobs.size());
		assertThat(begun).containsExactlyElementsOf(jobs);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "2030-03-10T01:59:59", "2030-03-10T03:00:00", "2030-11-03T01:30:00", "2030-11-03T02:30:00" })
	void zonesAndSummerTimeChangeNothing(LocalDateTime local) {
		Instant time = local.atZone(ZoneId.of("America/New_York")).toInstant();
		TimeZone before = TimeZone.getDefault();
		try {
			TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
			PGSimpleDataSource elsewhere = (PGSimpleDataSource) this.database.dataSource();
			elsewhere.setOptions("-c TimeZone=Asia/Kolkata");
			UUID job = node(settings(elsewhere)).queue().enqueue(MAIL.runAt(time)).id();
			assertThat(runAt(job)).isEqualTo(time);
			UUID delayed = node(settings(elsewhere)).queue().enqueue(MAIL.delay(Duration.ofDays(400))).id();
			assertThat(dueIn(delayed)).isEqualTo(Duration.ofDays(400));
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	private UUID enqueue(JobRequest request) {
		return producer().queue().enqueue(request).id();
	}

	private Duration dueIn(UUID job) {
		return Duration.between(column("created_at", job, OffsetDateTime.class).toInstant(), runAt(job));
	}

	private Instant runAt(UUID job) {
		return column("run_at", job, OffsetDateTime.class).toInstant();
	}

}
