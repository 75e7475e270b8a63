package io.jobqueue.benchmark.frame;

import java.util.Locale;

/**
 * Figures as text: as many digits as tell something.
 */
public final class Numbers {

	private static final int NO_DECIMALS_FROM = 100;

	private Numbers() {
	}

	public static String text(double value) {
		return String.format(Locale.ROOT, (Math.abs(value) >= NO_DECIMALS_FROM) ? "%.0f" : "%.2f", value);
	}

}
