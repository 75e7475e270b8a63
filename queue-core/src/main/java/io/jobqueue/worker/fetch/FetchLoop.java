package io.jobqueue.worker.fetch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.FailureLog;

/**
 * Runs the steps of a {@link JobFetcher} on one thread until it is closed. After a step
 * that fails, it pauses before the next one.
 */
public final class FetchLoop implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(FetchLoop.class);

	private final JobFetcher fetcher;

	private final FailureLog failures = FailureLog.of(logger, "Claiming jobs");

	private final CountDownLatch closing = new CountDownLatch(1);

	/**
	 * Create a loop.
	 * @param fetcher the fetcher
	 */
	public FetchLoop(JobFetcher fetcher) {
		this.fetcher = fetcher;
	}

	@Override
	public void run() {
		while (this.closing.getCount() > 0) {
			try {
				this.fetcher.sleep(stepSafely());
			}
			catch (InterruptedException ex) {
				logger.debug("The fetcher was interrupted", ex);
			}
		}
	}

	private Duration stepSafely() throws InterruptedException {
		this.fetcher.status().begin();
		try {
			Duration pause = this.fetcher.step();
			this.failures.succeeded();
			this.fetcher.status().answered();
			return pause;
		}
		catch (Throwable ex) {
			this.fetcher.pollNow();
			pause(this.failures.failed(ex));
			return Duration.ZERO;
		}
	}

	/**
	 * A stop ends the pause early, a signal does not.
	 */
	private void pause(Duration time) throws InterruptedException {
		if (this.closing.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
			logger.debug("The fetcher is closed while claiming fails");
		}
	}

	/**
	 * Stop after the current step, without waiting for its end.
	 */
	public void close() {
		this.closing.countDown();
		this.fetcher.wake();
	}

}
