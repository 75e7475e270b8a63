package io.jobqueue.benchmark.against;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The ratios of two builds, one from each turn.
 *
 * @param ascending the ratios in ascending order
 */
record PairedRatios(List<Double> ascending) {

	/**
	 * The fewest turns whose least and greatest ratio enclose the median with a
	 * confidence of 95 %.
	 */
	static final int FEWEST = 6;

	private static final double EACH_SIDE = 0.025;

	static PairedRatios of(List<Double> ratios) {
		List<Double> ascending = new ArrayList<>(ratios);
		Collections.sort(ascending);
		return new PairedRatios(ascending);
	}

	double median() {
		int size = this.ascending.size();
		return (this.ascending.get((size - 1) / 2) + this.ascending.get(size / 2)) / 2;
	}

	/**
	 * Return the lower end of an interval that contains the median with a confidence of
	 * at least 95 %, whatever the distribution: the number of ratios below the median is
	 * binomial with the probability 1/2.
	 */
	double low() {
		return this.ascending.get(outside());
	}

	/**
	 * Return the upper end of that interval.
	 */
	double high() {
		return this.ascending.get(this.ascending.size() - 1 - outside());
	}

	/**
	 * Return how many ratios lie outside the interval on each side.
	 */
	private int outside() {
		int size = this.ascending.size();
		int outside = -1;
		double probability = Math.pow(0.5, size);
		double sum = probability;
		while (sum <= EACH_SIDE) {
			outside++;
			probability *= (double) (size - outside) / (outside + 1);
			sum += probability;
		}
		return Math.max(0, outside);
	}

}
