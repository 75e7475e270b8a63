package io.jobqueue.benchmark.load;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.ManyQueues;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;

/**
 * Whether the queue keeps up with 80 % of what it can do, for three minutes: ten queues,
 * four priorities, handlers of 0 to 50 ms, one job in twenty failing first and retried
 * after a second.
 * <p>
 * The capacity is measured before, with the same jobs from a backlog, between the first
 * and the last quarter of it, without producers. The backlog is what was enqueued and has
 * not succeeded, including what runs or waits for its retry. It has grown if it was
 * larger in the last third of the time than in the first by more than what a fifth of a
 * second brings: much less than the smallest lack of capacity leaves behind in two
 * minutes, and more than a start.
 */
public final class Mixed implements Scenario {

	private static final int CAPACITY_JOBS = 60_000;

	private static final int CALL = 1_000;

	private static final int MILLIS = 180_000;

	private static final double GROWTH_BAR = 0.2;

	private static final double SHARE = 0.8;

	@Override
	public String name() {
		return "mixed";
	}

	@Override
	public String measures() {
		return "10 queues, 4 priorities, handlers of 0 to 50 ms, 5 % failing, at 80 % of capacity for 3 minutes; once";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("growth_seconds", GROWTH_BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		try (MeasuredQueue queue = MeasuredQueue.start(workbench.database(), ManyQueues.WANTED, ManyQueues.QUIET,
				"jobqueue.worker.queues=" + ManyQueues.names(MixedJobs.QUEUES), "jobqueue.defaults.backoff.type=fixed",
				"jobqueue.defaults.backoff.delay=1s")) {
			double capacity = capacity(workbench, queue);
			return load(workbench, queue, capacity);
		}
	}

	private static double capacity(Workbench workbench, MeasuredQueue queue) throws InterruptedException {
		int jobs = Math.max(CALL, workbench.scaled(CAPACITY_JOBS));
		workbench.database().removeJobs();
		for (int from = 0; from < jobs; from += CALL) {
			queue.jobQueue().enqueueAll(MixedJobs.requests(from, Math.min(jobs, from + CALL)));
		}
		workbench.database().settle();
		Progress progress = Progress.inQuarters(jobs);
		queue.manyQueues().onJob((work, job) -> {
		}, (work, job) -> progress.add(1));
		queue.startWorker();
		progress.await();
		queue.stopWorker();
		return progress.rate(1, 3);
	}

	private static Result load(Workbench workbench, MeasuredQueue queue, double capacity) throws InterruptedException {
		workbench.database().removeJobs();
		workbench.database().settle();
		LongAdder done = new LongAdder();
		Waits waits = new Waits();
		queue.manyQueues().onJob(waits::started, (work, job) -> done.increment());
		SteadyLoad load = new SteadyLoad(queue.jobQueue(), done::sum);
		queue.startWorker();
		double rate = load.run(capacity * SHARE, workbench.scaled(MILLIS));
		queue.stopWorker();
		return result(load, rate, capacity, waits);
	}

	private static Result result(SteadyLoad load, double rate, double capacity, Waits waits) {
		double growth = load.meanBacklog(2) - load.meanBacklog(0);
		Result result = Result.in("jobs/s")
			.with("value", rate)
			.with("capacity", capacity)
			.with("growth_seconds", growth / rate)
			.with("backlog_first", load.meanBacklog(0))
			.with("backlog_last", load.meanBacklog(2))
			.with("jobs", (double) load.enqueued());
		return waits.addTo(result);
	}

}
