package io.jobqueue.benchmark.latency;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.jobqueue.benchmark.timing.Rate;

/**
 * How long the jobs of one round took from their commit, in milliseconds.
 *
 * @param p50 what half of them kept to
 * @param p99 what 99 of 100 kept to
 */
record Latencies(double p50, double p99) {

	static Latencies of(double[] millis) {
		return new Latencies(Rate.percentile(millis, 0.5), Rate.percentile(millis, 0.99));
	}

	/**
	 * Choose the round with the best p99, so that both figures are of the same one.
	 */
	static Latencies best(List<Latencies> rounds) {
		return rounds.stream().min(Comparator.comparingDouble(Latencies::p99)).orElseThrow();
	}

	static double median(List<Latencies> rounds, ToDoubleFunction<Latencies> figure) {
		return Rate.median(rounds.stream().mapToDouble(figure).toArray());
	}

}
