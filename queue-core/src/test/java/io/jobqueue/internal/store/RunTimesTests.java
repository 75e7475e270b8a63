package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The buckets of run times, and what they tell.
 */
class RunTimesTests {

	@Test
	void limitsDoubleInTwoSteps() {
		assertThat(LongStream.of(0, 99, 100, 149, 150, 199, 200, 299, 300, 400).map(RunTimesTests::bucketOfMicros))
			.containsExactly(0L, 0L, 1L, 1L, 2L, 2L, 3L, 3L, 4L, 5L);
	}

	private static long bucketOfMicros(long micros) {
		return RunTimes.bucket(Duration.ofNanos(micros * 1_000));
	}

	@Test
	void longestRunTimesHaveTheLastBucket() {
		assertThat(RunTimes.bucket(Duration.ofHours(59))).isEqualTo(RunTimes.BUCKETS - 2);
		assertThat(RunTimes.bucket(Duration.ofHours(60))).isEqualTo(RunTimes.BUCKETS - 1);
		assertThat(RunTimes.bucket(Duration.ofDays(10_000))).isEqualTo(RunTimes.BUCKETS - 1);
		assertThat(of(Duration.ofDays(10)).quantile(0.5)).isBetween(Duration.ofMinutes(3_579),
				Duration.ofMinutes(3_580));
	}

	/**
	 * Run times of every magnitude from 0.1 ms to 28 hours.
	 */
	@Test
	void estimateIsWithinItsBounds() {
		Random random = new Random(47);
		for (int round = 0; round < 1_000; round++) {
			double magnitude = random.nextDouble() * 8;
			Duration[] times = random.doubles(50)
				.mapToObj((each) -> Duration.ofNanos((long) (Math.pow(10, magnitude + each) * 100_000)))
				.sorted()
				.toArray(Duration[]::new);
			for (double share : new double[] { 0.02, 0.5, 0.9, 0.99, 1 }) {
				Duration exact = times[(int) Math.ceil(share * times.length) - 1];
				Duration estimate = of(times).quantile(share);
				assertThat(estimate.toNanos() / (double) exact.toNanos()).isBetween(0.81, 1.23);
			}
		}
	}

	@Test
	void shortestRunTimesAreHalfOfTheFirstLimit() {
		assertThat(of(Duration.ZERO, Duration.ofNanos(90_000)).quantile(1)).isEqualTo(Duration.ofNanos(50_000));
	}

	@Test
	void nothingHasNoQuantile() {
		assertThat(RunTimes.NONE.quantile(0.5)).isNull();
		assertThat(RunTimes.NONE.counts()).isEmpty();
	}

	@Test
	void differenceIsWhatWasAdded() {
		assertThat(new RunTimes(List.of(3, 2, 5)).minus(new RunTimes(List.of(3, 1))).counts()).containsExactly(0L, 1L,
				5L);
	}

	private static RunTimes of(Duration... times) {
		Long[] counts = new Long[RunTimes.BUCKETS];
		Arrays.fill(counts, 0L);
		Arrays.stream(times).forEach((time) -> counts[RunTimes.bucket(time)]++);
		return new RunTimes(List.of(counts));
	}

}
