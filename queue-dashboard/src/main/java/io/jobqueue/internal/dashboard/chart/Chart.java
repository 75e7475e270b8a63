package io.jobqueue.internal.dashboard.chart;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the charts show. Without a row, counts are zero and run times unknown.
 */
public enum Chart {

	/**
	 * How many jobs succeeded.
	 */
	THROUGHPUT("throughput", "Succeeded jobs", true) {

		@Override
		List<Series> series(ChartHistory history) {
			return List.of(new Series("Succeeded", history.counts((step) -> step.succeeded())));
		}

	},

	/**
	 * How many attempts failed, and how many jobs died.
	 */
	FAILURES("failures", "Failures", true) {

		@Override
		List<Series> series(ChartHistory history) {
			return List.of(new Series("Failed and retried", history.counts((step) -> step.failed())),
					new Series("Dead", history.counts((step) -> step.dead())));
		}

	},

	/**
	 * How long the oldest due job had been waiting.
	 */
	AGE("age", "Waiting time of the oldest due job", false) {

		@Override
		List<Series> series(ChartHistory history) {
			return List.of(new Series("Oldest due job", history.ages()));
		}

	},

	/**
	 * How long attempts took.
	 */
	RUN_TIME("run-time", "Run time of attempts", false) {

		@Override
		List<Series> series(ChartHistory history) {
			return List.of(new Series("Half take at most (p50)", history.runTimes(0.5)),
					new Series("99 of 100 take at most (p99)", history.runTimes(0.99)));
		}

	};

	private final String file;

	private final String title;

	private final boolean counts;

	Chart(String file, String title, boolean counts) {
		this.file = file;
		this.title = title;
		this.counts = counts;
	}

	/**
	 * Return the chart with a name.
	 * @param name the name in the path of its data
	 * @return the chart, empty if there is no such chart
	 */
	static Optional<Chart> of(String name) {
		return Stream.of(values()).filter((chart) -> chart.file.equals(name)).findFirst();
	}

	/**
	 * Return its name in the path of its data.
	 * @return the name
	 */
	public String file() {
		return this.file;
	}

	/**
	 * Return its title.
	 * @param range the time that it shows
	 * @return the title, with the unit of counts
	 */
	public String title(ChartRange range) {
		return this.counts ? this.title + " " + range.perStep() : this.title;
	}

	/**
	 * Return whether its values are counts.
	 * @return {@code false} for times in seconds
	 */
	public boolean counts() {
		return this.counts;
	}

	/**
	 * Return what it draws.
	 * @param history the statistics
	 * @return a line for each series
	 */
	abstract List<Series> series(ChartHistory history);

	/**
	 * Return its data as JSON: the begin of the first step and the length of a step in
	 * seconds, and the values of each series, {@code null} where they are unknown.
	 * @param history the statistics
	 * @return the JSON, whose texts are those of this class
	 */
	String json(ChartHistory history) {
		return "{\"from\":%s,\"step\":%s,\"series\":[%s]}".formatted(history.from().getEpochSecond(),
				history.range().step().toSeconds(),
				String.join(",", series(history).stream().map(Series::json).toList()));
	}

	/**
	 * A line.
	 *
	 * @param label what people read
	 * @param values a value for each step, as JSON
	 */
	record Series(String label, List<String> values) {

		private String json() {
			return "{\"label\":\"%s\",\"values\":[%s]}".formatted(this.label, String.join(",", this.values));
		}

	}

}
