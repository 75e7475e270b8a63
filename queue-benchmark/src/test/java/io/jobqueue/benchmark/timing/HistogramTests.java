package io.jobqueue.benchmark.timing;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Histogram}.
 */
class HistogramTests {

	private final Histogram histogram = new Histogram();

	@Test
	void percentileIsWhatAShareKeptTo() {
		LongStream.rangeClosed(1, 100).map((millis) -> millis * 1_000 - 1).forEach(this.histogram::add);
		assertThat(this.histogram.percentile(0.5)).isEqualTo(50);
		assertThat(this.histogram.percentile(0.99)).isEqualTo(99);
	}

	@Test
	void outliersCountAtTheEnds() {
		this.histogram.add(-5);
		this.histogram.add(Long.MAX_VALUE);
		assertThat(this.histogram.percentile(0.5)).isEqualTo(0.1);
		assertThat(this.histogram.percentile(1)).isEqualTo(60_000);
	}

}
