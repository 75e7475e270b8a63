package io.jobqueue.benchmark;

import java.util.List;
import java.util.stream.Collectors;

/**
 * All scenarios, in the order of the report.
 */
final class Scenarios {

	static final String ALL = "all";

	private Scenarios() {
	}

	static List<Scenario> all() {
		return List.of( //
				Drain.deleting(), //
				Drain.archiving(), //
				new DrainSerial(), //
				EnqueueInTransaction.single(), //
				EnqueueInTransaction.many(), //
				new EnqueueBulk(), //
				new Latency(), //
				new LatencyLoaded());
	}

	static List<Scenario> named(List<String> names) {
		return names.contains(ALL) ? all() : names.stream().map(Scenarios::named).toList();
	}

	private static Scenario named(String name) {
		return all().stream()
			.filter((scenario) -> scenario.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new UsageException("There is no scenario '%s'; there are %s".formatted(name, names())));
	}

	private static String names() {
		return all().stream().map(Scenario::name).collect(Collectors.joining(", ")) + ", and all for all of them";
	}

}
