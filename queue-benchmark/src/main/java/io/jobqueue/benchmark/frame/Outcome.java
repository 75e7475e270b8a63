package io.jobqueue.benchmark.frame;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A scenario with its result.
 *
 * @param scenario the scenario
 * @param result its result
 */
public record Outcome(Scenario scenario, Result result) {

	/**
	 * Return whether all bars are met, as they are where there are none.
	 * @return {@code true} if they are
	 * @throws IllegalArgumentException if a bar names a figure that the result lacks
	 */
	public boolean met() {
		return this.scenario.bars().stream().allMatch((bar) -> bar.metBy(this.result));
	}

	/**
	 * Return whether this is a failure, whatever the machine: a promise that was not
	 * kept.
	 * @return {@code true} if it is
	 * @throws IllegalArgumentException if a bar names a figure that the result lacks
	 */
	public boolean failed() {
		return this.scenario.isPromise() && !met();
	}

	/**
	 * The bars as text, without the name of the figure where it is the ratio alone.
	 */
	public String bars() {
		List<Bar> bars = this.scenario.bars();
		if (bars.size() == 1 && bars.get(0).figure().equals("ratio")) {
			return bars.get(0).limitText();
		}
		return bars.stream().map(Bar::text).collect(Collectors.joining(","));
	}

	/**
	 * Return the line that is printed: the name, the figures in their order with their
	 * unit, then the bars and whether they are met, if there are any.
	 * @return the line, without an end of line
	 * @throws IllegalArgumentException if a bar names a figure that the result lacks
	 */
	public String line() {
		String figures = this.result.figures().keySet().stream().map(this::figure).collect(Collectors.joining(" "));
		String unit = (this.result.has("value") || this.result.unit().isEmpty()) ? "" : " unit=" + this.result.unit();
		String verdict = this.scenario.bars().isEmpty() ? "" : " bar=%s met=%s".formatted(bars(), met());
		return "RESULT scenario=" + this.scenario.name() + " " + figures + unit + verdict;
	}

	private String figure(String name) {
		String text = name + "=" + this.result.text(name);
		return name.equals("value") ? text + " unit=" + this.result.unit() : text;
	}

}
