package io.jobqueue.recovery;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobType;

/**
 * A handler for each kind of delivery, each of which notes that it ran.
 */
@JobHandler(queue = CrashHandlers.QUEUE)
final class CrashHandlers {

	static final String QUEUE = "crash";

	private final Breakpoint breakpoint;

	private final Ledger inTransaction;

	private final Ledger aside;

	CrashHandlers(Breakpoint breakpoint, Ledger inTransaction, Ledger aside) {
		this.breakpoint = breakpoint;
		this.inTransaction = inTransaction;
		this.aside = aside;
	}

	void handle(Often payload, JobContext job) {
		run(this.aside, job);
	}

	@JobHandler(delivery = Delivery.TRANSACTIONAL)
	void handle(Exactly payload, JobContext job) {
		run(this.inTransaction, job);
	}

	@JobHandler(delivery = Delivery.AT_MOST_ONCE)
	void handle(Once payload, JobContext job) {
		run(this.aside, job);
	}

	private void run(Ledger ledger, JobContext job) {
		Breakpoint.Hold hold = this.breakpoint.hold();
		hold.pass(CrashPoint.BEGUN);
		ledger.done(job.id());
		hold.pass(CrashPoint.WRITTEN);
	}

	/**
	 * Delivered at least once.
	 *
	 * @param number any
	 */
	@JobType("often")
	record Often(int number) {
	}

	/**
	 * Delivered in a transaction.
	 *
	 * @param number any
	 */
	@JobType("exactly")
	record Exactly(int number) {
	}

	/**
	 * Delivered at most once.
	 *
	 * @param number any
	 */
	@JobType("once")
	record Once(int number) {
	}

}
