package io.jobqueue.benchmark.drain;

import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Histogram;

/**
 * How much of the rate is left when all jobs are members of one batch, until its callback
 * has ended as well, and how long its numbers take to read meanwhile.
 * <p>
 * Both sides are filled through the API, 1,000 jobs a call, and run on the same queue.
 * The numbers are read during the drain of members only, on the pool that the worker
 * uses. Plain SQL has no batches.
 */
public final class BatchDrain implements Scenario {

	private static final int JOBS = 1_000_000;

	private static final double BAR = 0.9;

	private static final double INFO_BAR_MILLIS = 100;

	@Override
	public String name() {
		return "batch";
	}

	@Override
	public String measures() {
		return "1,000,000 members of one batch, and Batch.info meanwhile; the ratio is to as many jobs in no batch";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR), Bar.atMost("info_p50_ms", INFO_BAR_MILLIS));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(JOBS);
		try (MeasuredQueue queue = MeasuredQueue.start(workbench.database(), Drain.retention("0"))) {
			queue.drain(jobs);
			new BatchRound(workbench.database(), queue, new Histogram()).drain(jobs);
			BatchRound batch = new BatchRound(workbench.database(), queue, new Histogram());
			return result(workbench.alternateAtOnce(new Contender("drain", () -> queue.drain(jobs)),
					Contender.value(() -> batch.drain(jobs))), batch.infos());
		}
	}

	private static Result result(Samples samples, Histogram infos) {
		double value = samples.median("value");
		double drain = samples.median("drain");
		return Result.in("jobs/s")
			.with("value", value)
			.with("drain", drain)
			.with("ratio", value / drain)
			.with("info_p50_ms", infos.percentile(0.5))
			.with("info_max_ms", infos.percentile(1));
	}

}
