package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.worker.execution.JobSink;

/**
 * Claims new jobs by their ids on handler threads: the thread that has committed a job
 * starts an idle handler of the same JVM for it. The job does not wait for the fetcher,
 * and no signal is sent unless the claim fails or is slow.
 */
final class DirectClaims {

	private static final Logger logger = LoggerFactory.getLogger(DirectClaims.class);

	/**
	 * The number of claims at a time, each of which uses a connection of the pool. While
	 * they are under way, the fetcher claims further jobs together.
	 */
	static final int MAX = 2;

	/**
	 * The age of a claim whose job {@link #signalSlow} offers to other workers. The
	 * session of the worker calls it every half second.
	 */
	static final Duration SLOW = Duration.ofMillis(100);

	private final JobFetcher fetcher;

	private final JobSink sink;

	private final ClaimRequests requests;

	private final JobSignals signals;

	private final FailureLog failures = FailureLog.of(logger, "Claiming new jobs by their ids");

	private final Set<Claim> underWay = new HashSet<>();

	private final Deadline retry = new Deadline();

	private volatile boolean closed;

	DirectClaims(JobFetcher fetcher, JobSink sink, ClaimRequests requests, JobSignals signals) {
		this.fetcher = fetcher;
		this.sink = sink;
		this.requests = requests;
		this.signals = signals;
		this.retry.reset(Duration.ZERO);
	}

	/**
	 * Start an idle handler for a new job.
	 * @return {@code false} if a signal must be sent instead
	 */
	boolean offer(DueJob job) {
		Claim claim = new Claim(job);
		return this.requests.isDirect(job) && enter(claim) && offer(claim);
	}

	private boolean offer(Claim claim) {
		boolean started = false;
		try {
			started = this.sink.offer(claim.job.queue(), claim);
		}
		finally {
			if (!started) {
				leave(claim);
			}
		}
		return started;
	}

	private synchronized boolean enter(Claim claim) {
		return !this.closed && this.retry.isDue() && this.underWay.size() < MAX && this.underWay.add(claim);
	}

	private void leave(Claim claim) {
		remove(claim);
		claim.ended.complete(null);
	}

	private synchronized void remove(Claim claim) {
		this.underWay.remove(claim);
	}

	private void failed(Throwable failure) {
		this.fetcher.pollNow();
		pause(this.failures.failed(failure));
	}

	private synchronized void pause(Duration time) {
		this.retry.reset(time);
	}

	/**
	 * Signal the jobs of claims that have been under way for long, or at the end: the
	 * pool may have no free connection, or the database does not answer.
	 */
	void signalSlow() {
		slow().forEach((claim) -> this.signals.publish(List.of(claim.job.wakeUp())));
	}

	private synchronized List<Claim> slow() {
		List<Claim> slow = new ArrayList<>(this.underWay);
		slow.removeIf((claim) -> !claim.becomesSlow(this.closed));
		return slow;
	}

	/**
	 * Begin no further claims, and signal the jobs of those under way while signals are
	 * still sent.
	 * @return a stage that completes when the last claim has ended
	 */
	CompletableFuture<Void> close() {
		CompletableFuture<Void> ended = closed();
		signalSlow();
		return ended;
	}

	private synchronized CompletableFuture<Void> closed() {
		this.closed = true;
		return CompletableFuture
			.allOf(this.underWay.stream().map((claim) -> claim.ended).toArray(CompletableFuture[]::new));
	}

	/**
	 * The claim of one job, from the offer to the answer of the database.
	 */
	private final class Claim implements Runnable {

		private final DueJob job;

		private final long since = System.nanoTime();

		private final CompletableFuture<Void> ended = new CompletableFuture<>();

		private boolean slow;

		private boolean accepted;

		private Claim(DueJob job) {
			this.job = job;
		}

		private boolean becomesSlow(boolean atOnce) {
			boolean becomes = !this.slow && (atOnce || System.nanoTime() - this.since > SLOW.toNanos());
			this.slow |= becomes;
			return becomes;
		}

		@Override
		public void run() {
			try {
				if (isWanted() && DirectClaims.this.fetcher.claimNew(this.job, this::accept)) {
					DirectClaims.this.failures.succeeded();
				}
				if (!this.accepted) {
					DirectClaims.this.fetcher.releaseInDoubt();
				}
			}
			catch (Throwable ex) {
				failed(ex);
			}
			finally {
				end();
			}
		}

		/**
		 * A worker that stops, or serves other types than at the time of the offer, does
		 * not want the job.
		 */
		private boolean isWanted() {
			return !DirectClaims.this.closed && DirectClaims.this.requests.isDirect(this.job);
		}

		private boolean accept(ClaimResult claimed) {
			this.accepted = !claimed.jobs().isEmpty() && isWanted()
					&& DirectClaims.this.sink.take(this.job.queue(), claimed, this.since);
			return this.accepted || claimed.jobs().isEmpty();
		}

		private void end() {
			try {
				if (!this.accepted) {
					DirectClaims.this.signals.publish(List.of(this.job.wakeUp()));
				}
			}
			finally {
				leave(this);
			}
		}

	}

}
