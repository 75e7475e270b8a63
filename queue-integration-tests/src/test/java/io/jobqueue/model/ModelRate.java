package io.jobqueue.model;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.ClusterLimits.Rate;

/**
 * What was claimed under the rate of the queue. What lies more than a period before now
 * does not count, nor what lies more than a period ahead after the clock has jumped back;
 * the next claim under the rate forgets both.
 */
final class ModelRate {

	static final int PERIOD = 10;

	static final Rate RATE = new Rate(3, Duration.ofMinutes(PERIOD));

	private final ModelClock clock;

	private final TreeMap<Integer, Integer> jobsByMinute = new TreeMap<>();

	ModelRate(ModelClock clock) {
		this.clock = clock;
	}

	/**
	 * Return how many jobs may be claimed now.
	 */
	int allowed() {
		return Math.max(0, RATE.limit() - count());
	}

	/**
	 * Return in how many minutes jobs may be claimed again, {@code null} if they may now.
	 */
	@Nullable Integer allowedIn() {
		return (count() < RATE.limit()) ? null : Integer.valueOf(counted().firstKey() + PERIOD - this.clock.now());
	}

	private int count() {
		return counted().values().stream().mapToInt(Integer::intValue).sum();
	}

	private SortedMap<Integer, Integer> counted() {
		int now = this.clock.now();
		return new TreeMap<>(this.jobsByMinute.subMap(now - PERIOD, false, now + PERIOD, true));
	}

	/**
	 * Note a claim.
	 * @param jobs how many jobs it brought
	 */
	void claimed(int jobs) {
		SortedMap<Integer, Integer> counted = counted();
		this.jobsByMinute.clear();
		this.jobsByMinute.putAll(counted);
		if (jobs > 0) {
			this.jobsByMinute.merge(this.clock.now(), jobs, Integer::sum);
		}
	}

	Map<Integer, Integer> snapshot() {
		return Map.copyOf(this.jobsByMinute);
	}

}
