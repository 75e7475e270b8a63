package io.jobqueue.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the scenarios that are named as arguments.
 */
final class Bench {

	private Bench() {
	}

	public static void main(String[] args) throws Exception {
		if (args.length == 0) {
			System.out.println(usage());
			return;
		}
		try {
			run(Arrays.asList(args), Scale.of(System.getenv()));
		}
		catch (UsageException ex) {
			System.err.println(ex.getMessage());
			System.exit(1);
		}
	}

	static List<Outcome> run(List<String> names, Scale scale) throws Exception {
		List<Outcome> outcomes = new ArrayList<>();
		List<Scenario> scenarios = Scenarios.named(names);
		try (BenchmarkDatabase database = BenchmarkDatabase.open()) {
			Workbench workbench = new Workbench(database, scale);
			for (Scenario scenario : scenarios) {
				Outcome outcome = new Outcome(scenario, scenario.run(workbench));
				System.out.println(outcome.line());
				outcomes.add(outcome);
			}
		}
		return outcomes;
	}

	private static String usage() {
		StringBuilder usage = new StringBuilder("Usage: bench all | bench <scenario>...%n".formatted());
		for (Scenario scenario : Scenarios.all()) {
			usage.append("  %-16s %s%n".formatted(scenario.name(), scenario.measures()));
		}
		return usage.toString();
	}

}
