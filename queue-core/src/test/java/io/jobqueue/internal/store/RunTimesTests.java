package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

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
				assertThat(RunTimes.bucket(estimate)).isBetween(RunTimes.bucket(exact), RunTimes.bucket(exact) + 1);
				assertThat(estimate.toNanos() / (double) exact.toNanos()).isBetween(0.66, 1.501);
			}
		}
	}

	/**
	 * Two attempts of up to 0.1 ms, and four of 0.2 to 0.3 ms.
	 */
	@Test
	void estimateIsInterpolatedInItsBucket() {
		RunTimes times = new RunTimes(List.of(2, 0, 0, 4));
		assertThat(Stream.of(1 / 6.0, 1 / 3.0, 0.5, 0.75, 1.0).map(times::quantile)).containsExactly(micros(50),
				micros(100), micros(225), micros(262.5), micros(300));
	}

	private static Duration micros(double micros) {
		return Duration.ofNanos((long) (micros * 1_000));
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
