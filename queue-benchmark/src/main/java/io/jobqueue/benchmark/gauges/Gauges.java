package io.jobqueue.benchmark.gauges;

import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.BenchmarkSchema;
import io.jobqueue.benchmark.subject.OpenTransaction;

import org.springframework.util.Assert;

/**
 * How long one refresh of the gauges takes on ten million live jobs in ten queues, first
 * on vacuumed tables, then behind 200,000 dead rows at the head of one queue, which an
 * open transaction keeps there.
 * <p>
 * It is the application's own store that is asked again and again, on a connection that
 * is open: a refresh may continue where another one ended, as in an application. The
 * first ones, which cannot, are printed beside. Times are medians.
 */
public final class Gauges implements Scenario {

	private static final int JOBS = 10_000_000;

	private static final int DEAD = 200_000;

	private static final double LOOK_BAR = 10;

	private static final double COUNT_BAR = 100;

	@Override
	public String name() {
		return "gauges";
	}

	@Override
	public String measures() {
		return "a refresh of the gauges at 10,000,000 jobs in 10 queues, also behind 200,000 dead rows; once";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("urgent", LOOK_BAR), Bar.atMost("counts", COUNT_BAR),
				Bar.atMost("dead_urgent", LOOK_BAR), Bar.atMost("dead_counts", COUNT_BAR),
				Bar.atMost("sequential_scans", 0));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		try (BenchmarkSchema schema = new BenchmarkSchema(workbench.database(), "benchmark_gauges")) {
			GaugeTables tables = new GaugeTables(schema.database());
			tables.fill(workbench.scaled(JOBS));
			Refreshes vacuumed = Refreshes.on(tables);
			return result(vacuumed, behindDead(schema.database(), tables, workbench.scaled(DEAD)));
		}
	}

	private static Refreshes behindDead(BenchmarkDatabase database, GaugeTables tables, int dead) throws Exception {
		try (OpenTransaction reader = OpenTransaction.withSnapshot(database)) {
			tables.deleteHead(dead);
			Refreshes refreshes = Refreshes.on(tables);
			Assert.state(reader.isOpen(), "The reader's transaction has ended");
			return refreshes;
		}
	}

	private static Result result(Refreshes vacuumed, Refreshes dead) {
		return Result.in("ms")
			.with("urgent", vacuumed.look())
			.with("counts", vacuumed.count())
			.with("first_counts", vacuumed.firstCount())
			.with("dead_urgent", dead.look())
			.with("dead_counts", dead.count())
			.with("dead_first_look", dead.firstLook())
			.with("dead_first_counts", dead.firstCount())
			.with("sequential_scans", (double) (vacuumed.sequentialScans() + dead.sequentialScans()));
	}

}
