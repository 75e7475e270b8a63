package io.jobqueue.benchmark;

import java.util.Arrays;
import java.util.List;

/**
 * Runs the scenarios that are named as arguments, or all.
 */
final class Bench {

	private static final int DRAINED_JOBS = 50_000;

	private Bench() {
	}

	public static void main(String[] args) throws Exception {
		List<String> scenarios = (args.length > 0) ? Arrays.asList(args) : List.of("drain", "latency");
		try (BenchmarkDatabase database = BenchmarkDatabase.open()) {
			for (String scenario : scenarios) {
				System.out.println(run(scenario, database));
			}
		}
	}

	private static String run(String scenario, BenchmarkDatabase database) throws Exception {
		return switch (scenario) {
			case "drain" -> new Drain(database, DRAINED_JOBS).run();
			case "latency" -> new Latency(database).run();
			default -> throw new IllegalArgumentException(
					"There is no scenario '%s'; there are drain and latency".formatted(scenario));
		};
	}

}
