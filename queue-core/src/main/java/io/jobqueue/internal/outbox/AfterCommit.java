package io.jobqueue.internal.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobEnqueued;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.BoundTransactions.QueueSynchronization;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.JobStore.EnqueuedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Runs a task once after the commit of the current transaction. The task does not run
 * after a rollback, including one to a savepoint that was created before this
 * synchronization was registered.
 */
final class AfterCommit implements QueueSynchronization {

	private final Runnable task;

	private final List<Object> laterSavepoints = new ArrayList<>();

	private boolean done;

	AfterCommit(Runnable task) {
		this.task = task;
	}

	@Override
	public void savepoint(Object savepoint) {
		this.laterSavepoints.add(savepoint);
	}

	@Override
	public void savepointRollback(Object savepoint) {
		this.done |= !this.laterSavepoints.contains(savepoint);
	}

	@Override
	public void afterCommit() {
		if (!this.done) {
			this.done = true;
			this.task.run();
		}
	}

	/**
	 * If the {@code afterCommit} of another synchronization throws, Spring does not call
	 * those that follow it; {@code afterCompletion} is always called.
	 */
	@Override
	public void afterCompletion(int status) {
		if (status == STATUS_COMMITTED) {
			afterCommit();
		}
	}

	/**
	 * Return the task that publishes wake-ups. The delay of a job counts from its
	 * statement: the time until the commit is subtracted.
	 */
	static Runnable wakeUps(JobSignals signals, List<NewJob> jobs, Collection<JobsAvailable> written) {
		DueJob single = (jobs.size() == 1) ? due(jobs.get(0), written.iterator().next()) : null;
		if (single != null) {
			return () -> signals.publish(single);
		}
		long since = System.nanoTime();
		return () -> {
			Duration elapsed = Duration.ofNanos(System.nanoTime() - since);
			signals.publish(written.stream().map((available) -> available.after(elapsed)).toList());
		};
	}

	private static @Nullable DueJob due(NewJob job, JobsAvailable available) {
		boolean due = available.dueIn().isZero() && job.keys().unique() == null && !job.keys().needAdmission();
		return due ? new DueJob(job.id(), job.type(), available) : null;
	}

	/**
	 * Return the task that publishes events. It refers to no payloads, which would stay
	 * in memory until the commit.
	 */
	static Runnable events(JobEvents events, List<NewJob> jobs, List<EnqueuedJob> enqueued) {
		List<JobEnqueued> accepted = IntStream.range(0, jobs.size())
			.filter((index) -> enqueued.get(index).receipt().accepted())
			.mapToObj((index) -> new JobEnqueued(JobInfos.of(jobs.get(index), enqueued.get(index))))
			.toList();
		return () -> events.publish(accepted);
	}

}
