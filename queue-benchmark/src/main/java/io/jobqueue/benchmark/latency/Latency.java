package io.jobqueue.benchmark.latency;

import java.util.List;

import io.jobqueue.Priority;
import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainListener;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.Orders;
import io.jobqueue.benchmark.subject.OtherJvm;
import io.jobqueue.benchmark.timing.Arrivals;

/**
 * How long an idle worker with default settings takes from the commit of a job to the
 * start of its handler, in the same JVM and in another, beside plain SQL that listens.
 */
public final class Latency implements Scenario {

	static final int JOBS = 300;

	static final long PAUSE_MILLIS = 50;

	private static final int WARM_UP = 1_000;

	private final LatencyRounds here = new LatencyRounds("here");

	private final LatencyRounds elsewhere = new LatencyRounds("elsewhere");

	private final LatencyRounds plain = new LatencyRounds("plain");

	@Override
	public String name() {
		return "latency";
	}

	@Override
	public String measures() {
		return "idle worker, one job every 50 ms, from commit to handler; best of the rounds";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("p50", 0.7), Bar.atMost("p99", 2.5), Bar.atMost("p50_other_jvm", 2.5));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		BenchmarkDatabase database = workbench.database();
		try (MeasuredQueue queue = MeasuredQueue.start(database);
				OtherJvm other = OtherJvm.start(List.of(), LatencyNode.class, database.url());
				PlainListener listener = new PlainListener(database)) {
			database.removeJobs();
			database.settle();
			workbench.alternateAtOnce(this.plain.contender(() -> plain(workbench, listener)),
					this.here.contender(() -> here(workbench, queue)),
					this.elsewhere.contender(() -> elsewhere(workbench, queue, other)));
		}
		return result();
	}

	private static Latencies here(Workbench workbench, MeasuredQueue queue) throws Exception {
		Arrivals arrivals = new Arrivals();
		queue.noOps().onJob((number) -> arrivals.now());
		queue.startWorker();
		try {
			return measure(workbench,
					new LatencyProbe(new TimedEnqueue(queue, Priority.USER_VISIBLE), arrivals::await));
		}
		finally {
			queue.stopWorker();
		}
	}

	private static Latencies elsewhere(Workbench workbench, MeasuredQueue queue, OtherJvm other) throws Exception {
		other.order(Orders.START);
		try {
			return measure(workbench, new LatencyProbe(new TimedEnqueue(queue, Priority.USER_VISIBLE),
					() -> Long.parseLong(other.await(LatencyNode.ARRIVAL))));
		}
		finally {
			other.order(Orders.STOP);
		}
	}

	private static Latencies plain(Workbench workbench, PlainListener listener) throws Exception {
		return measure(workbench, new LatencyProbe(listener::commit, listener::arrival));
	}

	private static Latencies measure(Workbench workbench, LatencyProbe probe) throws Exception {
		probe.warmUp(workbench.scaled(WARM_UP));
		return probe.measure(workbench.scaled(JOBS), PAUSE_MILLIS);
	}

	private Result result() {
		return Result.in("ms")
			.with("p50", this.here.best().p50())
			.with("p99", this.here.best().p99())
			.with("p50_other_jvm", this.elsewhere.best().p50())
			.with("p99_other_jvm", this.elsewhere.best().p99())
			.with("floor_p50", this.plain.best().p50())
			.with("floor_p99", this.plain.best().p99())
			.with("median_p50", this.here.medianP50())
			.with("median_p99", this.here.medianP99());
	}

}
