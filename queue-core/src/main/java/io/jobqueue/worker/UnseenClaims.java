package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.JobStore;

/**
 * Claims whose result never arrived. The database may have carried them out, or may do so
 * later than we hear of the failure: they stay suspect for a while.
 */
final class UnseenClaims {

	private final Duration suspicion;

	private final Map<Long, Long> since = new ConcurrentHashMap<>();

	UnseenClaims(Duration suspicion) {
		this.suspicion = suspicion;
	}

	void add(long claim) {
		this.since.put(claim, System.nanoTime());
	}

	/**
	 * Note that the result of a claim has arrived after all.
	 */
	void remove(long claim) {
		this.since.remove(claim);
	}

	/**
	 * Give back whatever they have taken, now and as long as a claim may still be under
	 * way.
	 */
	void giveBack(UUID worker, JobStore store, JobSignals signals) {
		if (!this.since.isEmpty()) {
			signals.publish(store.giveBack(worker, List.copyOf(this.since.keySet())));
			long latest = System.nanoTime() - this.suspicion.toNanos();
			this.since.values().removeIf((since) -> since - latest < 0);
		}
	}

}
