package io.jobqueue.benchmark.timing;

import java.util.Arrays;

/**
 * Arithmetic of measurements.
 */
public final class Rate {

	static final double NANOS_PER_SECOND = 1e9;

	private Rate() {
	}

	/**
	 * Return the rate of what was done until now.
	 * @param count how much was done
	 * @param startNanos when it began, by {@link System#nanoTime}
	 * @return the count per second
	 */
	public static double of(long count, long startNanos) {
		return count * NANOS_PER_SECOND / (System.nanoTime() - startNanos);
	}

	/**
	 * Return the median: of an even number of values the upper one of the two in the
	 * middle.
	 * @param values the values, in any order
	 * @return one of them
	 * @throws ArrayIndexOutOfBoundsException if there are none
	 */
	public static double median(double... values) {
		return percentile(values, 0.5);
	}

	/**
	 * Return the value at position ⌊share · n⌋ of n ascending ones, from 0, or the last
	 * one. Nothing is interpolated.
	 * @param values the values, in any order
	 * @param share the share, from 0 to 1
	 * @return one of the values
	 * @throws ArrayIndexOutOfBoundsException if there are none
	 */
	public static double percentile(double[] values, double share) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
	}

}
