package io.jobqueue.performance;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is read where 300,000 jobs of the same queue and priority wait for their ordering
 * or limit key.
 */
@Tag("slow") // fills large tables
class HeldJobsGateTests extends GateTestBase {

	private static final int HELD = 300_000;

	private static final Duration HANDLER = Duration.ofMillis(40);

	/**
	 * So many are measured, however long they take.
	 */
	private static final int CLAIMS = 20;

	private static final String CLAIM = "INSERT INTO jobqueue_claim";

	private static final String SCAN = "served AS";

	private static final String ADMIT = "selected AS";

	/**
	 * One test, since the table takes longer than the rest.
	 */
	@Test
	void buffersOfReadersOfOtherJobs() {
		double alone = claim();
		MigratedDatabase.fill(this.sql, this::insert);
		double beside = claim();
		Gate.atMost(100, beside - alone, "Buffers of a claim that 300,000 held jobs add");
		Gate.atMost(100, this.figures.buffers(SCAN) / (double) this.figures.calls(SCAN),
				"Buffers of a scan beside 300,000 held jobs");
		Gate.atMost(0, (double) this.figures.calls(ADMIT), "Looks at the admission for jobs without keys");
		readGauges();
	}

	/**
	 * The keys have no holder, and no worker releases them.
	 */
	private void insert() {
		for (List<String> held : List.of(List.of("ordering_key", "8000", "ORDER"),
				List.of("limit_key", "8001", "SLOT"))) {
			this.sql
				.sql("""
						INSERT INTO jobqueue_job (id, run_at, due_at, created_at, priority, queue, type, payload, %s, admission)
						SELECT ('00000000-0000-7000-%s-' || lpad(to_hex(n), 12, '0'))::uuid, 'infinity', now(), now(), 10, 'emails', 'mail', '{"text":""}',
						       'key ' || n %% 1000, '%s'
						FROM generate_series(1, ?) n
						"""
					.formatted(held.toArray()))
				.param(HELD / 2)
				.update();
		}
	}

	private double claim() {
		this.handled.set(0);
		enqueue(1_000);
		QueueNode node = node(settings().defaults()
			.keepSucceeded(Duration.ZERO)
			.reaperInterval(Duration.ofDays(365))
			.concurrency(1)
			.handler((mail, job) -> {
				Thread.sleep(HANDLER.toMillis());
				this.handled.incrementAndGet();
			})).start();
		await().until(() -> this.handled.get() >= 20);
		this.figures.reset();
		await().until(() -> this.figures.calls(CLAIM) >= CLAIMS && this.figures.calls(SCAN) > 0);
		double buffers = this.figures.buffers(CLAIM) / (double) this.figures.calls(CLAIM);
		node.close();
		this.sql.sql("DELETE FROM jobqueue_job WHERE admission IS NULL").update();
		this.sql.sql("VACUUM jobqueue_job").update();
		return buffers;
	}

	private void readGauges() {
		producer().queue().enqueue("emails", new Mail("hello"));
		PostgresStores stores = closeLater(PostgresStores.of(this.database.dataSource(), null, null));
		TierSnapshot tier = stores.monitoring().read(Set.of("emails")).tiers().get(0);
		assertThat(tier.counts().ready().jobs()).isOne();
		assertThat(tier.counts().blocked()).isEqualTo(new JobCount(10_000, true));
	}

}
