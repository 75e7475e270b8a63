package io.jobqueue.benchmark.latency;

import java.sql.SQLException;
import java.util.List;

import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainJob;
import io.jobqueue.benchmark.plain.PlainPortion;
import io.jobqueue.benchmark.plain.PlainWorkers;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.Nap;
import io.jobqueue.benchmark.timing.Arrivals;
import io.jobqueue.benchmark.timing.WallClock;

import org.springframework.util.Assert;

/**
 * How long an interactive job takes from its commit to its handler while all handlers of
 * the queue are busy with a backlog of reporting jobs of 10 ms.
 * <p>
 * Jobs without a signal are written by plain SQL, as if another node's signal had been
 * lost. They may take a poll interval longer.
 */
public final class LatencyLoaded implements Scenario {

	private static final int BAR_MILLIS = 25;

	private static final int POLL_MILLIS = 500;

	private static final int NAP_MILLIS = 10;

	private static final int LEAST_BACKLOG = 2_000;

	private static final int UNSIGNALLED = 30;

	private final LatencyRounds signalled = new LatencyRounds("signalled");

	private final LatencyRounds unsignalled = new LatencyRounds("unsignalled");

	private final LatencyRounds plain = new LatencyRounds("plain");

	@Override
	public String name() {
		return "latency-loaded";
	}

	@Override
	public String measures() {
		return "interactive jobs beside a backlog of reporting jobs of 10 ms, from commit to handler";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("p99", BAR_MILLIS), Bar.atMost("p99_unsignalled", POLL_MILLIS + BAR_MILLIS));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(Latency.JOBS);
		int unsignalledJobs = workbench.scaled(UNSIGNALLED);
		BenchmarkDatabase database = workbench.database();
		try (MeasuredQueue queue = MeasuredQueue.start(database)) {
			TimedEnqueue enqueue = new TimedEnqueue(queue, Priority.INTERACTIVE);
			workbench.alternateAtOnce(this.plain.contender(() -> plain(database, jobs)),
					this.signalled.contender(() -> loaded(database, queue, jobs, BAR_MILLIS, enqueue)), this.unsignalled
						.contender(() -> loaded(database, queue, unsignalledJobs, POLL_MILLIS, () -> insert(queue))));
		}
		return result();
	}

	private static Latencies plain(BenchmarkDatabase database, int jobs) throws Exception {
		try (PlainWorkers workers = new PlainWorkers(database)) {
			workers.fill(backlog(jobs, BAR_MILLIS));
			database.settle();
			workers.start();
			return new LatencyProbe(workers::commit, workers::arrival).measure(jobs, Latency.PAUSE_MILLIS);
		}
	}

	private static Latencies loaded(BenchmarkDatabase database, MeasuredQueue queue, int jobs, int expectedMillis,
			LatencyProbe.Moment commit) throws Exception {
		database.removeJobs();
		queue.fill(backlog(jobs, expectedMillis), LatencyLoaded::nap);
		database.settle();
		Arrivals arrivals = new Arrivals();
		queue.noOps().onJob((number) -> arrivals.now());
		queue.startWorker();
		try {
			Latencies latencies = new LatencyProbe(commit, arrivals::await).measure(jobs, Latency.PAUSE_MILLIS);
			Assert.state(database.hasJobs(), "The backlog ended before the round");
			return latencies;
		}
		finally {
			queue.stopWorker();
		}
	}

	/**
	 * As many jobs as keep all handlers busy for the whole round, and half as many again.
	 */
	private static int backlog(int jobs, int expectedMillis) {
		int millis = jobs * (int) (Latency.PAUSE_MILLIS + expectedMillis);
		return LEAST_BACKLOG + millis * PlainWorkers.THREADS / NAP_MILLIS * 3 / 2;
	}

	private static JobRequest nap(int number) {
		return JobRequest.of(new Nap(NAP_MILLIS)).priority(Priority.REPORTING);
	}

	private static long insert(MeasuredQueue queue) throws SQLException {
		PlainPortion.insert(queue.dataSource(), List.of(PlainJob.of(0, Priority.INTERACTIVE)));
		return WallClock.micros();
	}

	private Result result() {
		return Result.in("ms")
			.with("p50", this.signalled.medianP50())
			.with("p99", this.signalled.medianP99())
			.with("p50_unsignalled", this.unsignalled.medianP50())
			.with("p99_unsignalled", this.unsignalled.medianP99())
			.with("floor_p50", this.plain.medianP50())
			.with("floor_p99", this.plain.medianP99());
	}

}
