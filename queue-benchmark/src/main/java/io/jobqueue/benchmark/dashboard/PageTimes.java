package io.jobqueue.benchmark.dashboard;

import io.jobqueue.benchmark.frame.Numbers;
import io.jobqueue.benchmark.timing.Histogram;

/**
 * How long the loads of a page took.
 */
final class PageTimes {

	static final double MOST_MILLIS = 200;

	/**
	 * A search whose conditions no index leads to stops after a second, and its page says
	 * so.
	 */
	static final double MOST_MILLIS_IF_PARTIAL = 1_000;

	private final Histogram micros = new Histogram();

	private boolean partial;

	/**
	 * Add a load.
	 * @param took how long it took, in microseconds
	 * @param page what was loaded
	 */
	void add(long took, String page) {
		this.micros.add(took);
		this.partial |= page.contains("stopped after");
	}

	/**
	 * Return whether any of the loads was that of a search that has stopped.
	 */
	boolean isPartial() {
		return this.partial;
	}

	double p95() {
		return this.micros.percentile(0.95);
	}

	boolean isOver() {
		return p95() > (this.partial ? MOST_MILLIS_IF_PARTIAL : MOST_MILLIS);
	}

	String line(String name) {
		return "PAGE %s p50=%s p95=%s max=%s unit=ms%s%s".formatted(name, Numbers.text(this.micros.percentile(0.5)),
				Numbers.text(p95()), Numbers.text(this.micros.percentile(1)), this.partial ? " partial" : "",
				isOver() ? " OVER" : "");
	}

}
