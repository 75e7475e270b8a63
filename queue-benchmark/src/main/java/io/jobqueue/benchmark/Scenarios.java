package io.jobqueue.benchmark;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.jobqueue.benchmark.chaos.Chaos;
import io.jobqueue.benchmark.consume.Consume;
import io.jobqueue.benchmark.cost.Cost;
import io.jobqueue.benchmark.dashboard.Dashboard;
import io.jobqueue.benchmark.drain.BatchCallDrain;
import io.jobqueue.benchmark.drain.BatchDrain;
import io.jobqueue.benchmark.drain.Controls;
import io.jobqueue.benchmark.drain.Depth;
import io.jobqueue.benchmark.drain.Drain;
import io.jobqueue.benchmark.drain.Future;
import io.jobqueue.benchmark.drain.HeldSnapshot;
import io.jobqueue.benchmark.drain.WorkflowDrain;
import io.jobqueue.benchmark.enqueue.EnqueueBulk;
import io.jobqueue.benchmark.enqueue.EnqueueInTransaction;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.UsageException;
import io.jobqueue.benchmark.gauges.Gauges;
import io.jobqueue.benchmark.latency.Latency;
import io.jobqueue.benchmark.load.Mixed;
import io.jobqueue.benchmark.nodes.Idle;
import io.jobqueue.benchmark.nodes.ScaleOut;
import io.jobqueue.benchmark.relay.Relay;
import io.jobqueue.benchmark.startup.Startup;
import io.jobqueue.benchmark.transactional.Transactional;
import io.jobqueue.benchmark.waiting.Waiting;

/**
 * The scenarios. Those that measure stand in the order of the report.
 */
public final class Scenarios {

	static final String ALL = "all";

	private Scenarios() {
	}

	static List<Scenario> all(Arguments arguments) {
		return List.of( //
				Drain.deleting(), //
				Drain.archiving(), //
				new Controls(), //
				new BatchDrain(), //
				new BatchCallDrain(), //
				new WorkflowDrain(), //
				new Relay(), new Consume(), //
				new Transactional(), //
				new EnqueueInTransaction(), //
				new EnqueueBulk(), //
				new Latency(), //
				Depth.whole(), //
				new Future(), //
				new HeldSnapshot(), //
				ScaleOut.to(1, 2, 4, 8), //
				new Mixed(), //
				new Gauges(), //
				Dashboard.whole(), //
				new Cost(), //
				new Idle(arguments.idle()), //
				new Waiting(), //
				new Startup());
	}

	/**
	 * What measures nothing, and has to be asked for.
	 */
	static List<Scenario> apart(Arguments arguments) {
		return List.of(new Chaos(arguments.time(), arguments.seed()));
	}

	static List<Scenario> named(Arguments arguments) {
		List<Scenario> all = all(arguments);
		List<Scenario> apart = apart(arguments);
		return arguments.names().stream().flatMap((name) -> named(name, all, apart)).toList();
	}

	private static Stream<Scenario> named(String name, List<Scenario> all, List<Scenario> apart) {
		return name.equals(ALL) ? all.stream() : Stream.of(one(name, all, apart));
	}

	private static Scenario one(String name, List<Scenario> all, List<Scenario> apart) {
		return Stream.concat(all.stream(), apart.stream())
			.filter((scenario) -> scenario.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new UsageException(
					"Unknown scenario '%s'; the known ones are %s, all for all of these, and %s".formatted(name,
							names(all), names(apart))));
	}

	private static String names(List<Scenario> scenarios) {
		return scenarios.stream().map(Scenario::name).collect(Collectors.joining(", "));
	}

}
