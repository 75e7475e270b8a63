package io.jobqueue.benchmark.timing;

import java.util.Arrays;

/**
 * Arithmetic of measurements.
 */
public final class Rate {

	static final double NANOS_PER_SECOND = 1e9;

	private Rate() {
	}

	public static double of(long count, long startNanos) {
		return count * NANOS_PER_SECOND / (System.nanoTime() - startNanos);
	}

	public static double median(double... values) {
		return percentile(values, 0.5);
	}

	public static double percentile(double[] values, double share) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
	}

}
