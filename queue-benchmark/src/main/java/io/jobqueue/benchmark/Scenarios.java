package io.jobqueue.benchmark;

import java.util.List;
import java.util.stream.Collectors;

/**
 * All scenarios, in the order of the report.
 */
final class Scenarios {

	private static final List<Scenario> ALL = List.of( //
			Drain.deleting(), //
			Drain.archiving(), //
			new DrainSerial(), //
			EnqueueInTransaction.single(), //
			EnqueueInTransaction.many(), //
			new EnqueueBulk());

	private Scenarios() {
	}

	static List<Scenario> all() {
		return ALL;
	}

	static List<Scenario> named(List<String> names) {
		return names.equals(List.of("all")) ? ALL : names.stream().map(Scenarios::named).toList();
	}

	private static Scenario named(String name) {
		return ALL.stream()
			.filter((scenario) -> scenario.name().equals(name))
			.findFirst()
			.orElseThrow(
					() -> new UsageException("There is no scenario '%s'; there are all, %s".formatted(name, names())));
	}

	private static String names() {
		return ALL.stream().map(Scenario::name).collect(Collectors.joining(", "));
	}

}
