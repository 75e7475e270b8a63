package io.jobqueue.benchmark.frame;

import java.math.BigDecimal;

/**
 * What a figure has to reach.
 *
 * @param figure the name of the figure
 * @param limit the value to reach
 * @param most whether the figure may be the limit at most, instead of at least
 */
public record Bar(String figure, double limit, boolean most) {

	/**
	 * Demand a figure that is not less than a limit.
	 * @param figure the name of the figure
	 * @param limit the least value that will do, in the unit of the figure
	 * @return the bar
	 */
	public static Bar atLeast(String figure, double limit) {
		return new Bar(figure, limit, false);
	}

	/**
	 * Demand a figure that is not more than a limit.
	 * @param figure the name of the figure
	 * @param limit the greatest value that will do, in the unit of the figure
	 * @return the bar
	 */
	public static Bar atMost(String figure, double limit) {
		return new Bar(figure, limit, true);
	}

	boolean metBy(Result result) {
		double value = result.figure(this.figure);
		return this.most ? value <= this.limit : value >= this.limit;
	}

	String text() {
		return this.figure + (this.most ? "<=" : ">=") + limitText();
	}

	String limitText() {
		return BigDecimal.valueOf(this.limit).stripTrailingZeros().toPlainString();
	}

}
