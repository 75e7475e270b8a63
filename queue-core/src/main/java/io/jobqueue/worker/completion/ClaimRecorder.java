package io.jobqueue.worker.completion;

import java.util.function.Predicate;
import java.util.function.Supplier;

import io.jobqueue.store.ClaimResult;

/**
 * Makes claims, and records them in the ledger, the meters and the log.
 */
public final class ClaimRecorder {

	private final ClaimLedger ledger;

	private final JobLogger steps;

	/**
	 * Create a recorder.
	 * @param ledger the claims of the worker
	 * @param steps logs and measures the claims
	 */
	public ClaimRecorder(ClaimLedger ledger, JobLogger steps) {
		this.ledger = ledger;
		this.steps = steps;
	}

	/**
	 * Make a claim. If it fails, or its jobs are not accepted, they are in doubt, and
	 * {@link ClaimLedger#release} releases them.
	 * @param queue the queue
	 * @param number the number of the claim
	 * @param claim claims in the database
	 * @param accepted passes the jobs on, and returns {@code false} if none is accepted
	 * @return the result of the claim
	 */
	public ClaimResult claim(String queue, long number, Supplier<ClaimResult> claim, Predicate<ClaimResult> accepted) {
		this.ledger.begin(number);
		boolean confirmed = false;
		try {
			ClaimResult claimed = this.steps.claim(queue, claim);
			this.ledger.received(number, claimed.jobs().size());
			this.steps.claimed(claimed.jobs());
			confirmed = accepted.test(claimed);
			return claimed;
		}
		finally {
			end(number, confirmed);
		}
	}

	private void end(long number, boolean confirmed) {
		if (confirmed) {
			this.ledger.confirm(number);
		}
		else {
			this.ledger.fail(number);
		}
	}

}
