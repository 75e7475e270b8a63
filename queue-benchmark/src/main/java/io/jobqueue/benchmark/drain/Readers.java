package io.jobqueue.benchmark.drain;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.QueueSql;
import io.jobqueue.benchmark.subject.TableReaders;
import io.jobqueue.benchmark.timing.Progress;

/**
 * How much of the rate is left while four readers scan the tables in REPEATABLE READ,
 * once a second each, compared with what plain SQL keeps beside readers of its own.
 * <p>
 * Readers take processors as well as snapshots. So both sides are quotients, and each
 * scan reads whole rows of all tables of the side that is measured. The backlog is larger
 * than that of {@code drain}, so that a run lasts for several scans.
 */
public final class Readers implements Scenario {

	private static final int JOBS = 500_000;

	private static final double BAR = 0.9;

	private final AtomicInteger scans = new AtomicInteger();

	@Override
	public String name() {
		return "readers";
	}

	@Override
	public String measures() {
		return "share of the drain rate beside four readers in REPEATABLE READ, to that of plain SQL";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(JOBS);
		try (MeasuredQueue queue = Draining.start(workbench.database())) {
			Draining draining = Draining.of(workbench.database(), queue);
			Samples samples = workbench.alternate(
					new Contender("plain_alone", () -> plain(draining, jobs, Draining.Beside.NOTHING)),
					new Contender("queue_alone", () -> queue(draining, jobs, Draining.Beside.NOTHING)),
					new Contender("plain", () -> plain(draining, jobs, readers(PlainSql.SCANS))),
					new Contender("queue", () -> queue(draining, jobs, readers(QueueSql.SCANS))));
			return result(samples).with("scans_per_run", (double) this.scans.get() / workbench.scale().rounds() / 2);
		}
	}

	private static double queue(Draining draining, int jobs, Draining.Beside beside) throws Exception {
		return draining.queue(Progress.of(jobs), beside).rate();
	}

	private static double plain(Draining draining, int jobs, Draining.Beside beside) throws Exception {
		return draining.plain(Progress.of(jobs), beside).rate();
	}

	private Draining.Beside readers(List<String> sql) {
		return (database) -> {
			TableReaders readers = TableReaders.start(database, sql);
			return () -> {
				readers.close();
				this.scans.addAndGet(readers.rounds());
			};
		};
	}

	private static Result result(Samples samples) {
		double value = samples.median("queue") / samples.median("queue_alone");
		double floor = samples.median("plain") / samples.median("plain_alone");
		return Result.in("of_alone")
			.with("value", value)
			.with("floor", floor)
			.with("ratio", value / floor)
			.with("jobs_per_second", samples.median("queue"))
			.with("plain_per_second", samples.median("plain"));
	}

}
