package io.jobqueue.recovery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

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
 * A store with breakpoints before and after what it writes.
 */
record BreakpointJobStore(JobStore jobs, Breakpoint breakpoint) implements JobStore {

	@Override
	public EnqueueResult enqueue(List<NewJob> jobs, Origin origin) {
		return this.jobs.enqueue(jobs, origin);
	}

	@Override
	public void endIfSuspended(Duration limit) {
		this.jobs.endIfSuspended(limit);
	}

	@Override
	public ClaimResult claim(UUID worker, ClaimRequest request) {
		return claimed(() -> this.jobs.claim(worker, request));
	}

	private ClaimResult claimed(Supplier<ClaimResult> claim) {
		Breakpoint.Hold hold = this.breakpoint.hold();
		hold.pass(CrashPoint.CLAIMING);
		ClaimResult claimed = claim.get();
		if (!claimed.jobs().isEmpty()) {
			hold.pass(CrashPoint.CLAIMED);
		}
		return claimed;
	}

	@Override
	public ClaimResult claimNew(UUID worker, NewJobRequest request) {
		return claimed(() -> this.jobs.claimNew(worker, request));
	}

	@Override
	public SingleClaimResult claimOne(UUID worker, UUID job, ClaimRequest request, @Nullable AdmissionRules keys) {
		return this.jobs.claimOne(worker, job, request, keys);
	}

	@Override
	public Set<UUID> locked(Collection<UUID> jobs) {
		return this.jobs.locked(jobs);
	}

	@Override
	public Set<Long> extendClaims(UUID worker, Collection<Long> claims, Duration time) {
		return this.jobs.extendClaims(worker, claims, time);
	}

	@Override
	public AdmissionResult admit(String queue, AdmissionRules rules) {
		return this.jobs.admit(queue, rules);
	}

	@Override
	public Collection<JobsAvailable> release(UUID worker, Collection<Long> claims) {
		return this.jobs.release(worker, claims);
	}

	@Override
	public List<TierBacklog> scanBacklog(Collection<ServedQueue> queues) {
		return this.jobs.scanBacklog(queues);
	}

	@Override
	public Set<UUID> extendLeases(UUID worker, Collection<ClaimedJob> jobs, Duration duration) {
		return this.jobs.extendLeases(worker, jobs, duration);
	}

	@Override
	public Set<UUID> report(UUID worker, Collection<ProgressReport> reports) {
		return this.jobs.report(worker, reports);
	}

	@Override
	public CompletionResult complete(UUID worker, Completed outcome) {
		Breakpoint.Hold hold = this.breakpoint.hold();
		CompletionResult completed = this.jobs.complete(worker, outcome);
		hold.pass(CrashPoint.FENCED);
		return completed;
	}

	/**
	 * A transaction that is to be held while it is open is committed later.
	 */
	@Override
	public CompletionResult completeAndCommit(UUID worker, Completed outcome) {
		Breakpoint.Hold hold = this.breakpoint.hold();
		if (hold.isAt(CrashPoint.FENCED)) {
			return complete(worker, outcome);
		}
		CompletionResult completed = this.jobs.completeAndCommit(worker, outcome);
		hold.pass(CrashPoint.ENDED);
		return completed;
	}

	@Override
	public CompletionResult completeAll(UUID worker, List<Completed> outcomes) {
		return this.jobs.completeAll(worker, outcomes);
	}

	@Override
	public void renewSavepoint(String name) {
		this.jobs.renewSavepoint(name);
	}

	@Override
	public CompletionResult recordOutcomes(UUID worker, Collection<? extends Outcome> outcomes,
			Collection<Long> endedClaims, CompletionEffects effects) {
		Breakpoint.Hold hold = this.breakpoint.hold();
		hold.pass(CrashPoint.RECORDING);
		CompletionResult written = this.jobs.recordOutcomes(worker, outcomes, endedClaims, effects);
		hold.pass(CrashPoint.RECORDED);
		return written;
	}

	@Override
	public Collection<JobsAvailable> releaseRetries(Collection<String> queues) {
		return this.jobs.releaseRetries(queues);
	}

}
