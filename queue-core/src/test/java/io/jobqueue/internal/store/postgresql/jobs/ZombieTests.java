package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.dao.PessimisticLockingFailureException;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers whose claims are reaped repeatedly while they work, and a reaper that takes
 * jobs while their outcomes are being recorded.
 */
class ZombieTests extends StoreTestBase {

	private static final int JOBS = 800;

	private final Set<UUID> completed = ConcurrentHashMap.newKeySet();

	@Test
	void noJobIsLostOrFinishedTwice() throws Exception {
		enqueue("emails", JOBS);
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Future<?>> workers = IntStream.range(0, 3)
				.<Future<?>>mapToObj((n) -> threads.submit(this::work))
				.toList();
			Future<?> reaper = threads.submit(this::reapUntilDone);
			for (Future<?> worker : workers) {
				worker.get();
			}
			reaper.get();
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.completed).hasSize(JOBS);
		assertThat(count("jobqueue_archive WHERE state = 'SUCCEEDED'")).isEqualTo(JOBS);
		assertThat(count("jobqueue_job")).isZero();
		reapAll();
		assertThat(count("jobqueue_claim")).isZero();
	}

	private void work() {
		while (!isDone()) {
			UUID worker = worker();
			List<ClaimedJob> jobs = claim(worker, request("emails", 7));
			if (ThreadLocalRandom.current().nextInt(3) == 0) {
				fallSilent(worker);
			}
			List<Outcome> outcomes = jobs.stream().map(ZombieTests::outcome).toList();
			Set<UUID> recorded = recordOutcomes(worker, outcomes,
					jobs.stream().map(ClaimedJob::claim).distinct().toList());
			outcomes.stream()
				.filter((outcome) -> outcome instanceof Outcome.Completed && recorded.contains(outcome.id()))
				.forEach((outcome) -> assertThat(this.completed.add(outcome.id())).isTrue());
		}
	}

	/**
	 * A zombie and the new owner of its jobs may deadlock, or wait for each other until
	 * the time-out on a slow machine; a worker tries again then.
	 */
	private Set<UUID> recordOutcomes(UUID worker, List<Outcome> outcomes, List<Long> endedClaims) {
		while (true) {
			try {
				return this.jobs.recordOutcomes(worker, outcomes, endedClaims, CompletionEffects.NONE).jobs();
			}
			catch (PessimisticLockingFailureException ex) {
				assertThat(ex).rootCause().message().containsAnyOf("deadlock", "lock timeout");
			}
		}
	}

	private static Outcome outcome(ClaimedJob job) {
		List<Outcome> possible = List.of(Outcomes.completed(job), Outcomes.completed(job), Outcomes.released(job),
				Outcomes.retried(job, Duration.ZERO));
		return possible.get(ThreadLocalRandom.current().nextInt(possible.size()));
	}

	private void reapUntilDone() {
		while (!isDone()) {
			this.maintenance.reap(null);
		}
	}

	private void reapAll() {
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = now()").update();
		this.maintenance.reap(null);
	}

	private boolean isDone() {
		return this.completed.size() == JOBS;
	}

}
