package io.jobqueue.benchmark.frame;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a scenario measured: named figures of one unit, ratios without one, and curves for
 * the report. Each method returns a copy.
 *
 * @param unit the unit, empty where each figure's name contains its own
 * @param figures the figures by name, in the order of the line
 * @param counts the names of those that are whole numbers and shown as such
 * @param curves what the report draws
 */
public record Result(String unit, Map<String, Double> figures, Set<String> counts, List<Curve> curves) {

	/**
	 * Begin a result, without figures and curves.
	 * @param unit the unit of all figures that are not ratios, empty for none
	 * @return the result
	 */
	public static Result in(String unit) {
		return new Result(unit, Map.of(), Set.of(), List.of());
	}

	/**
	 * Compare the medians of the contenders {@code value} and {@code floor}.
	 */
	public static Result of(String unit, Samples samples) {
		double value = samples.median("value");
		double floor = samples.median("floor");
		return in(unit).with("value", value).with("floor", floor).with("ratio", value / floor);
	}

	/**
	 * Add the median of a further contender, and the ratio of the value to it, which is
	 * named after it.
	 */
	public Result beside(String contender, Samples samples) {
		double median = samples.median(contender);
		return with(contender, median).with(contender + "_ratio", samples.median("value") / median);
	}

	/**
	 * Add a figure after the others. One of that name is replaced where it stands.
	 * @param name the name
	 * @param value the value
	 * @return a result that has it
	 */
	public Result with(String name, double value) {
		Map<String, Double> more = new LinkedHashMap<>(this.figures);
		more.put(name, value);
		return new Result(this.unit, more, this.counts, this.curves);
	}

	/**
	 * Add a whole number after the others.
	 * @param name the name
	 * @param count the number
	 * @return a result that has it
	 */
	public Result withCount(String name, long count) {
		Set<String> more = new HashSet<>(this.counts);
		more.add(name);
		return new Result(this.unit, this.figures, more, this.curves).with(name, (double) count);
	}

	/**
	 * Add a curve after the others.
	 * @param curve the curve
	 * @return a result that has it
	 */
	public Result with(Curve curve) {
		List<Curve> more = new ArrayList<>(this.curves);
		more.add(curve);
		return new Result(this.unit, this.figures, this.counts, more);
	}

	/**
	 * Return whether there is a figure.
	 * @param name its name
	 * @return {@code true} if there is
	 */
	public boolean has(String name) {
		return this.figures.containsKey(name);
	}

	/**
	 * Return a figure.
	 * @param name its name
	 * @return its value
	 * @throws IllegalArgumentException if there is none of that name
	 */
	public double figure(String name) {
		Double value = this.figures.get(name);
		if (value == null) {
			throw new IllegalArgumentException("No figure '%s' in %s".formatted(name, this.figures.keySet()));
		}
		return value;
	}

	/**
	 * Return a figure as people read it, without its unit.
	 * @param name its name
	 * @return its value as text
	 * @throws IllegalArgumentException if there is none of that name
	 */
	public String text(String name) {
		double value = figure(name);
		return this.counts.contains(name) ? String.valueOf(Math.round(value)) : Numbers.text(value);
	}

}
