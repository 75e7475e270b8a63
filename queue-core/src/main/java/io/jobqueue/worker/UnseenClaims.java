package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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
