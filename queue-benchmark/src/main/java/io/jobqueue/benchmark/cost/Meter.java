package io.jobqueue.benchmark.cost;

import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.ServerUsage;

/**
 * Measures what steps cost the server.
 */
final class Meter {

	static final String MICROS = "_us";

	static final String BYTES = "_bytes";

	private static final double NANOS_PER_MICRO = 1_000;

	private final BenchmarkDatabase database;

	private final Samples samples = new Samples();

	private long fullPages;

	Meter(BenchmarkDatabase database) {
		this.database = database;
	}

	/**
	 * Measure once, and keep what it cost for each job.
	 * @param step the name of the step
	 * @param jobs how many jobs there are
	 * @param work does the step
	 * @return microseconds of a processor for each job
	 */
	double measure(String step, int jobs, Work work) throws Exception {
		ServerUsage before = ServerUsage.of(this.database);
		work.run();
		ServerUsage usage = ServerUsage.of(this.database).since(before);
		double micros = usage.nanos() / NANOS_PER_MICRO / jobs;
		this.samples.add(step + MICROS, micros);
		this.samples.add(step + BYTES, (double) usage.bytes() / jobs);
		this.fullPages += usage.fullPages();
		return micros;
	}

	/**
	 * Return the median of all rounds.
	 * @param figure the name of the step with what was measured
	 */
	double median(String figure) {
		return this.samples.median(figure);
	}

	Result addTo(Result result, String... steps) {
		Result more = result;
		for (String step : steps) {
			more = more.with(step + MICROS, median(step + MICROS)).with(step + BYTES, median(step + BYTES));
		}
		return more.withCount("full_pages", this.fullPages);
	}

	/**
	 * Does a step.
	 */
	@FunctionalInterface
	interface Work {

		void run() throws Exception;

	}

}
