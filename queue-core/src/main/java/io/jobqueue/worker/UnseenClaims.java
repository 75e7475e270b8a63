package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.jobqueue.store.QueueDemand;

/**
 * Claims whose result never arrived. The database may have carried them out, or may do so
 * later than we hear of the failure: they stay suspect for a while.
 */
final class UnseenClaims {

	private final Duration suspicion;

	private final Map<Long, Long> since = new HashMap<>();

	UnseenClaims(Duration suspicion) {
		this.suspicion = suspicion;
	}

	void add(Collection<QueueDemand> demands) {
		long now = System.nanoTime();
		demands.forEach((demand) -> this.since.put(demand.claim(), now));
	}

	Collection<Long> suspects() {
		return List.copyOf(this.since.keySet());
	}

	/**
	 * Note that all suspects were given back just now.
	 */
	void givenBack() {
		long latest = System.nanoTime() - this.suspicion.toNanos();
		this.since.values().removeIf((since) -> since - latest < 0);
	}

}
