package io.jobqueue.benchmark.chaos;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;

/**
 * Handlers that note each effect, in the middle of their time.
 */
@JobHandler(queue = Errands.QUEUE)
class Errands {

	static final String QUEUE = "chaos";

	private final Ledger ledger;

	Errands(Ledger ledger) {
		this.ledger = ledger;
	}

	/**
	 * Fails before its effect: a second one is then the doing of a fault.
	 */
	void handle(Errand.Repeatable errand, JobContext job) throws InterruptedException {
		fail(errand.failures(), job);
		run(errand.millis(), job);
	}

	/**
	 * Fails after its effects: what remains of them would be a second one.
	 */
	@JobHandler(delivery = Delivery.TRANSACTIONAL)
	void handle(Errand.Atomic errand, JobContext job) throws InterruptedException {
		if (errand.followed()) {
			this.ledger.order(new Errand.Atomic(errand.millis(), errand.failures(), false));
		}
		run(errand.millis(), job);
		fail(errand.failures(), job);
	}

	@JobHandler(delivery = Delivery.AT_MOST_ONCE)
	void handle(Errand.Single errand, JobContext job) throws InterruptedException {
		run(errand.millis(), job);
	}

	private void run(int millis, JobContext job) throws InterruptedException {
		Thread.sleep(millis / 2);
		this.ledger.effect(job.id(), job.batch());
		Thread.sleep(millis / 2);
	}

	private static void fail(int failures, JobContext job) {
		if (job.attempt() <= failures) {
			throw new IllegalStateException("This attempt is planned to fail");
		}
	}

}
