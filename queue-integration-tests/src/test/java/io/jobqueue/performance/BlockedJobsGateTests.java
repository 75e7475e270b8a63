package io.jobqueue.performance;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is read where 300,000 jobs of the same queue and priority wait for others.
 */
@Tag("slow") // fills large tables
class BlockedJobsGateTests extends GateTestBase {

	private static final int BLOCKED = 300_000;

	private static final Duration HANDLER = Duration.ofMillis(40);

	/**
	 * So many are measured, however long they take.
	 */
	private static final int CLAIMS = 20;

	private static final String CLAIM = "INSERT INTO jobqueue_claim";

	private static final String SCAN = "served AS";

	private static final String LOOK = "met (";

	private static final String COUNT = "running AS";

	private static final String RELEASE = "orphaned AS";

	/**
	 * One test, since the table takes longer than the rest.
	 */
	@Test
	void buffersOfReadersOfOtherJobs() {
		MigratedDatabase.fill(this.sql, this::insert);
		producer().queue().enqueue("emails", new Mail("hello"));
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
		PostgresStores stores = closeLater(PostgresStores.of(this.database.dataSource(), null, null));
		readGauges(stores);
		release(stores);
		claim();
	}

	/**
	 * Each waits for itself, and thus for ever.
	 */
	private void insert() {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, follows, run_at, due_at, created_at, priority, queue, type, payload)
				SELECT n.id, n.id, 'infinity', now(), now(), 10, 'emails', 'mail', '{"text":""}'
				FROM (
				    SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id
				    FROM generate_series(1, ?) n) n
				""").param(BLOCKED).update();
	}

	private void readGauges(PostgresStores stores) {
		this.figures.reset();
		TierSnapshot tier = stores.monitoring().read(Set.of("emails")).tiers().get(0);
		assertThat(tier.counts().ready().jobs()).isOne();
		assertThat(tier.counts().blocked()).isEqualTo(new JobCount(10_000, true));
		Gate.atMost(100, (double) this.figures.buffers(LOOK), "Buffers of a look beside 300,000 blocked jobs");
		Gate.atMost(1_000, (double) this.figures.buffers(COUNT), "Buffers of a count beside 300,000 blocked jobs");
	}

	private void release(PostgresStores stores) {
		this.figures.reset();
		assertThat(stores.maintenance().releaseFollowUps(null, 1_000).released()).isEmpty();
		Gate.atMost(10_000, (double) this.figures.buffers(RELEASE), "Buffers of a look at a thousand blocked jobs");
	}

	private void claim() {
		enqueue(1_000);
		node(settings().defaults().keepSucceeded(Duration.ZERO).concurrency(1).handler((mail, job) -> {
			Thread.sleep(HANDLER.toMillis());
			this.handled.incrementAndGet();
		})).start();
		await().until(() -> this.handled.get() >= 20);
		this.figures.reset();
		await().until(() -> this.figures.calls(CLAIM) >= CLAIMS && this.figures.calls(SCAN) > 0);
		Gate.atMost(100, this.figures.buffers(CLAIM) / (double) this.figures.calls(CLAIM),
				"Buffers of a claim beside 300,000 blocked jobs");
		Gate.atMost(100, this.figures.buffers(SCAN) / (double) this.figures.calls(SCAN),
				"Buffers of a scan beside 300,000 blocked jobs");
	}

}
