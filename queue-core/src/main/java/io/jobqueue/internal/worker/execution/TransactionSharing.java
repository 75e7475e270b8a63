package io.jobqueue.internal.worker.execution;

import java.util.Collection;
import java.util.function.Function;

import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.TransactionLimits;
import io.jobqueue.internal.store.ClaimedJob.HeldKeys;

/**
 * Decides which jobs share a transaction. Jobs that have failed or run for the last time
 * run alone, so that they neither fail with others nor make others run again.
 */
public final class TransactionSharing {

	private final Function<String, QueueSettings> queues;

	private final JobRunner runner;

	/**
	 * Create the rules for the queues of a worker.
	 * @param queues the settings of each queue
	 * @param runner runs the handlers
	 */
	public TransactionSharing(Function<String, QueueSettings> queues, JobRunner runner) {
		this.queues = queues;
		this.runner = runner;
	}

	TransactionLimits limits(String queue) {
		return this.queues.apply(queue).transactions();
	}

	/**
	 * Return whether a job may share a transaction with others. One whose handler takes
	 * several jobs shares its call instead.
	 */
	boolean includes(BufferedJob job) {
		return limits(job.job().queue()).size() > 1 && job.isFresh() && job.isClaimedRecently()
				&& this.runner.isTransactional(job.job()) && this.runner.batches().limits(job.job()) == null;
	}

	/**
	 * Return whether a job may follow others in their transaction. Jobs with a key in
	 * common do not share one, nor does one whose handler may run for longer than the
	 * others are claimed.
	 */
	boolean includes(BufferedJob job, Collection<? extends JobExecution> others) {
		HeldKeys keys = job.job().heldKeys();
		return includes(job) && others.stream().allMatch((other) -> other.outlives(job))
				&& (keys == null || others.stream().map((other) -> other.job().heldKeys()).noneMatch(keys::overlap));
	}

}
