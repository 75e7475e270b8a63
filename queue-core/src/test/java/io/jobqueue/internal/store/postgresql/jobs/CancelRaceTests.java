package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.OperationStore.CancelResult;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Snoozed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs are cancelled while workers claim them and record what became of them, all on
 * connections of their own. What each canceller was answers agrees with what is there in
 * the end.
 */
class CancelRaceTests extends StoreTestBase {

	private static final int JOBS = 600;

	private static final int WORKERS = 3;

	private static final int CANCELLERS = 3;

	private final Map<UUID, CancelResult> answers = new ConcurrentHashMap<>();

	private final Set<UUID> claimed = ConcurrentHashMap.newKeySet();

	@Test
	void everyAnswerAgreesWithTheEnd() throws Exception {
		List<UUID> all = enqueue("emails", JOBS);
		List<Callable<Void>> tasks = new ArrayList<>();
		for (int worker = 0; worker < WORKERS; worker++) {
			tasks.add(worker(worker("worker-" + worker), worker));
		}
		for (int part = 0; part < CANCELLERS; part++) {
			tasks.add(canceller(all.subList(part * JOBS / CANCELLERS, (part + 1) * JOBS / CANCELLERS)));
		}
		runAll(tasks);
		all.forEach(this::assertAgrees);
		assertThat(count("jobqueue_job")).isZero();
		assertThat(count("jobqueue_claim")).isZero();
		assertThat(this.answers.values()).as("each kind of answer")
			.anyMatch((answer) -> !answer.ended().isEmpty())
			.anyMatch((answer) -> !answer.running().isEmpty())
			.anyMatch((answer) -> answer.ended().isEmpty() && answer.running().isEmpty());
	}

	private Callable<Void> worker(UUID worker, int number) {
		return () -> {
			long claim = 1_000_000L * (number + 1);
			while (count("jobqueue_job") > 0) {
				List<ClaimedJob> jobs = claim(worker, numbered(++claim));
				jobs.forEach((job) -> this.claimed.add(job.id()));
				if (!jobs.isEmpty()) {
					Set<UUID> written = this.jobs
						.recordOutcomes(worker, jobs.stream().map(CancelRaceTests::anyOutcome).toList(), List.of(claim),
								CompletionEffects.NONE)
						.jobs();
					assertThat(written).containsExactlyInAnyOrderElementsOf(jobs.stream().map(ClaimedJob::id).toList());
				}
			}
			return null;
		};
	}

	private ClaimRequest numbered(long claim) {
		return new ClaimRequestBuilder(claim).free(5).priorities(10, 10).build();
	}

	private static Outcome anyOutcome(ClaimedJob job) {
		return switch (ThreadLocalRandom.current().nextInt(5)) {
			case 0 -> Outcomes.completed(job);
			case 1 -> Outcomes.dead(job);
			case 2 -> Outcomes.retried(job, Duration.ZERO);
			case 3 -> Outcomes.released(job);
			default -> new Snoozed(job.id(), job.claim(), Duration.ZERO);
		};
	}

	private Callable<Void> canceller(Collection<UUID> jobs) {
		return () -> {
			jobs.forEach((job) -> this.answers.put(job, this.stores.operations().cancel(job, null)));
			return null;
		};
	}

	private void assertAgrees(UUID job) {
		CancelResult answer = this.answers.get(job);
		String state = column("state", job, String.class);
		if (!answer.ended().isEmpty()) {
			assertThat(state).isEqualTo("CANCELLED");
		}
		else {
			assertThat(state).as(answer.toString())
				.isIn(answer.running().isEmpty() ? List.of("SUCCEEDED", "DEAD") : List.of("SUCCEEDED", "CANCELLED"));
			assertThat(this.claimed).contains(job);
		}
	}

	private static void runAll(List<Callable<Void>> tasks) throws InterruptedException, ExecutionException {
		ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
		try {
			for (Future<Void> task : threads.invokeAll(tasks)) {
				task.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

}
