package io.jobqueue.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.UsageException;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.report.Report;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

/**
 * Runs the scenarios that are named as arguments, and files a report of all of them or if
 * asked to.
 */
final class Bench {

	private static final Path RESULTS = Path.of("results");

	private Bench() {
	}

	/**
	 * Run what the arguments name, or print what they may be when there are none. The
	 * exit status is 1 if the arguments or the environment are wrong, or if a promise was
	 * not kept. Another bar that is missed does not change it.
	 * @param args names of scenarios, and options
	 * @throws Exception if the database or a scenario fails: those after it do not run,
	 * and no report is filed
	 */
	public static void main(String[] args) throws Exception {
		try {
			Arguments arguments = Arguments.of(args);
			if (arguments.names().isEmpty()) {
				System.out.println(usage(arguments));
			}
			else if (arguments.against() != null) {
				arguments.against().measure(Scenarios.named(arguments), System.getenv("BENCH_POSTGRES_URL"));
			}
			else if (run(arguments).stream().anyMatch(Outcome::failed)) {
				System.exit(1);
			}
		}
		catch (UsageException ex) {
			System.err.println(ex.getMessage());
			System.exit(1);
		}
	}

	private static List<Outcome> run(Arguments arguments) throws Exception {
		List<Scenario> scenarios = Scenarios.named(arguments);
		try (BenchmarkDatabase database = BenchmarkDatabase.open()) {
			Workbench workbench = new Workbench(database, Scale.of(System.getenv()));
			List<Outcome> outcomes = run(scenarios, workbench);
			if (arguments.report()) {
				System.out.println("Report: " + new Report(workbench, outcomes).writeTo(RESULTS));
			}
			return outcomes;
		}
	}

	static List<Outcome> run(List<Scenario> scenarios, Workbench workbench) throws Exception {
		List<Outcome> outcomes = new ArrayList<>();
		for (Scenario scenario : scenarios) {
			System.out.println("Running " + scenario.name());
			Outcome outcome = new Outcome(scenario, scenario.run(workbench));
			System.out.println(outcome.line());
			outcomes.add(outcome);
		}
		return outcomes;
	}

	private static String usage(Arguments arguments) {
		StringBuilder usage = new StringBuilder(
				"""
						Usage: bench [--report] <scenario>... | bench all | bench chaos [--seconds <n>] [--seed <n>]
						       bench <scenario>... --against <commit> [--turns <n>] | bench idle [--idle-minutes <n>]

						all runs every scenario and writes a report; --report writes one of the given scenarios.
						--against builds another commit of this repository, measures both builds in turns (10 unless set), and prints the median of the ratios of this build to the other one for each figure, with an interval of 95 %.
						BENCH_POSTGRES_URL: JDBC URL of a superuser's database to use instead of an embedded server.
						BENCH_SCALE, BENCH_ROUNDS: for development, such as 0.1 and 3 instead of 1 and 5.

						""");
		Scenarios.all(arguments).forEach((scenario) -> usage.append(line(scenario)));
		usage.append(System.lineSeparator());
		Scenarios.apart(arguments).forEach((scenario) -> usage.append(line(scenario)));
		return usage.toString();
	}

	private static String line(Scenario scenario) {
		return "  %-16s %s%n".formatted(scenario.name(), scenario.measures());
	}

}
