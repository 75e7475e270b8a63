package io.jobqueue.crash;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.Admission;
import io.jobqueue.store.Arrival;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClaimedJobs;
import io.jobqueue.store.Consequences;
import io.jobqueue.store.Enqueued;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.KeyRules;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Picked;
import io.jobqueue.store.Position;
import io.jobqueue.store.ProgressReport;
import io.jobqueue.store.QueueDemand;
import io.jobqueue.store.ServedQueue;
import io.jobqueue.store.Stretch;
import io.jobqueue.store.SurveyedTier;
import io.jobqueue.store.Written;

/**
 * A store with gates before and after what it writes.
 */
record GatedJobs(JobStore jobs, Gate gate) implements JobStore {

	@Override
	public Enqueued enqueue(List<NewJob> jobs) {
		return this.jobs.enqueue(jobs);
	}

	@Override
	public ClaimedJobs claim(UUID worker, QueueDemand demand) {
		this.gate.pass(CrashPoint.CLAIMING);
		ClaimedJobs claimed = this.jobs.claim(worker, demand);
		if (!claimed.jobs().isEmpty()) {
			this.gate.pass(CrashPoint.CLAIMED);
		}
		return claimed;
	}

	@Override
	public Picked claimOne(UUID worker, UUID job, QueueDemand demand, @Nullable KeyRules keys) {
		return this.jobs.claimOne(worker, job, demand, keys);
	}

	@Override
	public Set<UUID> locked(Collection<UUID> jobs) {
		return this.jobs.locked(jobs);
	}

	@Override
	public Set<Long> keep(UUID worker, Collection<Long> claims, Duration time) {
		return this.jobs.keep(worker, claims, time);
	}

	@Override
	public Admission admit(String queue, KeyRules rules) {
		return this.jobs.admit(queue, rules);
	}

	@Override
	public Position skip(UUID worker, Stretch stretch) {
		return this.jobs.skip(worker, stretch);
	}

	@Override
	public Collection<Arrival> giveBack(UUID worker, Collection<Long> claims) {
		return this.jobs.giveBack(worker, claims);
	}

	@Override
	public List<SurveyedTier> survey(Collection<ServedQueue> queues) {
		return this.jobs.survey(queues);
	}

	@Override
	public boolean renew(UUID worker, ClaimedJob job, Duration duration) {
		return this.jobs.renew(worker, job, duration);
	}

	@Override
	public Set<UUID> report(UUID worker, Collection<ProgressReport> reports) {
		return this.jobs.report(worker, reports);
	}

	@Override
	public Written complete(UUID worker, Completed outcome) {
		Written completed = this.jobs.complete(worker, outcome);
		this.gate.pass(CrashPoint.FENCED);
		return completed;
	}

	@Override
	public Written settle(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			Consequences consequences) {
		this.gate.pass(CrashPoint.SETTLING);
		Written written = this.jobs.settle(worker, outcomes, endedClaims, consequences);
		this.gate.pass(CrashPoint.SETTLED);
		return written;
	}

	@Override
	public Collection<Arrival> letRetriesOut(Collection<String> queues) {
		return this.jobs.letRetriesOut(queues);
	}

}
