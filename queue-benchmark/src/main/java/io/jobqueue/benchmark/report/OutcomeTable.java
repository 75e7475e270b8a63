package io.jobqueue.benchmark.report;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Result;

/**
 * The table of the report: a line for each scenario.
 */
final class OutcomeTable {

	static final List<String> HEAD = List.of("scenario", "value", "unit", "plain SQL", "ratio", "more", "bar", "met");

	private static final Set<String> COLUMNS = Set.of("value", "floor", "ratio");

	private OutcomeTable() {
	}

	static List<List<String>> rows(List<Outcome> outcomes) {
		return outcomes.stream().map(OutcomeTable::row).toList();
	}

	private static List<String> row(Outcome outcome) {
		return List.of(outcome.scenario().name(), figure(outcome, "value"), outcome.result().unit(),
				figure(outcome, "floor"), figure(outcome, "ratio"), more(outcome.result()),
				outcome.bars().replace(",", ", "), verdict(outcome));
	}

	private static String figure(Outcome outcome, String name) {
		return outcome.result().has(name) ? outcome.result().text(name) : "";
	}

	private static String more(Result result) {
		return result.figures()
			.keySet()
			.stream()
			.filter((name) -> !COLUMNS.contains(name))
			.map((name) -> name + " " + result.text(name))
			.collect(Collectors.joining(", "));
	}

	private static String verdict(Outcome outcome) {
		if (outcome.scenario().bars().isEmpty()) {
			return "";
		}
		return outcome.met() ? "yes" : "**no**";
	}

}
