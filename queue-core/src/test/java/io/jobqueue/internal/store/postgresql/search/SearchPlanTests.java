package io.jobqueue.internal.store.postgresql.search;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ArchiveCount;
import io.jobqueue.internal.store.SearchStore.CountResult;
import io.jobqueue.internal.store.SearchStore.SearchResult;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * How the server finds jobs for people, where there are many.
 */
class SearchPlanTests extends StoreTestBase {

	private static final JobQuery ALL = JobQuery.all().limit(20);

	private static final UUID WORKER = new UUID(0, 1);

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final SearchStore recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null).search();

	@BeforeAll
	void fill() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, failures, queue, type, payload, job_group, unique_key,
					                          last_error)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now() - n * interval '1 millisecond',
					       now(), n % 3, CASE WHEN n % 1000 = 0 THEN 1 ELSE 0 END, CASE WHEN n % 10000 = 0 THEN 'rare' ELSE 'emails' END,
					       'mail', '{}', CASE WHEN n % 1000 = 0 THEN 'import' END, CASE WHEN n % 1000 = 0 THEN 'k' || n END,
					       CASE WHEN n % 1000 = 0 THEN 'refused' END
					FROM generate_series(1, 60000) n
					""")
			.update();
		this.sql.sql("""
				INSERT INTO jobqueue_key
				SELECT id, NULL, '1', queue, unique_key FROM jobqueue_job WHERE unique_key IS NOT NULL
				""").update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority, state, queue,
					                              type, payload, job_group, unique_key, last_error)
					SELECT ('00000000-0000-7000-9000-' || lpad(to_hex(seq), 12, '0'))::uuid, seq, run_at, created_at, now(), 1, failures,
					       priority, CASE WHEN seq % 1000 = 0 THEN 'DEAD' ELSE 'SUCCEEDED' END, queue, type, payload, job_group,
					       unique_key, last_error
					FROM jobqueue_job
					""")
			.update();
		this.sql.sql("""
				UPDATE jobqueue_job SET locked_by = ?, claim = 1 WHERE id IN (SELECT id FROM jobqueue_job LIMIT 30)
				""").param(WORKER).update();
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
				SELECT locked_by, 1, now(), 25, 'emails', array_agg(id) FROM jobqueue_job WHERE locked_by IS NOT NULL
				GROUP BY locked_by
				""").update();
		this.sql.sql("VACUUM ANALYZE").update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.recorder.take();
	}

	static Stream<Arguments> queries() {
		return Stream.of(arguments(ALL, "jobqueue_job_fetch"), arguments(ALL.queue("rare"), "jobqueue_job_fetch"),
				arguments(ALL.states(JobState.RUNNING), "jobqueue_job_pkey"),
				arguments(ALL.states(JobState.RETRYING), "jobqueue_job_retrying"),
				arguments(ALL.error("refused"), "jobqueue_job_retrying"),
				arguments(ALL.queue("rare").error("refused"), "jobqueue_job_retrying"),
				arguments(ALL.group("import"), "jobqueue_job_group"),
				arguments(ALL.queue("emails").key("k7000"), "jobqueue_job_pkey"));
	}

	@ParameterizedTest
	@MethodSource
	void queries(JobQuery query, String index) {
		assertThat(search(query).partial()).isFalse();
		assertReads("jobqueue_job", index);
	}

	/**
	 * As its jobs are found, and without their errors and histories.
	 */
	@ParameterizedTest
	@MethodSource("queries")
	void counts(JobQuery query, String index) {
		int found = this.recorded.search(query.limit(1_000), Duration.ofSeconds(20)).jobs().size();
		this.recorder.take();
		assertThat(this.recorded.count(query, 1_000, Duration.ofSeconds(20)).jobs()).isEqualTo(found);
		assertReads("jobqueue_job", index);
	}

	/**
	 * Not a second time by their ids.
	 */
	@Test
	void jobsAreCountedWhereTheyAreFirstRead() {
		JobQuery mails = JobQuery.all().type("mail");
		assertThat(this.recorded.count(mails.states(JobState.READY), 10_000, Duration.ofSeconds(20)).capped()).isTrue();
		assertThat(this.recorder.takeOnly().readsOf("jobqueue_job")).as("live")
			.containsOnly("Index Scan jobqueue_job_fetch", "Index Only Scan jobqueue_job_fetch");
		assertThat(this.recorded.count(mails.states(JobState.DEAD), 10_000, Duration.ofSeconds(20)).jobs())
			.isEqualTo(60);
		assertThat(this.recorder.takeOnly().readsOf("jobqueue_archive")).as("archived")
			.containsOnly("Index Scan jobqueue_archive_unsuccessful");
	}

	@Test
	void deadJobsOfAQueueAreCountedByTheirIndex() {
		JobQuery dead = JobQuery.all().queue("rare").states(JobState.DEAD);
		assertThat(this.recorded.count(dead, 10_000, Duration.ofSeconds(20)))
			.isEqualTo(new CountResult(6, false, false));
		assertReads("jobqueue_archive", "jobqueue_archive_unsuccessful_of_queue");
		assertThat(this.recorded.count(dead, 5, Duration.ofSeconds(20))).isEqualTo(new CountResult(5, true, false));
		assertThat(this.recorded.count(JobQuery.all().type("none"), 5, Duration.ZERO))
			.isEqualTo(new CountResult(0, false, true));
	}

	static Stream<Arguments> replayed() {
		return Stream.of(arguments(ALL.queue("rare").states(JobState.DEAD), "jobqueue_archive_unsuccessful_of_queue"),
				arguments(ALL.states(JobState.DEAD), "jobqueue_archive_unsuccessful"),
				arguments(ALL.queue("rare").key("k10000"), "jobqueue_archive_key"),
				arguments(ALL.queue("rare").group("import"), "jobqueue_archive_group"),
				arguments(ALL.type("mail"), "jobqueue_archive_pkey"));
	}

	/**
	 * Which an operator replays, the oldest first: as quick as lists, and with the same
	 * jobs.
	 */
	@ParameterizedTest
	@MethodSource
	void replayed(JobQuery query, String index) {
		List<UUID> oldest = ids(this.recorded.searchArchive(query, Duration.ofSeconds(20)));
		assertReads("jobqueue_archive", index);
		List<UUID> newest = ids(this.recorded.search(query.limit(1_000).states(JobState.DEAD, JobState.SUCCEEDED),
				Duration.ofSeconds(20)));
		assertThat(oldest).isNotEmpty().isSorted();
		if (newest.size() < 1_000) {
			assertThat(newest.stream().sorted().limit(20)).isEqualTo(oldest);
		}
	}

	private static List<UUID> ids(SearchResult result) {
		return result.jobs().stream().map((job) -> job.id()).toList();
	}

	static Stream<JobQuery> fewJobs() {
		return Stream.of(ALL.states(JobState.RUNNING), ALL.queue("emails").key("k7000"));
	}

	/**
	 * They are looked up by their ids.
	 */
	@ParameterizedTest
	@MethodSource
	void fewJobs(JobQuery query) {
		search(query.states(JobState.RUNNING));
		assertThat(this.recorder.take()).last()
			.satisfies((plan) -> assertThat(plan.buffers()).as(plan.toString()).isLessThan(600));
	}

	static Stream<JobQuery> unordered() {
		return Stream.of(ALL.states(JobState.DEAD, JobState.CANCELLED), ALL.finishedFrom(Instant.EPOCH),
				ALL.finishedBefore(Instant.now().plusSeconds(60)), ALL.states(JobState.RUNNING, JobState.DEAD));
	}

	/**
	 * No search needs these in the order of claims.
	 */
	@ParameterizedTest
	@MethodSource
	void unordered(JobQuery query) {
		assertThat(search(query).jobs()).hasSize(20);
		assertThat(this.recorder.take()).singleElement()
			.satisfies((plan) -> assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
				.noneMatch((read) -> read.endsWith(" jobqueue_job_fetch"))
				.allMatch((read) -> read.startsWith("Index")))
			.satisfies((plan) -> assertThat(plan.readsOf("jobqueue_archive")).as(plan.toString())
				.allMatch((read) -> read.startsWith("Index")));
	}

	static Stream<JobQuery> liveJobs() {
		return Stream.of(ALL.limit(100).states(JobState.RUNNING), ALL.queue("a").states(JobState.READY),
				ALL.queue("rare").states(JobState.READY));
	}

	/**
	 * Neither in the archive, nor in other queues.
	 */
	@ParameterizedTest
	@MethodSource
	void liveJobs(JobQuery query) {
		assertThat(search(query).partial()).isFalse();
		assertThat(this.recorder.take()).hasSize(1);
	}

	static Stream<Arguments> archiveQueries() {
		return Stream.of(arguments(ALL.states(JobState.SUCCEEDED), "jobqueue_archive_pkey"),
				arguments(ALL.states(JobState.DEAD), "jobqueue_archive_unsuccessful"),
				arguments(ALL.queue("rare").states(JobState.DEAD), "jobqueue_archive_unsuccessful_of_queue"),
				arguments(ALL.queue("rare").group("import").states(JobState.DEAD, JobState.SUCCEEDED),
						"jobqueue_archive_group"),
				arguments(ALL.queue("emails").key("k7000").states(JobState.DEAD), "jobqueue_archive_key"));
	}

	@ParameterizedTest
	@MethodSource
	void archiveQueries(JobQuery query, String index) {
		SearchResult page = search(query);
		assertThat(page.jobs()).isNotEmpty();
		assertThat(page.partial()).isFalse();
		assertReads("jobqueue_archive", index);
	}

	private SearchResult search(JobQuery query) {
		return this.recorded.search(query, Duration.ofMinutes(1));
	}

	private void assertReads(String table, String index) {
		Plan plan = this.recorder.take().get(0);
		assertThat(plan.readsOf(table)).as(plan.toString())
			.anyMatch((read) -> read.endsWith(" " + index))
			.allMatch((read) -> read.startsWith("Index"));
		assertThat(plan.buffers()).as("%d buffers: %s", plan.buffers(), plan).isLessThan(6_000);
	}

	/**
	 * As on the first page.
	 */
	@Test
	void lastPageCostsNoMoreThanTheFirst() {
		search(ALL.queue("emails"));
		long first = this.recorder.take().get(0).buffers();
		search(ALL.queue("emails").after("live.emails.2.9000000000000000.0." + WORKER));
		Plan last = this.recorder.take().get(0);
		assertThat(last.readsOf("jobqueue_job")).as(last.toString())
			.anyMatch((read) -> read.endsWith(" jobqueue_job_fetch"))
			.allMatch((read) -> read.startsWith("Index"));
		assertThat(last.buffers()).as("%d buffers, %d on the first page: %s", last.buffers(), first, last)
			.isLessThanOrEqualTo(first);
	}

	@Test
	void noStepLooksAtMoreThanItMay() {
		search(ALL.type("nothing"));
		List<Plan> plans = this.recorder.take();
		assertThat(plans).hasSizeBetween(26, 40).allSatisfy((plan) -> {
			assertThat(plan.readsOf("jobqueue_job")).allMatch((read) -> read.startsWith("Index"));
			assertThat(plan.readsOf("jobqueue_archive")).allMatch((read) -> read.startsWith("Index"));
			assertThat(plan.buffers()).as("%d buffers: %s", plan.buffers(), plan).isLessThan(2_000);
		});
	}

	@Test
	void largeArchiveIsCountedUpToACap() {
		List<ArchiveCount> counts = this.recorded.countFinished();
		assertThat(counts).anySatisfy((count) -> {
			assertThat(count.queue()).isEqualTo("emails");
			assertThat(count.state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(count.count().capped()).isTrue();
			assertThat(count.count().jobs()).isBetween(1_000L, 10_001L);
		}).anySatisfy((count) -> {
			assertThat(count.queue()).isEqualTo("rare");
			assertThat(count.state()).isEqualTo(JobState.DEAD);
			assertThat(count.count().capped()).isFalse();
			assertThat(count.count().jobs()).isEqualTo(6);
		});
		assertReads("jobqueue_archive", "jobqueue_archive_unsuccessful_of_queue");
	}

	@Test
	void jobIsFoundByItsId() {
		this.recorded.find(WORKER);
		assertReads("jobqueue_job", "jobqueue_job_pkey");
		this.recorded.findByKey("emails", "k7000");
		assertReads("jobqueue_job", "jobqueue_job_pkey");
	}

}
