package io.jobqueue.internal.store.postgresql.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.outbox.JobIds;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.OverviewStore.Arrivals;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How many jobs were enqueued in the last minutes.
 */
class ArrivalTests extends StoreTestBase {

	private static final Tier EMAILS = new Tier("emails", 10);

	/**
	 * The begin of the minute of now, by which jobs are inserted: a test has to end
	 * before the next one.
	 */
	private Instant minute = Instant.EPOCH;

	@BeforeEach
	void awaitMinute() {
		await().pollDelay(Duration.ZERO).until(() -> now().atOffset(ZoneOffset.UTC).getSecond() < 50);
		this.minute = now().truncatedTo(ChronoUnit.MINUTES);
	}

	private Instant now() {
		return this.sql.sql("SELECT now()").query(OffsetDateTime.class).single().toInstant();
	}

	private Instant ago(int minutes) {
		return this.minute.minus(Duration.ofMinutes(minutes));
	}

	@Test
	void nothingWasEnqueued() {
		assertThat(count()).isEqualTo(new Arrivals(ago(5), this.minute, Map.of()));
	}

	@Test
	void jobsAreCountedByQueueAndPriority() {
		live(3, "emails", ago(1));
		live(2, "letters", ago(1));
		this.sql.sql("UPDATE jobqueue_job SET priority = 20 WHERE queue = 'letters'").update();
		assertThat(count().jobs()).isEqualTo(Map.of(EMAILS, 3L, new Tier("letters", 20), 2L));
	}

	@Test
	void finishedJobsCount() {
		live(3, "emails", ago(1));
		archived(4, "emails", ago(2));
		assertThat(count().jobs()).isEqualTo(Map.of(EMAILS, 7L));
	}

	@Test
	void onlyJobsOfTheLastFiveFullMinutesCount() {
		live(1, "emails", ago(5));
		live(1, "emails", this.minute.minusMillis(1));
		live(1, "emails", ago(5).minusMillis(1));
		archived(1, "emails", ago(6));
		live(1, "emails", this.minute);
		live(1, "letters", this.minute);
		assertThat(count().jobs()).isEqualTo(Map.of(EMAILS, 2L, new Tier("letters", 10), 0L));
	}

	@Test
	void manyFinishedJobsShortenTheTime() {
		archived(6_000, "emails", ago(3).plusSeconds(7));
		live(100, "letters", ago(3).plusSeconds(8));
		archived(6_000, "emails", ago(1));
		live(200, "letters", ago(1));
		assertThat(count())
			.isEqualTo(new Arrivals(ago(2), this.minute, Map.of(EMAILS, 6_000L, new Tier("letters", 10), 200L)));
	}

	@Test
	void manyUnfinishedJobsShortenTheTime() {
		live(9_000, "emails", ago(4));
		archived(5, "letters", ago(3));
		live(OverviewStore.MAX_ARRIVALS, "emails", ago(2));
		archived(6, "letters", ago(1));
		assertThat(count()).isEqualTo(new Arrivals(ago(2), this.minute,
				Map.of(EMAILS, (long) OverviewStore.MAX_ARRIVALS, new Tier("letters", 10), 6L)));
	}

	/**
	 * Of a time without a full minute, all of it counts.
	 */
	@Test
	void mostJobsOfAMinuteCountUntilNow() {
		Instant burst = this.minute.minusSeconds(10);
		live(OverviewStore.MAX_ARRIVALS, "emails", burst);
		archived(6, "letters", this.minute);
		Arrivals arrivals = count();
		assertThat(arrivals.from()).isEqualTo(burst);
		assertThat(arrivals.to()).isBetween(this.minute, now());
		assertThat(arrivals.jobs())
			.isEqualTo(Map.of(EMAILS, (long) OverviewStore.MAX_ARRIVALS, new Tier("letters", 10), 6L));
	}

	/**
	 * They count when that time has come.
	 */
	@Test
	void idsOfAClockAheadDoNotCountYet() {
		live(2, "emails", this.minute.plusSeconds(120));
		assertThat(count().jobs()).isEmpty();
	}

	@Test
	void idsOfAClockAheadHideNoOthers() {
		archived(OverviewStore.MAX_ARRIVALS, "emails", this.minute.plusSeconds(120));
		live(OverviewStore.MAX_ARRIVALS, "emails", this.minute.plusSeconds(120));
		live(3, "letters", ago(1));
		assertThat(count()).isEqualTo(new Arrivals(ago(5), this.minute, Map.of(new Tier("letters", 10), 3L)));
	}

	@Test
	void idsOfTheQueueHaveTheTime() {
		Instant enqueuedAt = Instant.now().minus(Duration.ofMinutes(3));
		UUID id = new JobIds(Clock.fixed(enqueuedAt, ZoneOffset.UTC)).get();
		assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(enqueuedAt.toEpochMilli());
	}

	private Arrivals count() {
		return this.stores.overview().arrivals();
	}

	private static final String ID = """
			(lpad(to_hex(%d), 12, '0') || '7000' || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid""";

	private void live(int jobs, String queue, Instant at) {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT %s, now(), now(), 10, ?, 'mail', '{}' FROM generate_series(1, ?) n
				""".formatted(ID.formatted(at.toEpochMilli()))).params(queue, jobs).update();
	}

	private void archived(int jobs, String queue, Instant at) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload)
					SELECT %s, n, now(), now(), now(), 1, 0, 10, 'SUCCEEDED', ?, 'mail', '{}' FROM generate_series(1, ?) n
					"""
				.formatted(ID.formatted(at.toEpochMilli())))
			.params(queue, jobs)
			.update();
	}

}
