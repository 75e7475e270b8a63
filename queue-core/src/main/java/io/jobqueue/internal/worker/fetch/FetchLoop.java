package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.FailureLog;

/**
 * Runs the steps of a {@link JobFetcher} on one thread until it is closed. After a step
 * that fails, it pauses before the next one.
 */
public final class FetchLoop implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(FetchLoop.class);

	private final JobFetcher fetcher;

	private final FailureLog failures = FailureLog.of(logger, "Claiming jobs");

	private final CountDownLatch closing = new CountDownLatch(1);

	private volatile @Nullable Long unansweredSince;

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
		if (this.unansweredSince == null) {
			this.unansweredSince = System.nanoTime();
		}
		try {
			Duration pause = this.fetcher.step();
			this.failures.succeeded();
			this.unansweredSince = null;
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
	 * Return the time since the first unanswered step began.
	 * @return the time, zero if all steps are answered
	 */
	public Duration silence() {
		Long since = this.unansweredSince;
		return (since != null) ? Duration.ofNanos(System.nanoTime() - since) : Duration.ZERO;
	}

	/**
	 * Stop after the current step, without waiting for its end.
	 */
	public void close() {
		this.closing.countDown();
		this.fetcher.wake();
	}

}
