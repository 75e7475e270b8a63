package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.worker.completion.ClaimLedger;
import io.jobqueue.internal.worker.completion.RunCounter;
import io.jobqueue.internal.worker.completion.RunCounter.RunCounts;
import io.jobqueue.internal.worker.execution.QueueExecutors;
import io.jobqueue.internal.worker.fetch.JobFetcher;

/**
 * Waits until a worker holds no claimed job and no job is due that it would claim. Due
 * jobs of halted queues are ignored.
 */
final class Drain {

	private static final Logger logger = LoggerFactory.getLogger(Drain.class);

	private static final Duration INTERVAL = Duration.ofMillis(100);

	private final JobFetcher fetcher;

	private final QueueExecutors executors;

	private final ClaimLedger claims;

	private final Supplier<List<TierBacklog>> scan;

	private final RunCounter counter;

	private final FailureLog failures = FailureLog.of(logger, "Checking for due jobs");

	private final CountDownLatch stopped = new CountDownLatch(1);

	private Set<String> halted = Set.of();

	Drain(JobFetcher fetcher, QueueExecutors executors, ClaimLedger claims, Supplier<List<TierBacklog>> scan,
			RunCounter counter) {
		this.fetcher = fetcher;
		this.executors = executors;
		this.claims = claims;
		this.scan = scan;
		this.counter = counter;
	}

	RunCounts await() throws InterruptedException {
		boolean done = isDone();
		while (!done && !this.stopped.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
			done = isDone();
		}
		return this.counter.counts(done, this.halted);
	}

	/**
	 * The scan does not find a job that is claimed during it, but the claim changes the
	 * mark.
	 */
	private boolean isDone() {
		long mark = this.claims.mark();
		return mark != ClaimLedger.UNKNOWN && this.claims.isEmpty() && isNothingDue() && mark == this.claims.mark();
	}

	private boolean isNothingDue() {
		try {
			Set<String> due = dueQueues();
			this.failures.succeeded();
			this.halted = this.executors.halted().stream().filter(due::contains).collect(Collectors.toSet());
			boolean any = due.size() > this.halted.size();
			if (any) {
				this.fetcher.pollNow();
			}
			return !any;
		}
		catch (RuntimeException ex) {
			this.failures.failed(ex);
			return false;
		}
	}

	private Set<String> dueQueues() {
		return this.scan.get()
			.stream()
			.filter(Drain::isDue)
			.map((tier) -> tier.tier().queue())
			.collect(Collectors.toSet());
	}

	private static boolean isDue(TierBacklog tier) {
		return Duration.ZERO.equals(tier.dueIn()) || Duration.ZERO.equals(tier.admitIn());
	}

	void stop() {
		this.stopped.countDown();
	}

}
