package io.jobqueue.benchmark.frame;

import java.util.Locale;

/**
 * Figures as text, with as many digits as are significant.
 */
public final class Numbers {

	private static final int NO_DECIMALS_FROM = 100;

	private Numbers() {
	}

	/**
	 * Format a figure: rounded to an integer from 100 on, whatever its sign, else to two
	 * decimals, with a point in every locale.
	 * @param value the figure
	 * @return the text
	 */
	public static String text(double value) {
		return String.format(Locale.ROOT, (Math.abs(value) >= NO_DECIMALS_FROM) ? "%.0f" : "%.2f", value);
	}

}
