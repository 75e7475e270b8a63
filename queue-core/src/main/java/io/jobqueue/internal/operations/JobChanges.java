package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobCancelled;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.logging.JobLogStep;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.OperationStore.CancelResult;
import io.jobqueue.internal.store.OperationStore.ChangeResult;
import io.jobqueue.internal.store.OperationStore.JobLocation;
import io.jobqueue.internal.store.SearchStore.FoundJob;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Retries, replays, cancels, reschedules, reprioritises and deletes jobs, and publishes
 * the wake-ups and events of these changes. The methods for one job throw a
 * {@link io.jobqueue.JobOperationException} if the job cannot be changed; those for
 * several jobs leave such jobs out. Each returns the number of changed jobs unless it
 * says otherwise.
 */
final class JobChanges {

	private static final Logger logger = LoggerFactory.getLogger("io.jobqueue.operations");

	private final OperationServices services;

	private final OperationStore store;

	private final JobSignals signals;

	private final JobEvents events;

	private final Supplier<UUID> ids;

	private final Function<String, @Nullable Duration> retention;

	private final OperationErrors errors;

	JobChanges(OperationServices services) {
		this(services, services.jobs());
	}

	private JobChanges(OperationServices services, OperationStore store) {
		this.services = services;
		this.store = store;
		this.signals = services.signals();
		this.events = services.events();
		this.ids = services.ids();
		this.retention = services.retention();
		this.errors = new OperationErrors(services.search());
	}

	/**
	 * Return changes that are written to the operator log.
	 */
	JobChanges logging(LoggedOperation operation) {
		return new JobChanges(this.services, this.store.logging(operation));
	}

	/**
	 * Return a job to its queue with all its attempts.
	 */
	long retry(UUID id) {
		FoundJob job = this.errors.requireNotRunning(id);
		if (job.state() == JobState.SUCCEEDED) {
			throw OperationErrors.error(job, Reason.FINISHED, "has succeeded: replay it to run a copy");
		}
		ChangeResult changed = published(
				OperationErrors.isFinished(job) ? this.store.revive(List.of(id)) : this.store.retry(List.of(id)));
		if (changed.holders().containsKey(id)) {
			throw OperationErrors.keyTaken(job, changed.holders().get(id));
		}
		if (changed.jobs().isEmpty()) {
			throw notRetried(job);
		}
		return changed.jobs().size();
	}

	private static RuntimeException notRetried(FoundJob job) {
		return (job.attempts() == 0 && !OperationErrors.isFinished(job))
				? OperationErrors.error(job, Reason.UNFINISHED, "has not started yet: reschedule it to run it now")
				: OperationErrors.changing(job);
	}

	long retry(Collection<FoundJob> jobs) {
		return count(this.store.retry(OperationErrors.ids(jobs, false)))
				+ count(this.store.revive(OperationErrors.ids(jobs, true)));
	}

	/**
	 * Enqueue a copy of an archived job.
	 * @return the id of the copy
	 */
	UUID replay(UUID id) {
		FoundJob job = this.errors.requireFinished(id);
		ChangeResult changed = replayed(List.of(job));
		return changed.jobs().stream().findFirst().orElseThrow(() -> OperationErrors.changing(job));
	}

	long replay(Collection<FoundJob> jobs) {
		return replayed(jobs).jobs().size();
	}

	private ChangeResult replayed(Collection<FoundJob> jobs) {
		Map<UUID, UUID> copies = new LinkedHashMap<>();
		jobs.forEach((job) -> copies.put(job.id(), this.ids.get()));
		return published(this.store.replay(copies));
	}

	CancelOutcome cancel(UUID id) {
		JobLocation location = this.store.find(id);
		if (location == null) {
			return CancelOutcome.UNKNOWN;
		}
		if (location.finished()) {
			return CancelOutcome.ALREADY_FINISHED;
		}
		CancelResult cancelled = published(this.store.cancel(id, this.retention.apply(location.queue())));
		if (!cancelled.ended().isEmpty()) {
			return CancelOutcome.CANCELLED;
		}
		return cancelled.running().isEmpty() ? CancelOutcome.ALREADY_FINISHED : CancelOutcome.REQUESTED;
	}

	/**
	 * Cancel jobs.
	 * @return the number of cancelled jobs and of running jobs with a new cancel request
	 */
	long cancel(Collection<FoundJob> jobs) {
		Map<UUID, @Nullable Duration> retentions = new HashMap<>();
		jobs.forEach((job) -> retentions.put(job.id(), this.retention.apply(job.tier().queue())));
		CancelResult cancelled = published(this.store.cancel(retentions));
		return (long) cancelled.running().size() + cancelled.ended().size();
	}

	private CancelResult published(CancelResult cancelled) {
		cancelled.running().forEach(this.signals::requestCancel);
		publishCancelled(cancelled.ended(), cancelled.available());
		return cancelled;
	}

	private void publishCancelled(Collection<EndedJob> jobs, Collection<JobsAvailable> available) {
		jobs.forEach((job) -> JobMdc.within(job,
				() -> JobLogStep.CANCELLED.line(logger, Level.INFO).log("{} is cancelled", job)));
		if (this.events.areWanted(JobCancelled.class)) {
			this.events.publish(jobs.stream().map((job) -> new JobCancelled(JobInfos.of(job))).toList());
		}
		this.signals.publish(available);
		this.signals.publishPredecessors(EndedJob.predecessors(jobs));
	}

	/**
	 * Let a job run without waiting for its predecessors any longer.
	 */
	long release(UUID id) {
		FoundJob job = this.errors.requireWaiting(id);
		if (count(this.store.release(id)) == 0) {
			throw OperationErrors.error(job, Reason.UNFINISHED,
					"does not wait for predecessors; a callback waits for its batch");
		}
		return 1;
	}

	long reschedule(UUID id, Instant runAt) {
		long rescheduled = reschedule(List.of(id), runAt);
		if (rescheduled == 0) {
			this.errors.requireWaiting(id);
		}
		return rescheduled;
	}

	long reschedule(Collection<UUID> jobs, Instant runAt) {
		return count(this.store.reschedule(jobs, runAt));
	}

	long reprioritise(UUID id, Priority priority) {
		long reprioritised = reprioritise(List.of(id), priority);
		if (reprioritised == 0) {
			FoundJob job = this.errors.requireKnown(id);
			if (OperationErrors.isFinished(job)) {
				throw OperationErrors.error(job, Reason.FINISHED, "has finished: its priority can no longer change");
			}
		}
		return reprioritised;
	}

	long reprioritise(Collection<UUID> jobs, Priority priority) {
		return count(this.store.reprioritise(jobs, priority.value()));
	}

	long delete(UUID id) {
		List<UUID> job = List.of(id);
		if (count(this.store.delete(job)) == 0 && count(this.store.deleteArchived(job)) == 0) {
			throw OperationErrors.changing(this.errors.requireNotRunning(id));
		}
		return 1;
	}

	/**
	 * Delete live jobs from the live table and archived ones from the archive, as they
	 * were found. A job that was archived in between is not deleted: the caller asked for
	 * live ones.
	 */
	long delete(Collection<FoundJob> jobs) {
		return count(this.store.delete(OperationErrors.ids(jobs, false)))
				+ count(this.store.deleteArchived(OperationErrors.ids(jobs, true)));
	}

	private long count(ChangeResult changed) {
		return published(changed).jobs().size();
	}

	private ChangeResult published(ChangeResult changed) {
		this.signals.publish(changed.available());
		this.signals.publishPredecessors(changed.predecessors());
		return changed;
	}

}
