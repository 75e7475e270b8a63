package io.jobqueue.worker;

import java.util.UUID;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;

import io.jobqueue.ClaimLostException;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.Outcome.Completed;

/**
 * Completes a job with the last statement before the commit, so that the job is locked no
 * longer than that. Whoever has lost its claim cannot commit.
 */
final class FencedCompletion implements TransactionSynchronization {

	private final UUID worker;

	private final JobStore store;

	private final Completed completion;

	private final Lease lease;

	private final TransactionStatus transaction;

	private boolean passed;

	private boolean committed;

	FencedCompletion(UUID worker, JobStore store, Completed completion, Lease lease, TransactionStatus transaction) {
		this.worker = worker;
		this.store = store;
		this.completion = completion;
		this.lease = lease;
		this.transaction = transaction;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	/**
	 * What an object mapper has not written yet, it would write after us.
	 */
	@Override
	public void beforeCommit(boolean readOnly) {
		this.transaction.flush();
		if (this.lease.isOver() || !this.store.complete(this.worker, this.completion)) {
			throw new ClaimLostException(this.completion.id());
		}
		this.passed = true;
	}

	@Override
	public void afterCompletion(int status) {
		this.committed = (status == STATUS_COMMITTED);
	}

	UUID job() {
		return this.completion.id();
	}

	boolean isCommitted() {
		return this.passed && this.committed;
	}

	boolean isPassed() {
		return this.passed;
	}

}
