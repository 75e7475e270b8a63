package io.jobqueue.harness;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.AttemptStore.ProgressReport;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.NewJobRequest;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.JobStore.SingleClaimResult;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * A store whose methods must not be called: a test overrides those that it expects.
 */
public class UncalledJobStore implements JobStore {

	@Override
	public List<TierBacklog> scanBacklog(Collection<ServedQueue> queues) {
		throw new AssertionError("Nothing is scanned");
	}

	@Override
	public ClaimResult claim(UUID worker, ClaimRequest request) {
		throw new AssertionError("No job is known of");
	}

	@Override
	public EnqueueResult enqueue(List<NewJob> jobs, Origin origin) {
		throw new AssertionError("Nothing is enqueued");
	}

	@Override
	public void endIfSuspended(Duration limit) {
		throw new AssertionError("No transaction is limited");
	}

	@Override
	public ClaimResult claimNew(UUID worker, NewJobRequest request) {
		throw new AssertionError("No job is new");
	}

	@Override
	public SingleClaimResult claimOne(UUID worker, UUID job, ClaimRequest request, @Nullable AdmissionRules keys) {
		throw new AssertionError("No job is picked");
	}

	@Override
	public AdmissionResult admit(String queue, AdmissionRules rules) {
		throw new AssertionError("No job has a key");
	}

	@Override
	public Collection<JobsAvailable> release(UUID worker, Collection<Long> claims) {
		throw new AssertionError("No claim is unseen");
	}

	@Override
	public Set<UUID> extendLeases(UUID worker, Collection<ClaimedJob> jobs, Duration duration) {
		throw new AssertionError("No job is held");
	}

	@Override
	public Set<UUID> report(UUID worker, Collection<ProgressReport> reports) {
		throw new AssertionError("No progress is reported");
	}

	@Override
	public CompletionResult complete(UUID worker, Completed outcome) {
		throw new AssertionError("No job is completed");
	}

	@Override
	public CompletionResult completeAll(UUID worker, List<Completed> outcomes) {
		throw new AssertionError("No job is completed");
	}

	@Override
	public void renewSavepoint(String name) {
		throw new AssertionError("No job has a savepoint");
	}

	@Override
	public CompletionResult recordOutcomes(UUID worker, Collection<? extends Outcome> outcomes,
			Collection<Long> endedClaims, CompletionEffects effects) {
		throw new AssertionError("No job is recorded");
	}

	@Override
	public Set<UUID> locked(Collection<UUID> jobs) {
		return Set.of();
	}

	@Override
	public Set<Long> extendClaims(UUID worker, Collection<Long> claims, Duration time) {
		throw new AssertionError("No outcome waits");
	}

	@Override
	public Collection<JobsAvailable> releaseRetries(Collection<String> queues) {
		throw new AssertionError("No worker begins");
	}

}
