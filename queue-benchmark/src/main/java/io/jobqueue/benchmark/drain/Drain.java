package io.jobqueue.benchmark.drain;

import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainDrain;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.MeasuredQueue;

/**
 * How many no-op jobs a second one process runs with default settings, from the start of
 * its worker until no job is left in the table.
 *
 * @param name the name of the scenario
 * @param measures what it measures
 * @param retention how long succeeded jobs are kept
 * @param plainFinish how plain SQL finishes jobs
 */
public record Drain(String name, String measures, String retention, String plainFinish) implements Scenario {

	static final int JOBS = 200_000;

	private static final int[] OTHER_BATCHES = { 200, 500, 1_000 };

	private static final double BAR = 1.3;

	/**
	 * Let succeeded jobs be deleted at once, on both sides.
	 * @return the scenario {@code drain}
	 */
	public static Drain deleting() {
		return new Drain("drain", "200,000 no-op jobs in one process, succeeded jobs deleted", "0", PlainSql.DELETE);
	}

	/**
	 * Let succeeded jobs be moved to an archive, on both sides. The queue keeps them
	 * there for 24 hours, plain SQL for good.
	 * @return the scenario {@code drain-archive}
	 */
	public static Drain archiving() {
		return new Drain("drain-archive", "the same with the archive, against plain SQL that also archives", "24h",
				PlainSql.ARCHIVE);
	}

	static String retention(String time) {
		return "jobqueue.defaults.retention.succeeded=" + time;
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(JOBS);
		try (MeasuredQueue queue = MeasuredQueue.start(workbench.database(), retention(this.retention))) {
			Samples samples = workbench.alternate(Contender.floor(() -> plain(workbench, PlainDrain.BATCH).drain(jobs)),
					Contender.value(() -> queue.drain(jobs)));
			return Result.of("jobs/s", samples).with("limit", limit(workbench, jobs, samples.median("floor")));
		}
	}

	/**
	 * The best that plain SQL reaches at any batch size.
	 */
	private double limit(Workbench workbench, int jobs, double floor) throws Exception {
		double limit = floor;
		for (int batch : OTHER_BATCHES) {
			limit = Math.max(limit, plain(workbench, batch).drain(jobs));
		}
		return limit;
	}

	private PlainDrain plain(Workbench workbench, int batch) {
		return new PlainDrain(workbench.database(), PlainDrain.CONNECTIONS, batch, this.plainFinish);
	}

}
