package io.jobqueue.benchmark.frame;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.jobqueue.benchmark.timing.Rate;

/**
 * What the contenders reached in all rounds.
 */
public final class Samples {

	private final Map<String, List<Double>> values = new LinkedHashMap<>();

	/**
	 * Add what a contender reached in a round.
	 * @param contender its name
	 * @param value the figure
	 */
	public void add(String contender, double value) {
		this.values.computeIfAbsent(contender, (name) -> new ArrayList<>()).add(value);
	}

	/**
	 * Return the median of all rounds of a contender, as {@link Rate#median} finds it.
	 * @param contender its name
	 * @return the median, in the unit it was measured in
	 * @throws ArrayIndexOutOfBoundsException if no round of it was measured
	 */
	public double median(String contender) {
		return Rate.median(all(contender).stream().mapToDouble(Double::doubleValue).toArray());
	}

	/**
	 * Return the median of the ratios of two contenders, one of each round.
	 * @param contender the name of the one
	 * @param to the name of the other, which it is divided by
	 * @return the median, as {@link Rate#median} finds it
	 * @throws ArrayIndexOutOfBoundsException if no round was measured
	 */
	public double ratio(String contender, String to) {
		List<Double> values = all(contender);
		List<Double> others = all(to);
		return Rate.median(IntStream.range(0, values.size())
			.mapToDouble((round) -> values.get(round) / others.get(round))
			.toArray());
	}

	List<Double> all(String contender) {
		return this.values.getOrDefault(contender, List.of());
	}

}
