package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

import org.springframework.dao.PessimisticLockingFailureException;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.MaintenanceStore.KeyPass;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Snoozed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Producers, some of which commit late, and workers that admit, claim and record at
 * random, all at the same time: of each ordering key one job runs, of each limit key as
 * many as there are slots, and each job comes to its end. Releasing keys suffices for
 * that, and a sweep where workers fall silent or do not release them.
 */
@Tag("slow") // races many times
class AdmissionRaceTests extends AdmissionTestBase {

	private static final int PRODUCERS = 3;

	private static final int WORKERS = 5;

	private static final int JOBS_EACH = 60;

	private static final int SLOTS = 2;

	private static final AdmissionRules RULES = slots(SLOTS);

	private final Map<String, List<Long>> begun = new ConcurrentHashMap<>();

	private ExecutorService threads = Executors.newCachedThreadPool();

	private CountDownLatch done = new CountDownLatch(1);

	private boolean workersFail;

	@BeforeEach
	void reset() {
		this.begun.clear();
		this.threads = Executors.newCachedThreadPool();
		this.done = new CountDownLatch(1);
		this.workersFail = false;
	}

	@AfterEach
	void stop() throws InterruptedException {
		this.done.countDown();
		this.threads.shutdownNow();
		assertThat(this.threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
	}

	@RepeatedTest(2)
	void completionsAdmitAllJobsWithoutASweep() throws Exception {
		race();
	}

	@RepeatedTest(2)
	void sweepFindsKeysThatWereNotReleased() throws Exception {
		this.workersFail = true;
		start(1, this::upkeep);
		race();
	}

	private void race() throws Exception {
		List<Future<?>> watching = start(1, this::watch);
		List<Future<?>> working = start(WORKERS, this::work);
		List<Future<?>> producing = new ArrayList<>();
		for (int producer = 0; producer < PRODUCERS; producer++) {
			String own = "own " + producer;
			producing.addAll(start(1, () -> produce(own)));
		}
		awaitAll(producing);
		awaitEnd(working);
		this.done.countDown();
		awaitAll(working);
		awaitAll(watching);
		assertThat(this.begun).hasSize(PRODUCERS).allSatisfy((key, places) -> assertThat(places).as(key).isSorted());
	}

	private List<Future<?>> start(int count, Runnable task) {
		List<Future<?>> started = new ArrayList<>();
		for (int thread = 0; thread < count; thread++) {
			started.add(this.threads.submit(task));
		}
		return started;
	}

	private static void awaitAll(List<Future<?>> tasks) throws Exception {
		for (Future<?> task : tasks) {
			task.get(60, TimeUnit.SECONDS);
		}
	}

	private void awaitEnd(List<Future<?>> working) {
		await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20)).until(() -> {
			assertThat(working).as("no worker failed").noneMatch(Future::isDone);
			return count("jobqueue_job") == 0;
		});
	}

	/**
	 * A key that only this producer uses is committed in order.
	 */
	private void produce(String own) {
		for (int job = 0; job < JOBS_EACH; job += 2) {
			this.transaction.executeWithoutResult((status) -> {
				enqueue(keyed(own, limit(), priority(), delay()));
				enqueue(keyed(pick("shared", 2), limit(), priority(), delay()));
				if (random(5) == 0) {
					enqueue(keyed(null, limit(), priority(), delay()));
				}
			});
		}
	}

	private static @Nullable String limit() {
		return (random(3) > 0) ? pick("slot", 3) : null;
	}

	private static String pick(String name, int count) {
		return name + " " + random(count);
	}

	private static int priority() {
		return 10 * random(3);
	}

	private static Duration delay() {
		return Duration.ofMillis((random(4) > 0) ? 0 : random(30));
	}

	private void work() {
		UUID worker = worker();
		while (this.done.getCount() > 0) {
			this.jobs.admit("emails", RULES);
			List<ClaimedJob> jobs = claim(worker, request("emails", 1 + random(4)));
			jobs.forEach(this::note);
			if (this.workersFail && random(12) == 0) {
				fallSilent(worker);
				worker = worker();
			}
			else if (!jobs.isEmpty()) {
				recordOutcomes(worker, jobs);
			}
		}
	}

	private void note(ClaimedJob job) {
		String key = job.orderingKey();
		if (key != null && key.startsWith("own")) {
			this.begun.computeIfAbsent(key, (absent) -> new ArrayList<>()).add(job.seq());
		}
	}

	private void recordOutcomes(UUID worker, List<ClaimedJob> jobs) {
		List<Outcome> outcomes = jobs.stream().map(AdmissionRaceTests::outcome).toList();
		List<Long> claims = jobs.stream().map(ClaimedJob::claim).distinct().toList();
		Collection<HeldKeys> freed = (this.workersFail && random(8) == 0) ? List.of()
				: jobs.stream().map(ClaimedJob::heldKeys).filter(Objects::nonNull).toList();
		while (true) {
			try {
				this.jobs.recordOutcomes(worker, outcomes, claims, new CompletionEffects(List.of(), freed));
				return;
			}
			catch (PessimisticLockingFailureException ex) {
				assertThat(this.workersFail).as("a reaped worker may deadlock: %s", ex).isTrue();
			}
		}
	}

	private static Outcome outcome(ClaimedJob job) {
		return switch (random(8)) {
			case 0 -> Outcomes.retried(job, delay());
			case 1 -> Outcomes.released(job);
			case 2 -> new Snoozed(job.id(), job.claim(), delay());
			case 3 -> Outcomes.dead(job);
			default -> Outcomes.completed(job);
		};
	}

	private void watch() {
		while (this.done.getCount() > 0) {
			assertThat(count("""
					(SELECT 1 FROM jobqueue_job WHERE ordering_key IS NOT NULL AND due_at IS NULL
					 GROUP BY ordering_key HAVING count(*) > 1) broken""")).as("keys with several jobs").isZero();
			assertThat(count("""
					(SELECT 1 FROM jobqueue_job WHERE limit_key IS NOT NULL AND due_at IS NULL
					 GROUP BY limit_key HAVING count(*) > %d) broken""".formatted(SLOTS))).as("keys beyond their slots")
				.isZero();
		}
	}

	private void upkeep() {
		KeyPass turns = null;
		KeyPass slots = null;
		while (this.done.getCount() > 0) {
			this.maintenance.reap(null);
			turns = this.maintenance.sweepTurns((turns != null) ? turns.last() : null, 2);
			slots = this.maintenance.sweepSlots((slots != null) ? slots.last() : null, 2);
		}
	}

	private static int random(int bound) {
		return ThreadLocalRandom.current().nextInt(bound);
	}

}
