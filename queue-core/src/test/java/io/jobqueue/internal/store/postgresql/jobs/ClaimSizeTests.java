package io.jobqueue.internal.store.postgresql.jobs;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many bytes a claim takes, whatever room they have on disk.
 */
class ClaimSizeTests extends StoreTestBase {

	private static final String COMPRESSIBLE = "repeat('x', 1000)";

	private static final String INCOMPRESSIBLE = """
			(SELECT string_agg(md5(n::text || i), '') FROM generate_series(1, 3000) i)""";

	@Test
	void countsPayloadsUncompressed() {
		fill(5, "repeat('x', 100000)", "NULL", "NULL");
		assertThat(claimed(300_000).jobs()).hasSize(3);
	}

	@Test
	void countsBytes() {
		fill(5, "NULL", "convert_to(%s, 'UTF8')".formatted(COMPRESSIBLE), "NULL");
		assertThat(claimed(2_999).jobs()).hasSize(2);
	}

	@Test
	void countsHeadersInBytes() {
		fill(5, COMPRESSIBLE, "NULL", "repeat('é', 500)");
		assertThat(claimed(5_999).jobs()).hasSize(2);
	}

	@Test
	void takesTheFirstJobWhateverItsSize() {
		fill(5, COMPRESSIBLE, "NULL", "NULL");
		assertThat(claimed(1).jobs()).singleElement().satisfies((job) -> assertThat(job.seq()).isEqualTo(first()));
	}

	@Test
	void returnsTheJobsBeyondTheLimit() {
		fill(5, COMPRESSIBLE, "NULL", "NULL");
		ClaimResult claimed = claimed(2_000);
		assertThat(claimed.jobs()).hasSize(2);
		assertThat(claimed.withheld()).hasSize(3);
		assertThat(claimed.mayBeMore()).isTrue();
		assertThat(claimed.missed()).isFalse();
		assertThat(claim(worker(), request("emails", 9))).hasSize(3);
	}

	@Test
	void takesThemInTheOrderOfClaims() {
		fill(2, COMPRESSIBLE, "NULL", "NULL");
		this.sql.sql("UPDATE jobqueue_job SET priority = 5 WHERE seq = ?").param(first() + 1).update();
		assertThat(claimed(1).jobs()).singleElement().satisfies((job) -> assertThat(job.seq()).isEqualTo(first() + 1));
	}

	/**
	 * A payload of this kind fills 13 pages beside the table.
	 */
	@Test
	void readsNoPayloadToLearnItsSize() {
		fill(100, INCOMPRESSIBLE, "NULL", "NULL");
		PlanRecorder recorder = new PlanRecorder(this.database);
		try (PostgresStores recorded = PostgresStores.of(recorder, this.database.dataSource(), null)) {
			assertThat(recorded.jobs().claim(worker(), request("emails", 100).within(100, 1)).jobs()).hasSize(1);
		}
		Plan plan = recorder.takeOnly();
		assertThat(plan.buffers()).as(plan.toString()).isLessThan(600);
	}

	private ClaimResult claimed(long bytes) {
		ClaimRequest request = request("emails", 9).within(9, bytes);
		return this.jobs.claim(worker(), request);
	}

	private long first() {
		return this.sql.sql("SELECT min(seq) FROM jobqueue_job").query(Long.class).single();
	}

	private void fill(int jobs, String payload, String bytes, String headers) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, payload_bytes, headers)
					SELECT gen_random_uuid(), now(), now(), 10, 'emails', 'mail', %s, %s, %s FROM generate_series(1, %d) n
					"""
				.formatted(payload, bytes, headers, jobs))
			.update();
	}

}
