package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.SurveyedTier;

/**
 * Waits until a worker has nothing in hand, and nothing is due for it.
 */
final class Drain {

	private static final Logger logger = LoggerFactory.getLogger(Drain.class);

	private static final Duration INTERVAL = Duration.ofMillis(100);

	private final Fetcher fetcher;

	private final OpenClaims claims;

	private final Supplier<List<SurveyedTier>> survey;

	private final Tally tally;

	private final Outage outage = new Outage(logger, "Looking for due jobs");

	private final CountDownLatch stopped = new CountDownLatch(1);

	Drain(Fetcher fetcher, OpenClaims claims, Supplier<List<SurveyedTier>> survey, Tally tally) {
		this.fetcher = fetcher;
		this.claims = claims;
		this.survey = survey;
		this.tally = tally;
	}

	RunCounts await() throws InterruptedException {
		boolean done = isDone();
		while (!done && !this.stopped.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
			done = isDone();
		}
		return this.tally.counts(done);
	}

	/**
	 * A job that is claimed while we look is not seen as due, but the mark tells.
	 */
	private boolean isDone() {
		long mark = this.fetcher.claimMark();
		return mark != ClaimMarks.UNKNOWN && this.claims.isEmpty() && isNothingDue()
				&& mark == this.fetcher.claimMark();
	}

	private boolean isNothingDue() {
		try {
			boolean due = this.survey.get().stream().anyMatch(Drain::isDue);
			this.outage.over();
			if (due) {
				this.fetcher.pollNow();
			}
			return !due;
		}
		catch (RuntimeException ex) {
			this.outage.failed(ex);
			return false;
		}
	}

	private static boolean isDue(SurveyedTier tier) {
		return Duration.ZERO.equals(tier.dueIn()) || Duration.ZERO.equals(tier.judgeIn());
	}

	void stop() {
		this.stopped.countDown();
	}

}
