package io.jobqueue.benchmark.timing;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * Durations of many threads, to a tenth of a millisecond and up to a minute.
 */
public final class Histogram {

	private static final int MICROS = 100;

	private static final int BUCKETS = 600_000;

	private final AtomicIntegerArray counts = new AtomicIntegerArray(BUCKETS);

	/**
	 * Add a duration. One that is negative or longer than a minute counts at the nearer
	 * end.
	 * @param micros the duration in microseconds
	 */
	public void add(long micros) {
		this.counts.incrementAndGet((int) Math.max(0, Math.min(micros / MICROS, BUCKETS - 1)));
	}

	/**
	 * Return what a share of all kept to.
	 * @param share the share, from 0 to 1
	 * @return milliseconds
	 */
	public double percentile(double share) {
		double wanted = share * IntStream.range(0, BUCKETS).mapToLong(this.counts::get).sum();
		long seen = 0;
		for (int bucket = 0; bucket < BUCKETS; bucket++) {
			seen += this.counts.get(bucket);
			if (seen >= wanted) {
				return (bucket + 1) * MICROS / 1000.0;
			}
		}
		return Double.NaN;
	}

}
