package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.CrashableServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which claims wait for the disk on a server that has {@code synchronous_commit} switched
 * off. Its WAL writer flushes what is left every 10 s, the longest it takes: what does
 * not wait is lost in a crash before that.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow") // kills servers
@Tag("pooler") // statements of the store
@Tag("oldest") // statements of the store
class DurableClaimTests {

	private final CrashableServer server = new CrashableServer(
			Map.of("synchronous_commit", "off", "wal_writer_delay", "10s"));

	private final JdbcClient sql = JdbcClient.create(this.server.dataSource());

	private final PostgresStores stores = PostgresStores.of(this.server.dataSource(), this.server.dataSource(), null);

	private final UUID worker = UUID.randomUUID();

	private long claims;

	@BeforeAll
	void checkIn() {
		new SchemaMigration(this.server.dataSource(), null, true).afterPropertiesSet();
		this.stores.workers().checkIn(new WorkerBuilder(this.worker).timeout(Duration.ofHours(1)).build(), false);
	}

	@AfterAll
	void stop() {
		this.stores.close();
		this.server.close();
	}

	@Test
	void claimOfAJobThatRunsAtMostOnceSurvivesACrash() {
		enqueue();
		this.sql.sql("CHECKPOINT").update();
		claim(Set.of("mail"));
		assertClaimSurvivesACrash();
	}

	@Test
	void directClaimOfAJobThatRunsAtMostOnceSurvivesACrash() {
		UUID job = enqueue();
		this.sql.sql("CHECKPOINT").update();
		assertThat(this.stores.jobs()
			.claimNew(this.worker, new ClaimRequestBuilder(++this.claims).onceTypes("mail").buildFor(job))
			.jobs()).hasSize(1);
		assertClaimSurvivesACrash();
	}

	private void assertClaimSurvivesACrash() {
		this.server.crash();
		assertThat(this.sql.sql("SELECT locked_by FROM jobqueue_job").query(UUID.class).list())
			.containsExactly(this.worker);
		assertThat(this.sql.sql("SELECT claim FROM jobqueue_claim").query(Long.class).list())
			.containsExactly(this.claims);
		this.sql.sql("TRUNCATE jobqueue_job, jobqueue_claim").update();
	}

	/**
	 * The WAL writer may flush one of them by chance.
	 */
	@Test
	void otherClaimsDoNotWait() {
		IntStream.range(0, 3).forEach((job) -> enqueue());
		List<Boolean> flushed = IntStream.range(0, 3).mapToObj((job) -> {
			claim(Set.of());
			return this.sql.sql("SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()")
				.query(Boolean.class)
				.single();
		}).toList();
		assertThat(flushed).contains(false);
		this.sql.sql("TRUNCATE jobqueue_job, jobqueue_claim").update();
	}

	private UUID enqueue() {
		NewJob job = new NewJobBuilder().build();
		this.stores.jobs().enqueue(List.of(job));
		return job.id();
	}

	private void claim(Set<String> onceTypes) {
		assertThat(this.stores.jobs().claim(this.worker, request(onceTypes)).jobs()).hasSize(1);
	}

	private ClaimRequest request(Set<String> onceTypes) {
		return new ClaimRequestBuilder(++this.claims).onceTypes(onceTypes).build();
	}

}
