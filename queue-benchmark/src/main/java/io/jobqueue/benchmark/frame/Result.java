package io.jobqueue.benchmark.frame;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a scenario measured: named figures of one unit, ratios without one, and curves for
 * the report. Each method returns a copy.
 *
 * @param unit the unit
 * @param figures the figures by name, in the order of the line
 * @param curves what the report draws
 */
public record Result(String unit, Map<String, Double> figures, List<Curve> curves) {

	public static Result in(String unit) {
		return new Result(unit, Map.of(), List.of());
	}

	/**
	 * Compare the medians of the contenders {@code value} and {@code floor}.
	 */
	public static Result of(String unit, Samples samples) {
		double value = samples.median("value");
		double floor = samples.median("floor");
		return in(unit).with("value", value).with("floor", floor).with("ratio", value / floor);
	}

	public Result with(String name, double value) {
		Map<String, Double> more = new LinkedHashMap<>(this.figures);
		more.put(name, value);
		return new Result(this.unit, more, this.curves);
	}

	public Result with(Curve curve) {
		List<Curve> more = new ArrayList<>(this.curves);
		more.add(curve);
		return new Result(this.unit, this.figures, more);
	}

	public boolean has(String name) {
		return this.figures.containsKey(name);
	}

	public double figure(String name) {
		Double value = this.figures.get(name);
		if (value == null) {
			throw new IllegalArgumentException("There is no figure '%s' in %s".formatted(name, this.figures.keySet()));
		}
		return value;
	}

}
