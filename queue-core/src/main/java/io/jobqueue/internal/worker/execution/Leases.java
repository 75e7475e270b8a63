package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.BatchInfo;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.OutsideTransaction;

/**
 * Extends the leases of one worker's jobs, and reads their batches.
 */
public final class Leases {

	private static final Logger logger = LoggerFactory.getLogger(Leases.class);

	private final UUID worker;

	private final JobStore store;

	private final Function<UUID, @Nullable BatchInfo> batches;

	private final OutsideTransaction outside;

	/**
	 * Create the leases of one worker.
	 * @param worker the id of the worker
	 * @param store the store of jobs
	 * @param batches returns the numbers of the batch of a live job
	 * @param transactionManager the transaction manager of the application
	 */
	public Leases(UUID worker, JobStore store, Function<UUID, @Nullable BatchInfo> batches,
			PlatformTransactionManager transactionManager) {
		this.worker = worker;
		this.store = store;
		this.batches = batches;
		this.outside = new OutsideTransaction(transactionManager);
	}

	/**
	 * Extend the lease of a running job.
	 * @return {@code false} if the worker has lost the claim
	 */
	boolean extend(ClaimedJob job, Duration duration) {
		return this.outside.call(() -> this.store.extendLease(this.worker, job, duration));
	}

	@Nullable BatchInfo batch(ClaimedJob job) {
		return this.batches.apply(job.id());
	}

	/**
	 * Extend the lease of a job whose handler is about to start.
	 * @return {@code false} if it could not be extended
	 */
	boolean begin(ClaimedJob job) {
		try {
			return extend(job, job.maxRunTime());
		}
		catch (Throwable ex) {
			logger.warn("Could not extend the lease of {}; the job is released: {}", job, FailureText.of(ex));
			logger.debug("Could not extend a lease", ex);
			return false;
		}
	}

}
