package io.jobqueue.benchmark.drain;

import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkSchema;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;

/**
 * How much of the rate is left when a million jobs of a better priority in the same queue
 * are due tomorrow. A claim that reads in the order of the priority meets them first.
 * <p>
 * Both sides of the ratio are runs of the queue, alternating, on tables of their own: the
 * million is built once. Plain SQL has no priorities; beside it lie a million jobs of
 * tomorrow all the same.
 */
public final class Future implements Scenario {

	private static final int TOMORROW = 1_000_000;

	private static final double BAR = 0.9;

	@Override
	public String name() {
		return "future";
	}

	@Override
	public String measures() {
		return "drain with 1,000,000 jobs of a better priority due tomorrow; the ratio is to drain without";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		try (BenchmarkSchema schema = new BenchmarkSchema(workbench.database(), "benchmark_future");
				MeasuredQueue queue = Draining.start(workbench.database());
				MeasuredQueue queueOfFuture = Draining.start(schema.database())) {
			Draining without = Draining.of(workbench.database(), queue);
			Draining with = Draining.of(schema.database(), queueOfFuture);
			Backlog.TOMORROW.fill(schema.database(), workbench.scaled(TOMORROW));
			with.plain().fillTomorrow(workbench.scaled(TOMORROW));
			return result(samples(workbench, with, without));
		}
	}

	private static Samples samples(Workbench workbench, Draining with, Draining without) throws Exception {
		int jobs = workbench.scaled(Draining.JOBS);
		return workbench.alternate(new Contender("without", () -> queue(without, jobs)),
				Contender.value(() -> queue(with, jobs)), new Contender("floor_without", () -> plain(without, jobs)),
				Contender.floor(() -> plain(with, jobs)));
	}

	private static double queue(Draining draining, int jobs) throws Exception {
		return draining.queue(Progress.of(jobs), Draining.Beside.NOTHING).rate();
	}

	private static double plain(Draining draining, int jobs) throws Exception {
		return draining.plain(Progress.of(jobs), Draining.Beside.NOTHING).rate();
	}

	private static Result result(Samples samples) {
		double value = samples.median("value");
		double floor = samples.median("floor");
		return Result.in("jobs/s")
			.with("value", value)
			.with("floor", floor)
			.with("ratio", value / samples.median("without"))
			.with("without", samples.median("without"))
			.with("plain_ratio", floor / samples.median("floor_without"));
	}

}
