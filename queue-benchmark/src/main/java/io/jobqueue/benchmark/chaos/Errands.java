package io.jobqueue.benchmark.chaos;

import java.time.Duration;
import java.util.UUID;
import java.util.function.ToIntFunction;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch;
import io.jobqueue.JobBatch.Item;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;

/**
 * Handlers that note each effect, in the middle of their time.
 */
@JobHandler(queue = Errands.QUEUE)
class Errands {

	static final String QUEUE = "chaos";

	private static final int SIZE = 20;

	private static final Duration AGAIN = Duration.ofMillis(500);

	private final Ledger ledger;

	Errands(Ledger ledger) {
		this.ledger = ledger;
	}

	/**
	 * Fails before its effect: a second one is then the doing of a fault.
	 */
	UUID handle(Errand.Repeatable errand, JobContext job) throws InterruptedException {
		fail(errand.failures(), job);
		run(errand.millis(), job);
		return job.id();
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

	/**
	 * The call fails before its effects if one of its jobs is to fail.
	 */
	@JobHandler(batchSize = SIZE, batchWait = "100ms")
	void handleAll(JobBatch<Errand.Joint> errands) throws InterruptedException {
		errands.items().forEach((item) -> fail(item.payload().failures(), item.job()));
		runAll(errands, Errand.Joint::millis);
	}

	/**
	 * A job that is to fail has another result, or lets the call throw, after the effects
	 * of all.
	 */
	@JobHandler(batchSize = SIZE, batchWait = "100ms", delivery = Delivery.TRANSACTIONAL)
	void handleAllAtomic(JobBatch<Errand.JointAtomic> errands) throws InterruptedException {
		runAll(errands, Errand.JointAtomic::millis);
		for (Item<Errand.JointAtomic> item : errands.items()) {
			if (item.job().attempt() <= item.payload().failures() && item.payload().millis() % 2 == 0) {
				errands.complete(item, JobResult.retryIn(AGAIN));
			}
			else {
				fail(item.payload().failures(), item.job());
			}
		}
	}

	private <T> void runAll(JobBatch<T> errands, ToIntFunction<T> millis) throws InterruptedException {
		Thread.sleep(millis.applyAsInt(errands.items().get(0).payload()) / 2);
		for (Item<T> item : errands.items()) {
			this.ledger.effect(item.job().id(), item.job().batch());
		}
		Thread.sleep(millis.applyAsInt(errands.items().get(0).payload()) / 2);
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
