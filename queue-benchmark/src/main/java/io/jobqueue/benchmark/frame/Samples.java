package io.jobqueue.benchmark.frame;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.jobqueue.benchmark.timing.Rate;

/**
 * What the contenders reached in all rounds.
 */
public final class Samples {

	private final Map<String, List<Double>> values = new LinkedHashMap<>();

	void add(String contender, double value) {
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

	List<Double> all(String contender) {
		return this.values.getOrDefault(contender, List.of());
	}

}
