package io.jobqueue.benchmark.frame;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Samples}.
 */
class SamplesTests {

	@Test
	void ratioIsTheMedianOverTheRounds() {
		Samples samples = new Samples();
		for (double[] round : new double[][] { { 10, 1 }, { 20, 10 }, { 60, 20 } }) {
			samples.add("value", round[0]);
			samples.add("floor", round[1]);
		}
		assertThat(samples.ratio("value", "floor")).isEqualTo(3);
	}

}
