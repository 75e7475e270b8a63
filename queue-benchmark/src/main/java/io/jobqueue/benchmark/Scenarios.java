package io.jobqueue.benchmark;

import java.util.List;
import java.util.stream.Collectors;

import io.jobqueue.benchmark.drain.Depth;
import io.jobqueue.benchmark.drain.Drain;
import io.jobqueue.benchmark.drain.DrainSerial;
import io.jobqueue.benchmark.drain.Future;
import io.jobqueue.benchmark.drain.HeldSnapshot;
import io.jobqueue.benchmark.drain.Readers;
import io.jobqueue.benchmark.enqueue.EnqueueBulk;
import io.jobqueue.benchmark.enqueue.EnqueueInTransaction;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.UsageException;
import io.jobqueue.benchmark.gauges.Gauges;
import io.jobqueue.benchmark.latency.Latency;
import io.jobqueue.benchmark.latency.LatencyLoaded;
import io.jobqueue.benchmark.load.Mixed;
import io.jobqueue.benchmark.nodes.Memory;
import io.jobqueue.benchmark.nodes.ScaleOut;

/**
 * All scenarios, in the order of the report.
 */
public final class Scenarios {

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
				new LatencyLoaded(), //
				new Depth(), //
				new Future(), //
				new HeldSnapshot(), //
				new Readers(), //
				ScaleOut.to(1, 2, 4, 8), //
				new Mixed(), //
				new Memory(), //
				new Gauges());
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
