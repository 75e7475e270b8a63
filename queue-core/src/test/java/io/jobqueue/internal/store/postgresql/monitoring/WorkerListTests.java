package io.jobqueue.internal.store.postgresql.monitoring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.OverviewStore.ListedJob;
import io.jobqueue.internal.store.OverviewStore.ListedWorker;
import io.jobqueue.internal.store.OverviewStore.ServedQueue;
import io.jobqueue.internal.store.OverviewStore.WorkerList;
import io.jobqueue.internal.store.WorkerStore.HandledQueue;
import io.jobqueue.internal.store.postgresql.jobs.Outcomes;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The list of workers, and of what they run.
 */
class WorkerListTests extends StoreTestBase {

	private static final Duration SECONDS = Duration.ofSeconds(30);

	@Test
	void noWorkerIsRegistered() {
		WorkerList list = this.stores.overview().workers();
		assertThat(list.workers()).isEmpty();
		assertThat(list.total()).isZero();
	}

	@Test
	void workerHasWhatItHasRegistered() {
		UUID id = UUID.randomUUID();
		this.workers.checkIn(new WorkerBuilder(id).name("host:1")
			.application("shop")
			.queues("emails", "letters")
			.limits("emails: cluster-concurrency 3")
			.build(), true);
		ListedWorker worker = list().get(0);
		assertThat(worker.id()).isEqualTo(id);
		assertThat(worker.name()).isEqualTo("host:1");
		assertThat(worker.application()).isEqualTo("shop");
		assertThat(worker.queues()).containsExactly(new ServedQueue("emails", null), new ServedQueue("letters", null));
		assertThat(worker.limits()).isEqualTo("emails: cluster-concurrency 3");
		assertThat(worker.living()).isTrue();
		assertThat(worker.claimed()).isEqualTo(new JobCount(0, false));
		assertThat(worker.longest()).isEmpty();
	}

	@Test
	void concurrencyIsThatOfTheQueuesThatAreServed() {
		this.workers.checkIn(new WorkerBuilder(UUID.randomUUID()).queues("off", "emails", "pulled")
			.handled(Map.of("emails", handled(16), "off", handled(0), "pulled", handled(null), "other", handled(4)))
			.build(), true);
		assertThat(list().get(0).queues()).containsExactly(new ServedQueue("off", 0), new ServedQueue("emails", 16),
				new ServedQueue("pulled", null));
		this.sql.sql("UPDATE jobqueue_worker SET queues = ''").update();
		assertThat(list().get(0).queues()).isEmpty();
	}

	private static HandledQueue handled(@Nullable Integer concurrency) {
		return new HandledQueue(Set.of("mail"), concurrency, 0, 99, ClusterLimits.NONE);
	}

	@Test
	void timesAreThoseOfTheDatabase() {
		UUID id = worker("a");
		this.sql.sql("""
				UPDATE jobqueue_worker
				SET started_at = now() - interval '2 hours', last_active_at = now() - interval '7 seconds'
				WHERE id = ?""").param(id).update();
		WorkerList list = this.stores.overview().workers();
		ListedWorker worker = list.workers().get(0);
		assertThat(Duration.between(worker.heartbeatAt(), list.at())).isBetween(Duration.ofSeconds(7), SECONDS);
		assertThat(Duration.between(worker.startedAt(), list.at())).isBetween(Duration.ofHours(2),
				Duration.ofHours(2).plus(SECONDS));
	}

	@Test
	void workersWithoutHeartbeatComeFirst() {
		worker("a");
		fallSilent(worker("c"));
		worker("b");
		assertThat(list()).extracting(ListedWorker::name).containsExactly("c", "a", "b");
		assertThat(list()).extracting(ListedWorker::living).containsExactly(false, true, true);
	}

	@Test
	void claimedJobsAreThoseWithoutOutcome() {
		UUID worker = worker("a");
		UUID other = worker("b");
		enqueue("emails", 4);
		List<ClaimedJob> claimed = claim(worker, request("emails", 3));
		claim(other, request("emails", 1));
		this.jobs.recordOutcomes(worker, List.of(Outcomes.completed(claimed.get(1))), List.of(),
				CompletionEffects.NONE);
		assertThat(list().get(0).claimed()).isEqualTo(new JobCount(2, false));
		assertThat(list().get(0).longest()).extracting(ListedJob::id)
			.containsExactlyInAnyOrder(claimed.get(0).id(), claimed.get(2).id());
		assertThat(list().get(1).longest()).singleElement()
			.extracting(ListedJob::queue, ListedJob::type)
			.containsExactly("emails", "mail");
	}

	@Test
	void jobsThatWereClaimedFirstAreListed() {
		UUID worker = worker("a");
		enqueue("emails", 12);
		IntStream.range(0, 12).forEach((number) -> claim(worker, request("emails", 1)));
		this.sql.sql("UPDATE jobqueue_claim SET claimed_at = claimed_at - claim * interval '1 minute'").update();
		ListedWorker listed = list().get(0);
		assertThat(listed.claimed()).isEqualTo(new JobCount(12, false));
		assertThat(listed.longest()).hasSize(OverviewStore.MAX_CLAIMED);
		assertThat(listed.longest()).extracting(ListedJob::claimedAt).isSorted();
		assertThat(Duration.between(listed.longest().get(0).claimedAt(), Instant.now()))
			.isGreaterThan(Duration.ofMinutes(11));
	}

	/**
	 * Also if ten others were claimed before it.
	 */
	@Test
	void jobsThatExceedTheirMaximumRunTimeComeFirst() {
		UUID worker = worker("a");
		List<UUID> jobs = enqueue("emails", 12);
		IntStream.range(0, 12).forEach((number) -> claim(worker, request("emails", 1)));
		this.sql.sql("UPDATE jobqueue_job SET lease_until = NULL WHERE id = ?").param(jobs.get(3)).update();
		this.sql.sql("UPDATE jobqueue_job SET lease_until = now() - interval '1 second' WHERE id = ?")
			.param(jobs.get(11))
			.update();
		assertThat(list().get(0).longest()).extracting(ListedJob::id)
			.startsWith(jobs.get(11), jobs.get(0), jobs.get(1))
			.hasSize(OverviewStore.MAX_CLAIMED);
	}

	@Test
	void leaseIsTheTimeUntilWhichAJobMayRun() {
		UUID worker = worker("a");
		UUID job = enqueue(job("emails", 10));
		Instant before = Instant.now();
		claimOne(worker);
		ListedJob listed = list().get(0).longest().get(0);
		assertThat(listed.id()).isEqualTo(job);
		assertThat(listed.claimedAt()).isCloseTo(before, within(SECONDS));
		assertThat(listed.leaseUntil()).isAfter(listed.claimedAt());
		this.sql.sql("UPDATE jobqueue_job SET lease_until = NULL").update();
		assertThat(list().get(0).longest().get(0).leaseUntil()).isNull();
	}

	@Test
	void searchEndsAfterTheShareOfAWorker() {
		UUID worker = worker("a");
		this.sql.sql("""
				INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
				SELECT ?, c, now(), 25, 'emails', array_agg(gen_random_uuid())
				FROM generate_series(1, 11) c CROSS JOIN generate_series(1, 1000) j
				GROUP BY c
				""").param(worker).update();
		claim("emails", worker, 10);
		claim("emails", worker, 11);
		assertThat(list().get(0).claimed()).isEqualTo(new JobCount(1, true));
	}

	/**
	 * Add a job to a claim.
	 */
	private void claim(String queue, UUID worker, int claim) {
		UUID job = enqueue(job(queue, 10));
		this.sql.sql("UPDATE jobqueue_job SET locked_by = ?, claim = ? WHERE id = ?")
			.params(worker, claim, job)
			.update();
		this.sql.sql("UPDATE jobqueue_claim SET job_ids[1] = ? WHERE claim = ?").params(job, claim).update();
	}

	@Test
	void workersBeyondTheCapAreOnlyCounted() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues)
					SELECT gen_random_uuid(), now(), now(), 60000, gen_random_uuid(), true, 'worker-' || n, 'emails'
					FROM generate_series(1, 103) n
					""")
			.update();
		WorkerList list = this.stores.overview().workers();
		assertThat(list.workers()).hasSize(OverviewStore.MAX_WORKERS);
		assertThat(list.total()).isEqualTo(103);
	}

	private List<ListedWorker> list() {
		return this.stores.overview().workers().workers();
	}

}
