package io.jobqueue.worker;

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
 * Jobs that nobody may ask for: a test overrides what it expects.
 */
class UncalledJobStore implements JobStore {

	@Override
	public List<SurveyedTier> survey(Collection<ServedQueue> queues) {
		throw new AssertionError("Nothing is surveyed");
	}

	@Override
	public ClaimedJobs claim(UUID worker, QueueDemand demand) {
		throw new AssertionError("No job is known of");
	}

	@Override
	public Enqueued enqueue(List<NewJob> jobs) {
		throw new AssertionError("Nothing is enqueued");
	}

	@Override
	public Picked claimOne(UUID worker, UUID job, QueueDemand demand, @Nullable KeyRules keys) {
		throw new AssertionError("No job is picked");
	}

	@Override
	public Admission admit(String queue, KeyRules rules) {
		throw new AssertionError("No job has a key");
	}

	@Override
	public Position skip(UUID worker, Stretch stretch) {
		throw new AssertionError("No backlog is deep");
	}

	@Override
	public Collection<Arrival> giveBack(UUID worker, Collection<Long> claims) {
		throw new AssertionError("No claim is unseen");
	}

	@Override
	public boolean renew(UUID worker, ClaimedJob job, Duration duration) {
		throw new AssertionError("No job is held");
	}

	@Override
	public Set<UUID> report(UUID worker, Collection<ProgressReport> reports) {
		throw new AssertionError("No progress is reported");
	}

	@Override
	public Written complete(UUID worker, Completed outcome) {
		throw new AssertionError("No job is completed");
	}

	@Override
	public Written settle(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			Consequences consequences) {
		throw new AssertionError("No job is settled");
	}

	@Override
	public Set<UUID> locked(Collection<UUID> jobs) {
		return Set.of();
	}

	@Override
	public Set<Long> keep(UUID worker, Collection<Long> claims, Duration time) {
		throw new AssertionError("No outcome waits");
	}

	@Override
	public Collection<Arrival> letRetriesOut(Collection<String> queues) {
		throw new AssertionError("No worker begins");
	}

}
