package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.FailureLog;

/**
 * Takes one step after the other until it is closed: when something calls for it, and
 * again after a pause while steps fail.
 */
final class FetchLoop implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(FetchLoop.class);

	private final Step step;

	private final Runnable onFailure;

	private final Contact contact;

	private final Waiter waiter = new Waiter();

	private final FailureLog failures = FailureLog.of(logger, "Claiming jobs");

	private final CountDownLatch closing = new CountDownLatch(1);

	FetchLoop(Step step, Runnable onFailure, Contact contact) {
		this.step = step;
		this.onFailure = onFailure;
		this.contact = contact;
	}

	@Override
	public void run() {
		while (this.closing.getCount() > 0) {
			try {
				this.waiter.sleep(stepSafely());
			}
			catch (InterruptedException ex) {
				logger.debug("The fetcher was interrupted", ex);
			}
		}
	}

	private Duration stepSafely() throws InterruptedException {
		this.contact.ask();
		try {
			Duration pause = this.step.take();
			this.failures.succeeded();
			this.contact.answered();
			return pause;
		}
		catch (Throwable ex) {
			this.onFailure.run();
			pause(this.failures.failed(ex));
			return Duration.ZERO;
		}
	}

	/**
	 * A signal does not cut it short, but a stop does.
	 */
	private void pause(Duration time) throws InterruptedException {
		if (this.closing.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
			logger.debug("The fetcher is closed while claiming fails");
		}
	}

	void wake() {
		this.waiter.wake();
	}

	void close() {
		this.closing.countDown();
		wake();
	}

	/**
	 * What is done at a time.
	 */
	@FunctionalInterface
	interface Step {

		/**
		 * Do it.
		 * @return how long to wait for a call
		 */
		Duration take();

	}

}
