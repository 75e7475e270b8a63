package io.jobqueue.benchmark.drain;

import java.util.List;

import io.jobqueue.Workflows;
import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;

/**
 * How fast instances of a diamond of four no-op steps go, beside as many jobs without
 * conditions, and beside the same diamonds that transactional handlers make with
 * {@code after}. Plain SQL has no workflows.
 */
public final class WorkflowDrain implements Scenario {

	private static final int INSTANCES = 20_000;

	private static final int TRANSACTION = 500;

	private static final double BAR = 0.4;

	private static final double BAR_CHAINED = 2;

	@Override
	public String name() {
		return "workflow";
	}

	@Override
	public String measures() {
		return "20,000 diamonds of four steps; the ratio is to 80,000 jobs of drain, ratio_chained to handlers that enqueue their successors";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR), Bar.atLeast("ratio_chained", BAR_CHAINED));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int instances = workbench.scaled(INSTANCES);
		BenchmarkDatabase database = workbench.database();
		try (MeasuredQueue queue = MeasuredQueue.startWith(Diamonds.class, database, Drain.retention("0"))) {
			return result(workbench.alternate(new Contender("drain", () -> queue.drain(instances * Diamonds.STEPS)),
					Contender.value(() -> workflows(database, queue, instances)),
					new Contender("chained", () -> chained(database, queue, instances))));
		}
	}

	private static double workflows(BenchmarkDatabase database, MeasuredQueue queue, int instances) throws Exception {
		database.removeJobs();
		database.execute("TRUNCATE jobqueue_workflow, jobqueue_workflow_step");
		Workflows workflows = queue.bean(Workflows.class);
		for (int from = 0; from < instances; from += TRANSACTION) {
			start(queue, workflows, from, Math.min(instances, from + TRANSACTION));
		}
		return drain(database, queue, instances);
	}

	private static void start(MeasuredQueue queue, Workflows workflows, int from, int to) {
		queue.transaction().executeWithoutResult((status) -> {
			for (long instance = from; instance < to; instance++) {
				workflows.start(Diamonds.NAME, instance);
			}
		});
	}

	private static double chained(BenchmarkDatabase database, MeasuredQueue queue, int instances) throws Exception {
		database.removeJobs();
		queue.fill(instances, Diamonds.Top::new);
		return drain(database, queue, instances);
	}

	private static double drain(BenchmarkDatabase database, MeasuredQueue queue, int instances) throws Exception {
		database.settle();
		Progress progress = Progress.of(instances * Diamonds.STEPS);
		queue.bean(Diamonds.class).onJob(progress::add);
		return queue.drainFilled(progress);
	}

	private static Result result(Samples samples) {
		double value = samples.median("value");
		double drain = samples.median("drain");
		double chained = samples.median("chained");
		return Result.in("jobs/s")
			.with("value", value)
			.with("drain", drain)
			.with("ratio", value / drain)
			.with("chained", chained)
			.with("ratio_chained", value / chained);
	}

}
