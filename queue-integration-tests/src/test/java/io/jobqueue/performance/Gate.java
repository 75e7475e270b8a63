package io.jobqueue.performance;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Says the figure, whether it passes or not.
 */
final class Gate {

	private static final Logger logger = LoggerFactory.getLogger(Gate.class);

	private Gate() {
	}

	static void atMost(double limit, double figure, String what) {
		logger.info("{}: {}, where at most {} pass", what, rounded(figure), limit);
		assertThat(figure).as("%s: %s, where at most %s pass", what, rounded(figure), limit).isLessThanOrEqualTo(limit);
	}

	static void atLeast(double limit, double figure, String what) {
		logger.info("{}: {}, where at least {} pass", what, rounded(figure), limit);
		assertThat(figure).as("%s: %s, where at least %s pass", what, rounded(figure), limit)
			.isGreaterThanOrEqualTo(limit);
	}

	static void note(double figure, String what) {
		logger.info("{}: {}, for information", what, rounded(figure));
	}

	private static double rounded(double figure) {
		return Math.round(figure * 10_000) / 10_000.0;
	}

}
