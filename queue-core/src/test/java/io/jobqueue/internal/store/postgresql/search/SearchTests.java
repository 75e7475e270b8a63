package io.jobqueue.internal.store.postgresql.search;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;
import io.jobqueue.internal.store.SearchStore.SearchResult;
import io.jobqueue.internal.store.postgresql.jobs.KeyTestBase;
import io.jobqueue.internal.store.postgresql.jobs.Outcomes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A search finds what a look at the view finds, page by page.
 */
@Tag("pooler") // statements of the store
@Tag("container") // statements of the store
class SearchTests extends KeyTestBase {

	private static final String NO_JOB = "00000000-0000-0000-0000-000000000000";

	private static final String FAILED_AT = """
			history -> 1 ->> 'fingerprint' = '%s' AND state NOT IN ('SUCCEEDED', 'CANCELLED')
			AND (state = 'DEAD' OR failures > 0 OR expected_failures > 0)""";

	private static final UUID BATCH = new UUID(0, 2);

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final SearchStore search = this.stores.search();

	static Stream<Arguments> queries() {
		Instant now = Instant.parse("2026-11-20T12:00:00Z");
		JobQuery all = JobQuery.all();
		return Stream.of(arguments(all, "true"), arguments(all.queue("emails"), "queue = 'emails'"),
				arguments(all.queue("nothing"), "false"),
				arguments(all.states(JobState.SCHEDULED), "state = 'SCHEDULED'"),
				arguments(all.states(JobState.READY), "state = 'READY'"),
				arguments(all.states(JobState.RUNNING), "state = 'RUNNING'"),
				arguments(all.queue("emails").states(JobState.RUNNING), "state = 'RUNNING' AND queue = 'emails'"),
				arguments(all.states(JobState.RETRYING), "state = 'RETRYING'"),
				arguments(all.queue("invoices").states(JobState.RETRYING), "state = 'RETRYING' AND queue = 'invoices'"),
				arguments(all.states(JobState.BLOCKED), "state = 'BLOCKED'"),
				arguments(all.states(JobState.SUCCEEDED), "state = 'SUCCEEDED'"),
				arguments(all.states(JobState.DEAD), "state = 'DEAD'"),
				arguments(all.queue("emails").states(JobState.DEAD), "state = 'DEAD' AND queue = 'emails'"),
				arguments(all.states(JobState.DEAD, JobState.READY), "state IN ('DEAD', 'READY')"),
				arguments(all.states(JobState.RETRYING, JobState.SCHEDULED), "state IN ('RETRYING', 'SCHEDULED')"),
				arguments(all.states(JobState.RUNNING, JobState.BLOCKED), "state IN ('RUNNING', 'BLOCKED')"),
				arguments(all.states(JobState.SUCCEEDED, JobState.DEAD), "state IN ('SUCCEEDED', 'DEAD')"),
				arguments(all.type("sms"), "type = 'sms'"), arguments(all.key("k3"), "unique_key = 'k3'"),
				arguments(all.queue("emails").key("k3"), "unique_key = 'k3' AND queue = 'emails'"),
				arguments(all.group("g1"), "job_group = 'g1'"),
				arguments(all.queue("emails").group("g1"), "job_group = 'g1' AND queue = 'emails'"),
				arguments(all.batch(BATCH), "batch_id = '%s'".formatted(BATCH)),
				arguments(all.batch(BATCH).states(JobState.DEAD),
						"batch_id = '%s' AND state = 'DEAD'".formatted(BATCH)),
				arguments(all.batch(new UUID(0, 3)), "false"),
				arguments(all.error("TIMED out"), "last_error ILIKE '%timed out%'"),
				arguments(all.error("It%again"), "false"),
				arguments(all.fingerprint("E at A.b"), FAILED_AT.formatted("E at A.b")),
				arguments(all.queue("emails").fingerprint("E at A.c"),
						FAILED_AT.formatted("E at A.c") + " AND queue = 'emails'"),
				arguments(all.queue("emails").fingerprint("E at A.b").states(JobState.RETRYING),
						FAILED_AT.formatted("E at A.b") + " AND queue = 'emails' AND state = 'RETRYING'"),
				arguments(all.queue("emails").fingerprint("E at A.b").states(JobState.DEAD, JobState.CANCELLED),
						FAILED_AT.formatted("E at A.b") + " AND queue = 'emails' AND state = 'DEAD'"),
				arguments(all.queue("emails").fingerprint("E at A.b").key("k9").group("g1"),
						FAILED_AT.formatted("E at A.b") + " AND queue = 'emails' AND unique_key = 'k9'"),
				arguments(all.queue("emails").fingerprint("E at A"), "false"),
				arguments(all.enqueuedFrom(now).enqueuedBefore(now.plusSeconds(9)),
						"created_at >= '2026-11-20T12:00:00Z' AND created_at < '2026-11-20T12:00:09Z'"),
				arguments(all.finishedFrom(now.plusSeconds(1)), "finished_at >= '2026-11-20T12:00:01Z'"),
				arguments(all.finishedBefore(now.plusSeconds(1)), "finished_at < '2026-11-20T12:00:01Z'"),
				arguments(all.fromPosition(1_000_030), "seq >= 1000030"));
	}

	@ParameterizedTest
	@MethodSource("queries")
	void findsWhatTheViewShows(JobQuery query, String condition) {
		fill();
		List<UUID> expected = this.sql.sql("SELECT id FROM jobqueue_jobs WHERE " + condition).query(UUID.class).list();
		if (!condition.equals("false")) {
			assertThat(expected).isNotEmpty();
		}
		for (int limit : new int[] { 7, 1_000 }) {
			assertThat(allPages(query.limit(limit), PATIENCE)).containsExactlyInAnyOrderElementsOf(expected);
		}
	}

	/**
	 * As after a restart of the sequence. Blocked jobs have the same time.
	 */
	@Test
	void noJobIsLostBetweenPagesWhereSequenceNumbersAreEqual() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, seq, run_at, due_at, created_at, priority, queue, type, payload, ordering_key,
					                          admission, job_group)
					OVERRIDING SYSTEM VALUE
					SELECT gen_random_uuid(), 1 + n % 15, 'infinity', now(), now(), 1, 'emails', 'mail', '{}', 'o', 'ORDER', 'g'
					FROM generate_series(1, 30) n
					""")
			.update();
		List<UUID> expected = this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list();
		for (JobQuery query : List.of(JobQuery.all(), JobQuery.all().group("g"))) {
			assertThat(allPages(query.limit(7), PATIENCE)).containsExactlyInAnyOrderElementsOf(expected);
		}
	}

	/**
	 * One of each kind there is, some of them several times.
	 */
	private void fill() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, seq, run_at, due_at, created_at, priority, failures, expected_failures, queue, type,
					                          payload, locked_by, claim, follows, admission, unique_key, job_group, last_error,
					                          batch_id, history)
					OVERRIDING SYSTEM VALUE
					SELECT gen_random_uuid(), 1000000 + n, r.run_at, CASE WHEN r.run_at = 'infinity' THEN now() END,
					       '2026-11-20T11:59:30Z'::timestamptz + n * interval '3 seconds', n % 3, n / 4 % 2,
					       CASE WHEN n % 3 = 0 THEN 1 END, q.queue,
					       CASE WHEN n % 5 = 0 THEN 'sms' ELSE 'mail' END, '{}',
					       CASE WHEN n % 8 = 1 AND r.run_at < now() THEN '00000000-0000-0000-0000-000000000001'::uuid END,
					       CASE WHEN n % 8 = 1 AND r.run_at < now() THEN 1 END,
					       CASE WHEN n % 4 = 2 AND r.run_at = 'infinity' THEN gen_random_uuid() END,
					       CASE WHEN n % 4 = 0 AND r.run_at = 'infinity' THEN 'SLOT' END,
					       'k' || n, 'g' || n % 4, CASE WHEN n / 4 % 2 = 1 OR n % 3 = 0 THEN 'It Timed Out again' END,
					       CASE WHEN n % 2 = 0 THEN '00000000-0000-0000-0000-000000000002'::uuid END,
					       jsonb_build_array(h.attempt, h.attempt || jsonb_build_object('fingerprint', 'E at A.' || chr(98 + n / 4 % 2)))
					FROM generate_series(1, 24) n
					CROSS JOIN (
					    SELECT jsonb_build_object('attempt', 1, 'ended', now(), 'worker', 'w', 'outcome', 'retried',
					                              'fingerprint', 'E at A') AS attempt) h
					CROSS JOIN (VALUES ('emails'), ('invoices')) AS q (queue)
					CROSS JOIN LATERAL (
					    SELECT CASE n % 4 WHEN 0 THEN 'infinity' WHEN 1 THEN now() - n * interval '1 minute'
					                      WHEN 2 THEN 'infinity' ELSE now() + n * interval '1 minute' END AS run_at) r
					""")
			.update();
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
				SELECT locked_by, claim, now(), 25, queue, array_agg(id) FROM jobqueue_job WHERE queue = 'emails'
				GROUP BY locked_by, claim, queue HAVING locked_by IS NOT NULL
				""").update();
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
				SELECT gen_random_uuid(), 1, now(), 25, queue, array_agg(id) FROM jobqueue_job
				WHERE queue = 'invoices' AND locked_by IS NOT NULL
				GROUP BY queue
				""").update();
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
				SELECT gen_random_uuid(), 7, now(), 25, queue, job_ids FROM jobqueue_claim
				""").update();
		this.sql.sql("""
				UPDATE jobqueue_job j SET locked_by = c.worker_id FROM jobqueue_claim c
				WHERE j.queue = c.queue AND j.claim = c.claim
				""").update();
		this.sql.sql("INSERT INTO jobqueue_key SELECT id, NULL, '1', queue, unique_key FROM jobqueue_job").update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, unique_key, job_group, last_error, history,
					                              batch_id)
					SELECT gen_random_uuid(), seq + 24, now(), created_at, created_at + interval '10 seconds', 1, failures, priority,
					       (ARRAY['SUCCEEDED', 'DEAD', 'CANCELLED'])[1 + seq % 3], queue, type, payload, unique_key, job_group, last_error, history,
					       batch_id
					FROM jobqueue_job
					""")
			.update();
	}

	private List<UUID> allPages(JobQuery query, Duration time) {
		List<UUID> met = new ArrayList<>();
		Optional<String> next = Optional.empty();
		do {
			SearchResult page = this.search.search(next.map(query::after).orElse(query), time);
			assertThat(page.jobs()).hasSizeLessThanOrEqualTo(query.limit());
			met.addAll(page.jobs().stream().map(FoundJob::id).toList());
			next = Optional.ofNullable(page.next());
		}
		while (next.isPresent());
		return met;
	}

	@Test
	void liveJobsAreInClaimOrderAndFinishedOnesNewestFirst() {
		this.holder = worker();
		List<UUID> finished = enqueue("emails", 3);
		claim(this.holder, request("emails", 3)).forEach((job) -> recordOutcomes(this.holder, Outcomes.completed(job)));
		Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
		UUID otherQueue = enqueue(job("invoices", 0));
		UUID later = enqueue(job("emails", "mail", 0, null, LONG, null));
		UUID worse = enqueue(job("emails", 20));
		UUID last = enqueue(job("emails", "mail", 5, tomorrow.plusSeconds(1), Duration.ZERO, null));
		UUID second = enqueue(job("emails", "mail", 5, tomorrow, Duration.ZERO, null));
		UUID third = enqueue(job("emails", "mail", 5, tomorrow, Duration.ZERO, null));
		UUID first = enqueue(job("emails", 5));
		List<UUID> met = allPages(JobQuery.all().limit(2), PATIENCE);
		assertThat(met.subList(0, 7)).containsExactly(later, first, second, third, last, worse, otherQueue);
		assertThat(met.subList(7, 10))
			.containsExactlyElementsOf(
					this.sql.sql("SELECT id FROM jobqueue_archive ORDER BY id DESC").query(UUID.class).list())
			.containsExactlyInAnyOrderElementsOf(finished);
	}

	@Test
	void twoWithTheSameKeyAreFound() {
		UUID first = runAndRequeue().id();
		assertThat(allPages(JobQuery.all().queue("emails").key("signup-42"), PATIENCE)).hasSize(2).contains(first);
	}

	/**
	 * More than a step looks at.
	 */
	@Test
	void manyFinishedJobsComeInOrder() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, unique_key, job_group)
					SELECT gen_random_uuid(), n, now(), now(), now(), 1, 1, 10, 'DEAD', 'emails', 'mail', '{}', 'k', 'g'
					FROM generate_series(1, 1200) n
					""")
			.update();
		List<UUID> ids = this.sql.sql("SELECT id FROM jobqueue_archive ORDER BY id DESC").query(UUID.class).list();
		JobQuery all = JobQuery.all().limit(100);
		JobQuery emails = all.queue("emails");
		for (JobQuery query : List.of(all, emails, emails.key("k"), emails.group("g"), all.states(JobState.DEAD),
				emails.states(JobState.DEAD))) {
			assertThat(allPages(query, PATIENCE)).as(query.toString()).isEqualTo(ids);
		}
		Collections.reverse(ids);
		assertThat(this.search.searchArchive(JobQuery.all().limit(1_000), PATIENCE).jobs()).extracting(FoundJob::id)
			.isEqualTo(ids.subList(0, 1_000));
	}

	/**
	 * As members are enqueued after the start of their batch.
	 */
	@Test
	void finishedJobsFromBeforeTheDayOfABatchAreNotRead() {
		UUID batch = new UUID((1_000_000_000_000L + 1_980 * 3_600_000L) << 16, 0);
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, batch_id)
					SELECT (lpad(to_hex(1000000000000 + n * 3600000::bigint), 12, '0') || '70008000000000000000')::uuid, n, now(), now(), now(),
					       1, 1, 10, 'DEAD', 'emails', 'mail', '{}', CASE WHEN n % 5 = 0 AND n >= 1960 THEN :batch END
					FROM generate_series(1, 2000) n
					""")
			.param("batch", batch)
			.update();
		JobQuery members = JobQuery.all().batch(batch);
		SearchResult found = this.search.search(members, Duration.ZERO);
		assertThat(found.partial()).isTrue();
		found = this.search.search(members.after(String.valueOf(found.next())), Duration.ZERO);
		assertThat(found).isEqualTo(new SearchResult(found.jobs(), null, false));
		assertThat(found.jobs()).hasSize(9);
		assertThat(this.search.searchArchive(members, PATIENCE).jobs()).hasSize(9);
		assertThat(this.search.count(members.states(JobState.DEAD), 1_000, Duration.ZERO).partial()).isFalse();
	}

	@Test
	void manyLiveJobsComeInOrder() {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), now() + random() * interval '1 hour', now(), n % 7, 'q' || n % 5, 'mail', '{}'
				FROM generate_series(1, 1200) n
				""").update();
		assertThat(allPages(JobQuery.all().limit(100), PATIENCE))
			.isEqualTo(this.sql.sql("SELECT id FROM jobqueue_job ORDER BY queue, priority, run_at, seq")
				.query(UUID.class)
				.list());
	}

	@Test
	void searchThatTakesTooLongReturnsHowFarItGot() {
		enqueue("emails", 1_200);
		UUID wanted = enqueue(job("zebras", "sms", 10, null, Duration.ZERO, null));
		JobQuery query = JobQuery.all().type("sms");
		SearchResult first = this.search.search(query, Duration.ZERO);
		assertThat(first.jobs()).isEmpty();
		assertThat(first.partial()).isTrue();
		assertThat(this.search.search(query.after(first.next()), PATIENCE)).extracting(SearchResult::partial)
			.isEqualTo(false);
		assertThat(allPages(query, Duration.ZERO)).containsExactly(wanted);
	}

	@Test
	void noFinishedJobsFollowIfTheQueryExcludesThem() {
		enqueue("emails", 1);
		SearchResult page = this.search.search(JobQuery.all().states(JobState.READY), PATIENCE);
		assertThat(page.jobs()).hasSize(1);
		assertThat(page.next()).isNull();
		assertThat(page.partial()).isFalse();
	}

	@Test
	void noJobsFollowAPositionOutsideTheQuery() {
		enqueue("emails", 1);
		SearchResult page = this.search
			.search(JobQuery.all().states(JobState.READY).after("done.019ab7d0-3e52-7c55-9d2f-0b0c5a4f8f11"), PATIENCE);
		assertThat(page.jobs()).isEmpty();
		assertThat(page.next()).isNull();
	}

	@Test
	void finishedJobsFollowAPositionAmongExcludedLiveOnes() {
		ClaimedJob dead = addAndRun(null);
		end(Outcomes.dead(dead));
		JobQuery query = JobQuery.all().states(JobState.DEAD);
		assertThat(allPages(query.after("live.zebras.99.0.7." + NO_JOB), PATIENCE)).containsExactly(dead.id());
	}

	@ParameterizedTest
	@ValueSource(strings = { "live.emails.1.-210866803200000000.3." + NO_JOB,
			"live.emails.1.9200000000000000000.3." + NO_JOB, "live.emails.1.never.3." + NO_JOB,
			"done.ffffffff-ffff-ffff-ffff-ffffffffffff" })
	void positionAtTheLimitOfTimestampsIsAccepted(String place) {
		assertThat(this.search.search(JobQuery.all().after(place), PATIENCE).jobs()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "live", "live.emails.1.2.3", "live.emails.one.2.3." + NO_JOB, "done.1", "done.x.y",
			"sql'", "live.emails.99999.2.3." + NO_JOB, "live.emails.1.-210866803200000001.3." + NO_JOB,
			"live.emails.1.9223372036854775807.3." + NO_JOB, "live.e\0.1.2.3." + NO_JOB, "live.emails.1.2.3.4" })
	void unknownPositionIsRefused(String place) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.search.search(JobQuery.all().after(place), PATIENCE))
			.withMessageContaining("'" + place + "' is not the start of a page")
			.withMessageContaining("the position that the page before it has returned");
	}

}
