package io.jobqueue.worker.fetch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.FailureLog;

/**
 * The thread of a {@link JobFetcher}: takes one step after the other until it is closed,
 * and again after a pause while steps fail.
 */
public final class FetchLoop implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(FetchLoop.class);

	private final JobFetcher fetcher;

	private final FailureLog failures = FailureLog.of(logger, "Claiming jobs");

	private final CountDownLatch closing = new CountDownLatch(1);

	/**
	 * Create a loop.
	 * @param fetcher what takes the steps
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
		this.fetcher.status().ask();
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
	 * A signal does not shorten the pause, a stop does.
	 */
	private void pause(Duration time) throws InterruptedException {
		if (this.closing.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
			logger.debug("The fetcher is closed while claiming fails");
		}
	}

	/**
	 * Take no further step. This does not wait for the one under way.
	 */
	public void close() {
		this.closing.countDown();
		this.fetcher.wake();
	}

}
