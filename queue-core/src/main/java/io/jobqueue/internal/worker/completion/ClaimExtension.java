package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.JobStore;

/**
 * Extends the leases of a worker's claims while its outcomes wait to be recorded, so that
 * the reaper does not release jobs that have ended. It sends no statement while outcomes
 * are recorded without delay.
 */
public final class ClaimExtension implements Runnable {

	/**
	 * The interval between two checks whether outcomes wait.
	 */
	public static final Duration INTERVAL = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(ClaimExtension.class);

	private static final Duration TIME = Duration.ofMinutes(1);

	private final UUID worker;

	private final JobStore store;

	private final ClaimLedger claims;

	private final CompletionBatcher batcher;

	private final Map<Long, Long> extended = new HashMap<>();

	private final FailureLog failures = FailureLog.of(logger,
			"Extending the claims of jobs whose outcomes are not recorded yet");

	/**
	 * Create a claim extension.
	 * @param worker the id of the worker
	 * @param store the store of jobs
	 * @param claims the claims of the worker
	 * @param batcher records outcomes
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
				extend(due);
			}
		}
		else {
			this.extended.clear();
			this.failures.succeeded();
		}
	}

	/**
	 * A claim is extended again when half of its last extension has passed.
	 */
	private List<Long> due() {
		List<Long> open = this.claims.open();
		this.extended.keySet().retainAll(open);
		long since = System.nanoTime() - TIME.dividedBy(2).toNanos();
		return open.stream().filter((claim) -> this.extended.getOrDefault(claim, since - 1) - since < 0).toList();
	}

	private void extend(List<Long> due) {
		long now = System.nanoTime();
		try {
			this.store.extendClaims(this.worker, due, TIME).forEach((claim) -> this.extended.put(claim, now));
			this.failures.succeeded();
		}
		catch (RuntimeException ex) {
			Duration unused = this.failures.failed(ex);
		}
	}

}
