package io.jobqueue.benchmark.drain;

import java.util.List;
import java.util.function.IntFunction;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;

/**
 * What a handler that takes 500 jobs in one call saves: with no-op jobs, and with one
 * INSERT for all jobs of a call beside one for each job. Plain SQL has no handlers.
 */
public final class BatchCallDrain implements Scenario {

	private static final double BAR = 1.1;

	@Override
	public String name() {
		return "drain-batch";
	}

	@Override
	public String measures() {
		return "200,000 no-op jobs, 500 in a call; the ratio is to drain; the same with one INSERT for a call, or for a job";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(Drain.JOBS);
		BenchmarkDatabase database = workbench.database();
		database.execute(PlainSql.CREATE_BUSINESS);
		try (MeasuredQueue queue = MeasuredQueue.startWith(BatchHandlers.class, database, Drain.retention("0"))) {
			return result(workbench.alternate(new Contender("drain", () -> queue.drain(jobs)),
					Contender.value(() -> drain(database, queue, BatchHandlers.NoOpOfMany::new, jobs)),
					new Contender("inserts", () -> drain(database, queue, BatchHandlers.Row::new, jobs / 4)),
					new Contender("insert_batches",
							() -> drain(database, queue, BatchHandlers.RowOfMany::new, jobs / 4))));
		}
	}

	private static double drain(BenchmarkDatabase database, MeasuredQueue queue, IntFunction<?> payload, int jobs)
			throws Exception {
		database.removeJobs();
		database.execute(PlainSql.EMPTY_BUSINESS);
		queue.fill(jobs, payload);
		database.settle();
		Progress progress = Progress.of(jobs);
		queue.bean(BatchHandlers.class).onCall(progress::add);
		return queue.drainFilled(progress);
	}

	private static Result result(Samples samples) {
		double value = samples.median("value");
		double drain = samples.median("drain");
		double inserts = samples.median("inserts");
		double insertBatches = samples.median("insert_batches");
		return Result.in("jobs/s")
			.with("value", value)
			.with("drain", drain)
			.with("ratio", value / drain)
			.with("inserts", inserts)
			.with("insert_batches", insertBatches)
			.with("ratio_inserts", insertBatches / inserts);
	}

}
