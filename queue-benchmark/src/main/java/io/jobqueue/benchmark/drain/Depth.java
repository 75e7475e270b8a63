package io.jobqueue.benchmark.drain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Curve;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;

/**
 * How much of the rate is left when five million jobs are ready instead of 20,000. All
 * depths alternate in the same run, each with tables of its own.
 */
public final class Depth implements Scenario {

	private static final int SHALLOW = 20_000;

	private static final int MIDDLE = 1_000_000;

	private static final int DEEP = 5_000_000;

	private static final int PORTIONS = 10;

	private static final double BAR = 0.9;

	private final int portions;

	private Depth(int portions) {
		this.portions = portions;
	}

	/**
	 * Measure as the report does, with ten portions a round.
	 * @return the scenario
	 */
	public static Depth whole() {
		return with(PORTIONS);
	}

	/**
	 * Measure with so many portions a round.
	 * @param portions how many
	 * @return the scenario
	 */
	public static Depth with(int portions) {
		return new Depth(portions);
	}

	@Override
	public String name() {
		return "depth";
	}

	@Override
	public String measures() {
		return "200,000 jobs of a backlog of 20,000, of 1,000,000 and of 5,000,000; the ratio is last to first";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		try (DepthTable shallow = table(workbench, SHALLOW);
				DepthTable middle = table(workbench, MIDDLE);
				DepthTable deep = table(workbench, DEEP)) {
			List<DepthTable> tables = List.of(shallow, middle, deep);
			Stream<Contender> contenders = tables.stream().flatMap((table) -> Stream.of(table.plain(), table.queue()));
			return result(tables, workbench.alternate(contenders.toArray(Contender[]::new)));
		}
	}

	private DepthTable table(Workbench workbench, int depth) {
		return new DepthTable(workbench.database(), workbench.scaled(depth), workbench.scaled(SHALLOW), this.portions);
	}

	private static Result result(List<DepthTable> tables, Samples samples) {
		List<Double> queue = tables.stream().map((table) -> samples.median(table.queueName())).toList();
		List<Double> plain = tables.stream().map((table) -> samples.median(table.plainName())).toList();
		Result result = Result.in("jobs/s")
			.with("value", queue.get(2))
			.with("floor", plain.get(2))
			.with("ratio", queue.get(2) / queue.get(0))
			.with("plain_ratio", plain.get(2) / plain.get(0));
		for (int depth = 0; depth < tables.size(); depth++) {
			result = result.with(tables.get(depth).queueName(), queue.get(depth))
				.with(tables.get(depth).plainName(), plain.get(depth));
		}
		return result.with(curve(tables, queue, plain));
	}

	private static Curve curve(List<DepthTable> tables, List<Double> queue, List<Double> plain) {
		Map<String, List<Double>> lines = new LinkedHashMap<>();
		lines.put("queue", queue);
		lines.put("plain SQL", plain);
		List<String> depths = tables.stream().map((table) -> table.queueName().substring("depth_".length())).toList();
		return new Curve("Draining by depth of the backlog", "ready jobs", depths, lines);
	}

}
