package io.jobqueue.benchmark.latency;

import java.util.ArrayList;
import java.util.List;

import io.jobqueue.benchmark.frame.Contender;

/**
 * The latencies of one contender, round by round.
 */
final class LatencyRounds {

	private final String name;

	private final List<Latencies> rounds = new ArrayList<>();

	LatencyRounds(String name) {
		this.name = name;
	}

	Contender contender(Round round) {
		return new Contender(this.name, () -> {
			Latencies latencies = round.measure();
			this.rounds.add(latencies);
			return latencies.p99();
		});
	}

	Latencies best() {
		return Latencies.best(this.rounds);
	}

	double medianP50() {
		return Latencies.median(this.rounds, Latencies::p50);
	}

	double medianP99() {
		return Latencies.median(this.rounds, Latencies::p99);
	}

	/**
	 * Measures one round.
	 */
	@FunctionalInterface
	interface Round {

		Latencies measure() throws Exception;

	}

}
