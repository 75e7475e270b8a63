package io.jobqueue.worker;

import java.time.Duration;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.ClaimLostException;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobStore;

/**
 * The leases that one worker holds.
 */
final class Leases {

	private static final Logger logger = LoggerFactory.getLogger(Leases.class);

	private final UUID worker;

	private final JobStore store;

	Leases(UUID worker, JobStore store) {
		this.worker = worker;
		this.store = store;
	}

	void renew(ClaimedJob job, Duration duration) {
		if (!this.store.renew(this.worker, job, duration)) {
			throw new ClaimLostException(job.id());
		}
	}

	/**
	 * The run time of a job begins with its handler, not in our hands.
	 * @return whether the job may begin
	 */
	boolean begin(HandlerRun run) {
		ClaimedJob job = run.job();
		if (run.held().isFresh()) {
			return true;
		}
		try {
			run.leaseBegins(job.maxRunTime());
			return this.store.renew(this.worker, job, job.maxRunTime());
		}
		catch (Throwable ex) {
			logger.warn("The lease of {} could not be renewed; it is given back", job, ex);
			return false;
		}
	}

}
