package io.jobqueue.benchmark.against;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.jobqueue.benchmark.frame.Numbers;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.UsageException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Measures this build and that of another commit in turns, another one first in each
 * turn. Each turn of a build is one round of a scenario in a new JVM, with the benchmark
 * of that build.
 *
 * @param commit a name of the other commit
 * @param turns how often the builds alternate
 */
public record Against(String commit, int turns) {

	/**
	 * Create a comparison.
	 * @throws UsageException if the turns are too few for an interval
	 */
	public Against {
		if (turns < PairedRatios.FEWEST) {
			throw new UsageException("--turns must be at least %s: fewer turns have no interval of 95 %%"
				.formatted(PairedRatios.FEWEST));
		}
	}

	/**
	 * Build the commit, and print a line for each figure that both builds have. Its ratio
	 * is the median of the ratios of this build to the other one in the same turn; low
	 * and high enclose that median with a confidence of 95 %.
	 * @param scenarios what to measure
	 * @param url the URL of a given server, {@code null} or empty for none
	 * @throws UsageException if the repository has no such commit, a server is given, or
	 * a scenario does not measure
	 * @throws IOException if a process does not start
	 */
	public void measure(List<Scenario> scenarios, @Nullable String url) throws IOException {
		if (StringUtils.hasText(url)) {
			throw new UsageException("--against starts a server for each build: unset BENCH_POSTGRES_URL");
		}
		if (scenarios.stream().anyMatch(Scenario::isPromise)) {
			throw new UsageException("--against compares measurements: leave out chaos");
		}
		try (CommitBuild other = CommitBuild.of(this.commit)) {
			for (Scenario scenario : scenarios) {
				System.out.println("Running " + scenario.name());
				compare(scenario.name(), Build.running(), other.build()).forEach(System.out::println);
			}
		}
	}

	private List<String> compare(String scenario, Build first, Build second) throws IOException {
		Map<String, List<Double>> ratios = new LinkedHashMap<>();
		for (int turn = 0; turn < this.turns; turn++) {
			boolean inOrder = turn % 2 == 0;
			Map<String, Double> before = (inOrder ? first : second).measure(scenario);
			Map<String, Double> after = (inOrder ? second : first).measure(scenario);
			add(ratios, inOrder ? before : after, inOrder ? after : before);
		}
		List<String> lines = new ArrayList<>();
		ratios.forEach((figure, each) -> lines.add(line(scenario, figure, PairedRatios.of(each))));
		return lines;
	}

	private static void add(Map<String, List<Double>> ratios, Map<String, Double> ours, Map<String, Double> theirs) {
		theirs.forEach((figure, other) -> {
			Double value = ours.get(figure);
			if (value != null) {
				ratios.computeIfAbsent(figure, (name) -> new ArrayList<>()).add(value / other);
			}
		});
	}

	private String line(String scenario, String figure, PairedRatios ratios) {
		return "AGAINST %s scenario=%s figure=%s ratio=%s low=%s high=%s turns=%s".formatted(this.commit, scenario,
				figure, Numbers.text(ratios.median()), Numbers.text(ratios.low()), Numbers.text(ratios.high()),
				this.turns);
	}

}
