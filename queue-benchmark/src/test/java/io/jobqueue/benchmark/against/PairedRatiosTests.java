package io.jobqueue.benchmark.against;

import java.util.List;
import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PairedRatios}.
 */
class PairedRatiosTests {

	/**
	 * The ranks are those of published tables for the median.
	 */
	@ParameterizedTest
	@CsvSource({ "6, 1, 6", "8, 1, 8", "9, 2, 8", "10, 2, 9", "15, 4, 12", "20, 6, 15", "25, 8, 18" })
	void ranksEncloseTheMedian(int turns, double low, double high) {
		List<Double> descending = DoubleStream.iterate(turns, (rank) -> rank > 0, (rank) -> rank - 1).boxed().toList();
		PairedRatios ratios = PairedRatios.of(descending);
		assertThat(ratios.low()).isEqualTo(low);
		assertThat(ratios.high()).isEqualTo(high);
	}

	@Test
	void medianOfEvenNumberLiesBetweenTwoRatios() {
		assertThat(PairedRatios.of(List.of(4.0, 1.0, 3.0, 2.0)).median()).isEqualTo(2.5);
		assertThat(PairedRatios.of(List.of(4.0, 1.0, 3.0)).median()).isEqualTo(3.0);
	}

}
