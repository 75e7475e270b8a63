package io.jobqueue.internal.store.postgresql.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.outbox.JobIds;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.OverviewStore.Arrivals;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many jobs were enqueued in the last minutes.
 */
class ArrivalTests extends StoreTestBase {

	private static final Tier EMAILS = new Tier("emails", 10);

	private static final Duration PERIOD = Duration.ofMinutes(5);

	private static final Duration SECONDS = Duration.ofSeconds(30);

	@Test
	void nothingWasEnqueued() {
		assertThat(count()).isEqualTo(new Arrivals(PERIOD, Map.of()));
	}

	@Test
	void jobsAreCountedByQueueAndPriority() {
		live(3, "emails", Duration.ofMinutes(1));
		live(2, "letters", Duration.ofMinutes(1));
		this.sql.sql("UPDATE jobqueue_job SET priority = 20 WHERE queue = 'letters'").update();
		assertThat(count()).isEqualTo(new Arrivals(PERIOD, Map.of(EMAILS, 3L, new Tier("letters", 20), 2L)));
	}

	@Test
	void finishedJobsCount() {
		live(3, "emails", Duration.ofMinutes(1));
		archived(4, "emails", Duration.ofMinutes(2));
		assertThat(count()).isEqualTo(new Arrivals(PERIOD, Map.of(EMAILS, 7L)));
	}

	@Test
	void earlierJobsDoNotCount() {
		live(1, "emails", Duration.ofMinutes(4));
		live(1, "emails", Duration.ofMinutes(6));
		archived(1, "emails", Duration.ofMinutes(6));
		assertThat(count().jobs()).containsExactly(Map.entry(EMAILS, 1L));
	}

	@Test
	void manyFinishedJobsShortenThePeriod() {
		archived(6_000, "emails", Duration.ofMinutes(3));
		live(100, "letters", Duration.ofMinutes(3));
		archived(6_000, "emails", Duration.ofMinutes(1));
		live(200, "letters", Duration.ofSeconds(30));
		Arrivals arrivals = count();
		assertThat(arrivals.period()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(3).plus(SECONDS));
		assertThat(arrivals.jobs().get(EMAILS)).isEqualTo(OverviewStore.MAX_ARRIVALS);
		archived(4_000, "emails", Duration.ofMinutes(1));
		assertThat(count().period()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(1).plus(SECONDS));
		assertThat(count().jobs().get(new Tier("letters", 10))).isEqualTo(200);
	}

	@Test
	void manyUnfinishedJobsShortenThePeriod() {
		live(9_000, "emails", Duration.ofMinutes(4));
		archived(5, "letters", Duration.ofMinutes(3));
		live(OverviewStore.MAX_ARRIVALS, "emails", Duration.ofMinutes(2));
		archived(6, "letters", Duration.ofMinutes(1));
		Arrivals arrivals = count();
		assertThat(arrivals.period()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(2).plus(SECONDS));
		assertThat(arrivals.jobs())
			.isEqualTo(Map.of(EMAILS, (long) OverviewStore.MAX_ARRIVALS, new Tier("letters", 10), 6L));
	}

	@Test
	void idsOfAClockAheadCount() {
		live(2, "emails", Duration.ofMinutes(-2));
		assertThat(count()).isEqualTo(new Arrivals(PERIOD, Map.of(EMAILS, 2L)));
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
			(lpad(to_hex((extract(epoch FROM now() - interval '%d ms') * 1000)::bigint), 12, '0') || '7000'
			 || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid""";

	private void live(int jobs, String queue, Duration ago) {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT %s, now(), now(), 10, ?, 'mail', '{}' FROM generate_series(1, ?) n
				""".formatted(ID.formatted(ago.toMillis()))).params(queue, jobs).update();
	}

	private void archived(int jobs, String queue, Duration ago) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload)
					SELECT %s, n, now(), now(), now(), 1, 0, 10, 'SUCCEEDED', ?, 'mail', '{}' FROM generate_series(1, ?) n
					"""
				.formatted(ID.formatted(ago.toMillis())))
			.params(queue, jobs)
			.update();
	}

}
