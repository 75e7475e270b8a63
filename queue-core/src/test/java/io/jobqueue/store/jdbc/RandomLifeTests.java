package io.jobqueue.store.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.RepeatedTest;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Buried;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.RetryLater;
import io.jobqueue.store.ReapedJobs;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three workers claim, settle, fall silent and are reaped at random, beside a model of
 * what the tables ought to hold.
 */
class RandomLifeTests extends StoreTestBase {

	private static final int STEPS = 80;

	private static final int MAX_ATTEMPTS = 25;

	private final Map<UUID, Expected> model = new HashMap<>();

	private final Map<UUID, List<ClaimedJob>> held = new HashMap<>();

	private final List<UUID> silent = new ArrayList<>();

	private Random random = new Random(0);

	@RepeatedTest(3)
	void tablesHoldWhatTheModelHolds() {
		long seed = System.nanoTime();
		start(seed);
		for (int step = 0; step < STEPS; step++) {
			switch (this.random.nextInt(6)) {
				case 0 -> enqueueSome();
				case 1, 2 -> claimSome();
				case 3, 4 -> settleSome();
				default -> loseSome();
			}
			assertThat(actual()).as("seed %d, step %d", seed, step).isEqualTo(this.model);
		}
	}

	private void start(long seed) {
		this.random = new Random(seed);
		this.model.clear();
		this.held.clear();
		this.silent.clear();
		for (int worker = 0; worker < 3; worker++) {
			this.held.put(worker(), new ArrayList<>());
		}
	}

	private void enqueueSome() {
		enqueue("emails", 1 + this.random.nextInt(8)).forEach((id) -> this.model.put(id, Expected.NEW));
	}

	private void claimSome() {
		UUID worker = anyWorker();
		for (ClaimedJob job : claim(worker, demand("emails", 1 + this.random.nextInt(4)))) {
			assertThat(this.model.get(job.id()).state()).isEqualTo("READY");
			this.model.computeIfPresent(job.id(), (id, expected) -> expected.claimed());
			this.held.get(worker).add(job);
		}
	}

	private void settleSome() {
		UUID worker = this.silent.isEmpty() || this.random.nextBoolean() ? anyWorker()
				: this.silent.get(this.random.nextInt(this.silent.size()));
		List<ClaimedJob> jobs = this.held.get(worker);
		if (!jobs.isEmpty()) {
			ClaimedJob job = jobs.remove(this.random.nextInt(jobs.size()));
			settleOne(worker, job);
		}
	}

	private void settleOne(UUID worker, ClaimedJob job) {
		List<Outcome> each = Outcomes.each(job);
		Outcome outcome = each.get(this.random.nextInt(each.size()));
		boolean last = this.held.get(worker).stream().noneMatch((other) -> other.claim() == job.claim());
		Set<UUID> settled = this.jobs.settle(worker, List.of(outcome), last ? List.of(job.claim()) : List.of());
		assertThat(settled.contains(job.id())).isEqualTo(!this.silent.contains(worker));
		if (!settled.isEmpty()) {
			this.model.computeIfPresent(job.id(), (id, expected) -> expected.settled(outcome));
		}
	}

	/**
	 * A worker falls silent, is reaped, and another takes its place.
	 */
	private void loseSome() {
		UUID lost = anyWorker();
		Set<UUID> lostJobs = new HashSet<>(this.held.get(lost).stream().map(ClaimedJob::id).toList());
		fallSilent(lost);
		this.silent.add(lost);
		assertThat(this.maintenance.reap().taken().stream().mapToLong(ReapedJobs::count).sum())
			.isEqualTo(lostJobs.size());
		lostJobs.forEach((job) -> this.model.computeIfPresent(job, (id, expected) -> expected.reaped()));
		this.held.put(worker(), new ArrayList<>());
	}

	private UUID anyWorker() {
		List<UUID> living = this.held.keySet().stream().filter((worker) -> !this.silent.contains(worker)).toList();
		return living.get(this.random.nextInt(living.size()));
	}

	private Map<UUID, Expected> actual() {
		Map<UUID, Expected> rows = new HashMap<>();
		this.sql.sql("SELECT id, state, attempts, failures FROM jobqueue_jobs").query((row) -> {
			rows.put(row.getObject("id", UUID.class),
					new Expected(row.getString("state"), row.getInt("attempts"), row.getInt("failures")));
		});
		return rows;
	}

	/**
	 * What a job's row ought to be.
	 */
	private record Expected(String state, int attempts, int failures) {

		private static final Expected NEW = new Expected("READY", 0, 0);

		Expected claimed() {
			return new Expected("RUNNING", this.attempts + 1, this.failures);
		}

		Expected reaped() {
			return new Expected((this.attempts < MAX_ATTEMPTS) ? "READY" : "DEAD", this.attempts, this.failures + 1);
		}

		Expected settled(Outcome outcome) {
			if (outcome instanceof Completed) {
				return new Expected("SUCCEEDED", this.attempts, this.failures);
			}
			if (outcome instanceof Buried) {
				return new Expected("DEAD", this.attempts, this.failures + 1);
			}
			return (outcome instanceof RetryLater) ? new Expected("READY", this.attempts, this.failures + 1)
					: new Expected("READY", this.attempts - 1, this.failures);
		}

	}

}
