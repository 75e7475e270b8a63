package io.jobqueue.worker.completion;

import java.util.function.Predicate;
import java.util.function.Supplier;

import io.jobqueue.store.ClaimRequest;
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
	 * @param request the request
	 * @param claim claims in the database
	 * @param accepted passes the jobs on, and returns {@code false} if none is accepted
	 * @return the result of the claim
	 */
	public ClaimResult claim(ClaimRequest request, Supplier<ClaimResult> claim, Predicate<ClaimResult> accepted) {
		this.ledger.begin(request.claim());
		boolean confirmed = false;
		try {
			ClaimResult claimed = this.steps.claim(request.queue(), claim);
			this.ledger.received(request.claim(), claimed.jobs().size());
			this.steps.claimed(claimed.jobs());
			confirmed = accepted.test(claimed);
			return claimed;
		}
		finally {
			end(request.claim(), confirmed);
		}
	}

	private void end(long claim, boolean confirmed) {
		if (confirmed) {
			this.ledger.confirm(claim);
		}
		else {
			this.ledger.fail(claim);
		}
	}

}
