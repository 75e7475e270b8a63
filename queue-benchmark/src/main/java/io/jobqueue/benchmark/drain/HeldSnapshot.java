package io.jobqueue.benchmark.drain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Curve;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.OpenTransaction;
import io.jobqueue.benchmark.timing.Progress;

/**
 * How much slower the last quarter of a drain is than its first while a transaction stays
 * open: with a snapshot, and with an id. No finished job can be removed from the indexes
 * as long as it does.
 * <p>
 * The transaction opens after the table was filled and vacuumed, and before the worker
 * starts. The first quarter begins with the first handler, so that starting does not
 * lower it; a drain without the transaction goes before, so that a cold JVM does not
 * either. Plain SQL drains beside the same transactions.
 */
public final class HeldSnapshot implements Scenario {

	private static final double BAR = 0.9;

	private final QuarterRounds snapshot = new QuarterRounds("snapshot");

	private final QuarterRounds xid = new QuarterRounds("xid");

	private final QuarterRounds plainSnapshot = new QuarterRounds("plain_snapshot");

	private final QuarterRounds plainXid = new QuarterRounds("plain_xid");

	@Override
	public String name() {
		return "held-snapshot";
	}

	@Override
	public String measures() {
		return "drain behind an open transaction, last quarter to first; the worse of one with a snapshot and one with an id";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(Draining.JOBS);
		try (MeasuredQueue queue = Draining.start(workbench.database())) {
			Draining draining = Draining.of(workbench.database(), queue);
			draining.queue(Progress.inQuarters(jobs), Draining.Beside.NOTHING);
			workbench.alternateAtOnce(
					this.plainSnapshot
						.contender(() -> draining.plain(Progress.inQuarters(jobs), OpenTransaction::withSnapshot)),
					this.snapshot
						.contender(() -> draining.queue(Progress.inQuarters(jobs), OpenTransaction::withSnapshot)),
					this.plainXid.contender(() -> draining.plain(Progress.inQuarters(jobs), OpenTransaction::withId)),
					this.xid.contender(() -> draining.queue(Progress.inQuarters(jobs), OpenTransaction::withId)));
		}
		return result();
	}

	private Result result() {
		return Result.in("jobs/s")
			.with("value", this.snapshot.rate())
			.with("floor", this.plainSnapshot.rate())
			.with("ratio", Math.min(this.snapshot.lastToFirst(), this.xid.lastToFirst()))
			.with("snapshot", this.snapshot.lastToFirst())
			.with("xid", this.xid.lastToFirst())
			.with("plain_snapshot", this.plainSnapshot.lastToFirst())
			.with("plain_xid", this.plainXid.lastToFirst())
			.with(curve());
	}

	private Curve curve() {
		Map<String, List<Double>> lines = new LinkedHashMap<>();
		lines.put("snapshot", this.snapshot.quarters());
		lines.put("plain SQL, snapshot", this.plainSnapshot.quarters());
		lines.put("xid", this.xid.quarters());
		lines.put("plain SQL, xid", this.plainXid.quarters());
		return new Curve("Draining behind an open transaction", "quarter", QuarterRounds.QUARTERS, lines);
	}

}
