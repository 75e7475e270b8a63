package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.BatchInfo;
import io.jobqueue.internal.store.AttemptStore;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.OutsideTransaction;

/**
 * Extends the leases of one worker's jobs, and reads what belongs to them: their batches,
 * and the results of other steps of their workflows.
 */
public final class Leases {

	private static final Logger logger = LoggerFactory.getLogger(Leases.class);

	private final UUID worker;

	private final AttemptStore store;

	private final Function<UUID, @Nullable BatchInfo> batches;

	private final StepResults results;

	private final OutsideTransaction outside;

	/**
	 * Create the leases of one worker.
	 * @param worker the id of the worker
	 * @param store extends leases
	 * @param batches returns the numbers of the batch of a live job
	 * @param results reads the results of steps of workflows
	 * @param transactionManager the transaction manager of the application
	 */
	public Leases(UUID worker, AttemptStore store, Function<UUID, @Nullable BatchInfo> batches, StepResults results,
			PlatformTransactionManager transactionManager) {
		this.worker = worker;
		this.store = store;
		this.batches = batches;
		this.results = results;
		this.outside = new OutsideTransaction(transactionManager);
	}

	/**
	 * Extend the leases of running jobs.
	 * @return the ids of the jobs on which the worker has not lost its claim
	 */
	Set<UUID> extend(Collection<ClaimedJob> jobs, Duration duration) {
		return this.outside.call(() -> this.store.extendLeases(this.worker, jobs, duration));
	}

	@Nullable BatchInfo batch(ClaimedJob job) {
		return this.batches.apply(job.id());
	}

	<T> @Nullable T result(ClaimedJob job, String step, Class<T> type) {
		return this.results.read(job, step, type);
	}

	/**
	 * Extend the leases of jobs whose handler is about to start.
	 * @return the ids of the jobs whose lease was extended
	 */
	Set<UUID> begin(Collection<ClaimedJob> jobs, Duration duration) {
		try {
			return extend(jobs, duration);
		}
		catch (Throwable ex) {
			logger.warn("Could not extend the lease of {}; released: {}", jobs, FailureText.of(ex));
			logger.debug("Could not extend a lease", ex);
			return Set.of();
		}
	}

}
