package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.DependencyStore.Resolution;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that wait for others, on the stores.
 */
abstract class DependencyTestBase extends StoreTestBase {

	static final @Nullable Duration KEPT = null;

	final DependencyStore dependencies = this.stores.dependencies();

	final OperationStore operations = this.stores.operations();

	UUID worker = UUID.randomUUID();

	@BeforeEach
	void register() {
		this.worker = worker();
	}

	static NewJob after(OnPredecessorFailure policy, UUID... predecessors) {
		return new NewJobBuilder().after(policy, predecessors).build();
	}

	/**
	 * Enqueue a job in a transaction of its own, and resolve what is to be resolved after
	 * its commit.
	 */
	UUID enqueueAfter(OnPredecessorFailure policy, UUID... predecessors) {
		NewJob job = after(policy, predecessors);
		resolve(enqueueIn(this.jobs, job));
		return job.id();
	}

	static Set<UUID> enqueueIn(JobStore store, NewJob job) {
		return store.enqueue(List.of(job)).predecessors();
	}

	UUID predecessor() {
		return enqueue(job("emails", 10));
	}

	/**
	 * Do what follows a commit, to the end.
	 */
	Resolution resolve(Collection<UUID> predecessors) {
		Resolution resolution = this.dependencies.resolve(predecessors);
		if (!resolution.satisfied().isEmpty()) {
			assertThat(this.dependencies.release(resolution.satisfied()).locked()).isEmpty();
		}
		return resolution;
	}

	ClaimedJob claimed(UUID job) {
		List<ClaimedJob> claimed = this.jobs.claimOne(this.worker, job, request("emails", 1), null).claimed().jobs();
		assertThat(claimed).hasSize(1);
		return claimed.get(0);
	}

	CompletionResult record(ClaimedJob job, Outcome outcome) {
		CompletionResult written = this.jobs.recordOutcomes(this.worker, List.of(outcome), List.of(job.claim()),
				CompletionEffects.NONE);
		assertThat(written.jobs()).containsExactly(job.id());
		return written;
	}

	CompletionResult succeed(UUID job, @Nullable Duration retention) {
		ClaimedJob claimed = claimed(job);
		return record(claimed, Completed.of(claimed, retention, null));
	}

	CompletionResult die(UUID job, @Nullable Duration retention) {
		ClaimedJob claimed = claimed(job);
		return record(claimed, new Dead(job, claimed.claim(), "error", retention));
	}

	void succeedAndResolve(UUID job) {
		resolve(succeed(job, KEPT).predecessors());
	}

	void dieAndResolve(UUID job) {
		resolve(die(job, KEPT).predecessors());
	}

	String state(UUID job) {
		return column("state", job, String.class);
	}

}
