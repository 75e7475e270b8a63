package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

/**
 * How many attempts took how long. The buckets are fixed, so that the counts of nodes and
 * minutes can be added: up to 0.1 ms, and from there two for each doubling, which begin
 * at 1 and at 1.5 times a power of two. The last one begins at 59.7 hours.
 */
public final class RunTimes {

	/**
	 * The number of buckets.
	 */
	public static final int BUCKETS = 64;

	/**
	 * No attempts.
	 */
	public static final RunTimes NONE = new RunTimes(List.of());

	/**
	 * Half of the width of the first bucket.
	 */
	private static final long UNIT_NANOS = 50_000;

	private final long[] counts;

	/**
	 * Create run times.
	 * @param counts the number of attempts in each bucket from the first one on; missing
	 * ones are empty, and counts beyond the last bucket are ignored
	 */
	public RunTimes(Collection<? extends Number> counts) {
		this(counts.stream().mapToLong(Number::longValue));
	}

	private RunTimes(LongStream counts) {
		this.counts = LongStream.concat(counts, LongStream.generate(() -> 0)).limit(BUCKETS).toArray();
	}

	/**
	 * Return the bucket of a run time.
	 * @param runTime the run time
	 * @return its index, from 0
	 */
	public static int bucket(Duration runTime) {
		long units = runTime.toNanos() / UNIT_NANOS;
		if (units < 2) {
			return 0;
		}
		int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(units);
		int half = (int) (units >>> (power - 1)) & 1;
		return Math.min(2 * power - 1 + half, BUCKETS - 1);
	}

	/**
	 * Return the shortest run time of a bucket.
	 */
	private static double lowerNanos(int bucket) {
		if (bucket == 0) {
			return 0;
		}
		int power = (bucket + 1) / 2;
		int half = (bucket + 1) % 2;
		return UNIT_NANOS * (2.0 + half) * (1L << (power - 1));
	}

	/**
	 * Return the number of attempts in each bucket.
	 * @return the counts, without the empty buckets at the end
	 */
	public List<Long> counts() {
		int end = BUCKETS;
		while (end > 0 && this.counts[end - 1] == 0) {
			end--;
		}
		return LongStream.of(this.counts).limit(end).boxed().toList();
	}

	/**
	 * Return the attempts that were added since.
	 * @param earlier the attempts of an earlier time
	 * @return the difference
	 */
	public RunTimes minus(RunTimes earlier) {
		return new RunTimes(
				IntStream.range(0, BUCKETS).mapToLong((bucket) -> this.counts[bucket] - earlier.counts[bucket]));
	}

	/**
	 * Estimate the run time that a share of the attempts did not exceed, by linear
	 * interpolation in the bucket that contains it:
	 * {@code lower + (upper - lower) * (share * attempts - before) / inside}, where
	 * {@code before} is the number of attempts in shorter buckets and {@code inside} that
	 * in this one. This is the formula of <a href=
	 * "https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile">
	 * histogram_quantile</a> of Prometheus. It is exact if the run times are spread
	 * evenly between the limits of the bucket; otherwise it lies in the bucket of the
	 * exact value, and is at most 33 % below and 50 % above it. From 59.7 hours on it is
	 * 59.7 hours.
	 * @param share the share, such as 0.99
	 * @return the estimate, {@code null} without an attempt
	 */
	public @Nullable Duration quantile(double share) {
		double rank = share * LongStream.of(this.counts).sum();
		long before = 0;
		for (int bucket = 0; bucket < BUCKETS; bucket++) {
			long inside = this.counts[bucket];
			if (inside > 0 && before + inside >= rank) {
				return Duration.ofNanos(Math.round(nanos(bucket, (rank - before) / inside)));
			}
			before += inside;
		}
		return null;
	}

	private static double nanos(int bucket, double part) {
		double lower = lowerNanos(bucket);
		return (bucket == BUCKETS - 1) ? lower : lower + (lowerNanos(bucket + 1) - lower) * part;
	}

}
