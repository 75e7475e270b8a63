package io.jobqueue.worker.completion;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.FailureLog;
import io.jobqueue.store.JobStore;

/**
 * Keeps the claims of a worker from being taken for expired while its outcomes cannot be
 * written: jobs that have ended must not be taken away meanwhile. It costs nothing while
 * outcomes are written at once.
 */
public final class ClaimExtension implements Runnable {

	/**
	 * How often claims are kept.
	 */
	public static final Duration INTERVAL = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(ClaimExtension.class);

	private static final Duration TIME = Duration.ofMinutes(1);

	private final UUID worker;

	private final JobStore store;

	private final ClaimLedger claims;

	private final CompletionBatcher batcher;

	private final Map<Long, Long> kept = new HashMap<>();

	private final FailureLog failures = FailureLog.of(logger,
			"Extending the claims of jobs whose outcomes are not recorded yet");

	/**
	 * Create what keeps claims.
	 * @param worker the id of the worker
	 * @param store the store of jobs
	 * @param claims the claims of the worker
	 * @param batcher what records outcomes
	 */
	public ClaimExtension(UUID worker, JobStore store, ClaimLedger claims, CompletionBatcher batcher) {
		this.worker = worker;
		this.store = store;
		this.claims = claims;
		this.batcher = batcher;
	}

	@Override
	public synchronized void run() {
		if (this.batcher.isBehind()) {
			List<Long> due = due();
			if (!due.isEmpty()) {
				keep(due);
			}
		}
		else {
			this.kept.clear();
			this.failures.succeeded();
		}
	}

	/**
	 * Claims that were kept are kept again when half of that time has passed.
	 */
	private List<Long> due() {
		List<Long> open = this.claims.open();
		this.kept.keySet().retainAll(open);
		long since = System.nanoTime() - TIME.dividedBy(2).toNanos();
		return open.stream().filter((claim) -> this.kept.getOrDefault(claim, since - 1) - since < 0).toList();
	}

	private void keep(List<Long> due) {
		long now = System.nanoTime();
		try {
			this.store.keep(this.worker, due, TIME).forEach((claim) -> this.kept.put(claim, now));
			this.failures.succeeded();
		}
		catch (RuntimeException ex) {
			Duration unused = this.failures.failed(ex);
		}
	}

}
