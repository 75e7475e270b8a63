package io.jobqueue.internal.workflow;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobOperations;
import io.jobqueue.internal.dependency.JobFollower;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.Advance;
import io.jobqueue.internal.store.WorkflowStore.ChangedWorkflow;
import io.jobqueue.internal.store.WorkflowStore.StepOwners;
import io.jobqueue.internal.store.WorkflowStore.StoredWorkflow;
import io.jobqueue.internal.store.WorkflowStore.Sweep;

/**
 * Begins and skips the steps of workflows after their jobs have ended. Of two nodes that
 * advance an instance at the same time, one succeeds; the other reads it again.
 */
public final class WorkflowFollower implements JobFollower {

	private static final Logger logger = LoggerFactory.getLogger(WorkflowFollower.class);

	private static final int SWEPT = 1_000;

	private final WorkflowStore store;

	private final JobSignals signals;

	private final Supplier<JobOperations> jobs;

	private @Nullable UUID lastSwept;

	/**
	 * Create a follower.
	 * @param store reads and changes instances
	 * @param signals publishes wake-ups for the jobs of steps that begin
	 * @param jobs supplies what cancels the jobs of a cancelled instance
	 */
	public WorkflowFollower(WorkflowStore store, JobSignals signals, Supplier<JobOperations> jobs) {
		this.store = store;
		this.signals = signals;
		this.jobs = jobs;
	}

	@Override
	public Followed follow(Collection<UUID> jobs) {
		StepOwners owners = this.store.ofJobs(jobs);
		Set<UUID> skipped = advance(owners.workflows());
		return skipped.isEmpty() ? new Followed(Set.of(), owners.settled())
				: new Followed(Set.copyOf(jobs), owners.settled());
	}

	@Override
	public synchronized void sweep() {
		Sweep sweep = this.store.sweep(this.lastSwept, SWEPT);
		this.lastSwept = sweep.last();
		if (!sweep.workflows().isEmpty()) {
			Set<UUID> unused = advance(this.store.find(sweep.workflows()));
		}
		if (!sweep.uncancelled().isEmpty()) {
			JobOperations operations = this.jobs.get().because("Its workflow is cancelled");
			sweep.uncancelled().forEach((job) -> cancel(job, operations));
		}
	}

	/**
	 * What is locked is left to the next sweep, so that it does not keep this one from
	 * the others.
	 */
	private static void cancel(UUID job, JobOperations operations) {
		try {
			CancelOutcome unused = operations.cancel(job);
		}
		catch (PessimisticLockingFailureException ex) {
			logger.debug("Could not cancel job {} of a cancelled workflow; the next sweep tries again", job, ex);
		}
	}

	/**
	 * Advance instances that an operation has changed. What is locked is left to the
	 * sweep.
	 */
	void advance(UUID workflow) {
		Set<UUID> unused = advance(this.store.find(List.of(workflow)));
	}

	/**
	 * @return the ids of the instances that were skipped
	 */
	private Set<UUID> advance(List<StoredWorkflow> workflows) {
		List<ChangedWorkflow> changes = workflows.stream().map(WorkflowProgress::of).filter(Objects::nonNull).toList();
		if (changes.isEmpty()) {
			return Set.of();
		}
		Advance advance = this.store.advance(changes);
		publish(advance);
		Set<UUID> skipped = new HashSet<>();
		changes.forEach((change) -> skipped.add(change.id()));
		skipped.removeAll(Set.copyOf(advance.advanced()));
		logger.debug("{} instances of workflows advanced, {} were locked or changed", advance.advanced().size(),
				skipped.size());
		return skipped;
	}

	/**
	 * An idle handler of this JVM claims a single job by its id.
	 */
	void publish(Advance advance) {
		this.signals.publish(advance.available());
		if (advance.due().size() == 1) {
			this.signals.publish(advance.due().get(0));
		}
		else {
			this.signals.publish(advance.due().stream().map((job) -> job.wakeUp()).toList());
		}
	}

}
