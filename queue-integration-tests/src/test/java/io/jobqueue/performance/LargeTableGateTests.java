package io.jobqueue.performance;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is read to find the few jobs that are claimed among 500,000 that wait.
 */
@Tag("slow") // fills large tables
class LargeTableGateTests extends GateTestBase {

	private static final int READY = 500_000;

	private static final int RUNNING = 100;

	private static final Duration HANDLER = Duration.ofMillis(40);

	/**
	 * So many are measured, however long they take.
	 */
	private static final int CLAIMS = 20;

	private static final String CLAIM = "INSERT INTO jobqueue_claim";

	private static final String REAPER = "expired AS";

	private static final String COUNT = "running AS";

	private final CountDownLatch release = new CountDownLatch(1);

	/**
	 * One test, since the table takes longer than the rest.
	 */
	@Test
	void buffersOfSearchesForFewJobs() {
		MigratedDatabase.fill(this.sql, this::insert);
		node(settings().defaults()
			.reaperInterval(Duration.ofHours(1))
			.concurrency(RUNNING)
			.handler((mail, job) -> this.release.await())).start();
		await().until(() -> count("(SELECT unnest(job_ids) FROM jobqueue_claim) held") == RUNNING);
		PostgresStores stores = closeLater(PostgresStores.of(this.database.dataSource(), null, null));
		countRunning(stores);
		findNothing(stores);
		takeOne(stores);
		claimBesideJobsOfAnUnknownType();
		claimBesideAQueueThatHasReachedItsRate();
	}

	@AfterEach
	void letHandlersEnd() {
		this.release.countDown();
	}

	private void insert() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
					SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
					       now() - interval '1 day' + n * interval '1 millisecond', now(), 10, 'emails', 'mail', '{"text":""}'
					FROM generate_series(1, ?) n
					""")
			.param(READY)
			.update();
	}

	private void countRunning(PostgresStores stores) {
		this.figures.reset();
		TierSnapshot tier = stores.monitoring().read(Set.of("emails")).tiers().get(0);
		assertThat(tier.counts().running().jobs()).isEqualTo(RUNNING);
		Gate.atMost(1_000, (double) this.figures.buffers(COUNT),
				"Buffers of one count of 100 running jobs, with all other counts");
	}

	private void findNothing(PostgresStores stores) {
		this.figures.reset();
		assertThat(stores.maintenance().reap(null).taken()).isEmpty();
		assertThat(this.figures.calls(REAPER)).isOne();
		Gate.atMost(1_000, (double) this.figures.buffers(REAPER), "Buffers of a reaper pass that finds nothing");
	}

	private void takeOne(PostgresStores stores) {
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = now()").update();
		this.sql.sql("UPDATE jobqueue_job SET lease_until = now() WHERE id IN (SELECT job_ids[1] FROM jobqueue_claim)")
			.update();
		this.figures.reset();
		assertThat(stores.maintenance().reap(null).taken()).hasSize(1);
		Gate.atMost(1_000, (double) this.figures.buffers(REAPER),
				"Buffers of a reaper pass that looks at 100 jobs and takes one");
	}

	/**
	 * In the same queue and priority.
	 */
	private void claimBesideJobsOfAnUnknownType() {
		QueueNode node = node(settings().defaults().concurrency(1));
		claim(node, "emails", "Buffers of a claim beside 500,000 jobs of an unknown type");
	}

	/**
	 * The same worker serves both queues.
	 */
	private void claimBesideAQueueThatHasReachedItsRate() {
		this.sql.sql("INSERT INTO jobqueue_rate (queue, began_at, ended_at, jobs) VALUES ('emails', now(), now(), ?)")
			.param(READY)
			.update();
		AtomicInteger mails = new AtomicInteger();
		QueueNode node = node(settings().defaults()
			.concurrency(1)
			.limits(new ClusterLimits(null, new Rate(READY, Duration.ofDays(1))))
			.handler((mail, job) -> mails.incrementAndGet()));
		claim(node, "letters", "Buffers of a claim beside 500,000 jobs that wait for a permit");
		assertThat(mails).hasValue(0);
	}

	/**
	 * One handler that takes a while has the worker claim a few jobs at a time.
	 */
	private void claim(QueueNode node, String queue, String what) {
		this.handled.set(0);
		node.registry().register(queue, Letter.class, (letter, job) -> {
			Thread.sleep(HANDLER.toMillis());
			this.handled.incrementAndGet();
			return JobResult.success();
		});
		enqueue(1_000, (number) -> JobRequest.of(queue, new Letter(number)));
		node.start();
		await().until(() -> this.handled.get() >= 20);
		this.figures.reset();
		await().until(() -> this.figures.calls(CLAIM) >= CLAIMS);
		Gate.atMost(100, this.figures.buffers(CLAIM) / (double) this.figures.calls(CLAIM), what);
		node.close();
	}

	/**
	 * A payload.
	 *
	 * @param number which one it is
	 */
	record Letter(int number) {
	}

}
