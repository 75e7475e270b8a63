package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.benchmark.chaos.TickChecker.TickVerdict;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TickChecker}.
 */
@Tag("slow") // tests the benchmark's own checks
class TickCheckerTests {

	private static BenchmarkDatabase database;

	@BeforeAll
	static void open() throws IOException {
		database = BenchmarkDatabase.open();
		new SchemaMigration(database.dataSource(), null, true).afterPropertiesSet();
		database.execute(Ledger.TABLES);
	}

	@AfterAll
	static void close() throws IOException {
		database.close();
	}

	@BeforeEach
	void clear() {
		List.of("chaos_order", "chaos_tick", "jobqueue_job", "jobqueue_archive", "jobqueue_recurring")
			.forEach((table) -> database.execute("DELETE FROM " + table));
	}

	@Test
	void oneJobPerTickIsAsPromised() {
		schedule("ALL", "ALLOW", 3);
		List.of(1, 2, 3).forEach((second) -> effect(job(second, "SUCCEEDED"), second));
		assertThat(check()).isEqualTo(new TickVerdict(3, 0, 0));
		assertThat(suspects()).isEmpty();
	}

	@Test
	void tickWithoutAJobIsLost() {
		schedule("ALL", "ALLOW", 3);
		List.of(1, 3).forEach((second) -> effect(job(second, "SUCCEEDED"), second));
		assertThat(check()).isEqualTo(new TickVerdict(3, 1, 0));
		assertThat(suspects()).hasSize(1);
	}

	@Test
	void secondJobOfATickIsDoubled() {
		schedule("ALL", "ALLOW", 1);
		effect(job(1, "SUCCEEDED"), 1);
		effect(job(1, "SUCCEEDED"), 1);
		assertThat(check()).isEqualTo(new TickVerdict(1, 0, 1));
		assertThat(suspects()).hasSize(1);
	}

	@Test
	void jobOfATickThatTheScheduleDoesNotHaveIsDoubled() {
		schedule("ALL", "ALLOW", 1);
		List.of(1, 2).forEach((second) -> effect(job(second, "SUCCEEDED"), second));
		assertThat(check()).isEqualTo(new TickVerdict(1, 0, 1));
	}

	@Test
	void ticksThatPoliciesLeaveOutAreNotLost() {
		schedule("ONCE", "SKIP", 3);
		effect(job(3, "SUCCEEDED"), 3);
		assertThat(check()).isEqualTo(new TickVerdict(0, 0, 0));
		effect(job(3, "SUCCEEDED"), 3);
		assertThat(check()).isEqualTo(new TickVerdict(0, 0, 1));
	}

	@Test
	void jobWithoutTheEffectOfItsTickIsLost() {
		schedule("ALL", "ALLOW", 2);
		job(1, "SUCCEEDED");
		effect(job(2, "SUCCEEDED"), 1);
		assertThat(check()).isEqualTo(new TickVerdict(2, 2, 0));
	}

	@Test
	void secondEffectOfOneJobIsAllowed() {
		schedule("ALL", "ALLOW", 1);
		UUID job = job(1, "SUCCEEDED");
		effect(job, 1);
		effect(job, 1);
		assertThat(check()).isEqualTo(new TickVerdict(1, 0, 0));
	}

	@Test
	void jobOfATickIsNoJobWithoutAnOrder() {
		schedule("ALL", "ALLOW", 1);
		effect(job(1, "SUCCEEDED"), 1);
		assertThat(new Checker(database.sql()).check(List.of()).lost()).isZero();
	}

	private static TickVerdict check() {
		return new TickChecker(database.sql()).check();
	}

	private static List<?> suspects() {
		return new TickChecker(database.sql()).suspects();
	}

	private static void schedule(String misfire, String overlap, int lastSecond) {
		database.sql().sql("""
				INSERT INTO jobqueue_recurring (name, next_at, anchor_at, last_at, version, rate_millis, jitter_millis,
				                                declared, queue, type, payload, misfire, overlap)
				VALUES ('tick-a', 'infinity', '2026-11-20 12:00:00Z', '2026-11-20 12:00:00Z'::timestamptz
				        + ? * interval '1 second', 0, 1000, 0, true, 'chaos', 'tick-a', '{}', ?, ?)
				""").params(lastSecond, misfire, overlap).update();
	}

	private static UUID job(int second, String state) {
		UUID job = UUID.randomUUID();
		database.sql()
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority,
					                              state, queue, type, payload, headers)
					VALUES (?, 1, now(), now(), now(), 1, 0, 10, ?, 'chaos', 'tick-a', '{}', ?)
					""")
			.params(job, state, "{\"jobqueue.scheduled-at\": \"2026-11-20T12:00:0%dZ\"}".formatted(second))
			.update();
		return job;
	}

	private static void effect(UUID job, int second) {
		database.sql().sql("""
				INSERT INTO chaos_tick VALUES (?, '2026-11-20 12:00:00Z'::timestamptz + ? * interval '1 second')
				""").params(job, second).update();
	}

}
