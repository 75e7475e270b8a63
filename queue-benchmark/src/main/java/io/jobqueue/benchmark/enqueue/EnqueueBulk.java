package io.jobqueue.benchmark.enqueue;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainJob;
import io.jobqueue.benchmark.plain.PlainPortion;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Threads;

/**
 * How many jobs a second four callers enqueue, 1,000 a call, while no worker runs.
 * <p>
 * Plain SQL inserts portions of the same size into the same columns of the same table
 * from as many threads, also through {@code unnest}, and builds its arrays within the
 * measured time as the queue does. It does the same with a lean table, which has a bigint
 * key and one index: {@code lean_ratio} is the queue's share of that rate.
 */
public final class EnqueueBulk implements Scenario {

	private static final int JOBS = 100_000;

	private static final int CALL = 1_000;

	private static final int CALLERS = 4;

	private static final double BAR = 0.7;

	@Override
	public String name() {
		return "enqueue-bulk";
	}

	@Override
	public String measures() {
		return "100,000 jobs, 1,000 a call, 4 callers, against unnest into the same table";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int calls = Math.max(CALLERS, workbench.scaled(JOBS) / CALL);
		BenchmarkDatabase database = workbench.database();
		try (MeasuredQueue queue = MeasuredQueue.start(database, EnqueueInTransaction.NO_WORKER)) {
			Samples samples = workbench.alternate(
					Contender.floor(() -> measure(database, calls, (from, to) -> plain(queue, from, to))),
					new Contender(EnqueueInTransaction.LEAN,
							() -> measure(database, calls, (from, to) -> lean(queue, from, to))),
					Contender.value(() -> measure(database, calls, (from, to) -> ours(queue, from, to))));
			return Result.of("jobs/s", samples).beside(EnqueueInTransaction.LEAN, samples);
		}
	}

	private static double measure(BenchmarkDatabase database, int calls, Call call) throws Exception {
		database.removeJobs();
		database.execute(PlainSql.CREATE_LEAN);
		database.settle();
		AtomicInteger next = new AtomicInteger();
		try (Threads threads = new Threads(CALLERS)) {
			return threads.rate((long) calls * CALL, (caller) -> enqueue(calls, next, call));
		}
	}

	private static void enqueue(int calls, AtomicInteger next, Call call) throws Exception {
		for (int number = next.getAndIncrement(); number < calls; number = next.getAndIncrement()) {
			call.enqueue(number * CALL, (number + 1) * CALL);
		}
	}

	private static void ours(MeasuredQueue queue, int from, int to) {
		queue.jobQueue().enqueueAll(MeasuredQueue.requests(from, to));
	}

	private static void plain(MeasuredQueue queue, int from, int to) throws SQLException {
		PlainPortion.insert(queue.dataSource(), jobs(from, to));
	}

	private static void lean(MeasuredQueue queue, int from, int to) throws SQLException {
		PlainPortion.insertLean(queue.dataSource(), jobs(from, to));
	}

	private static List<PlainJob> jobs(int from, int to) {
		return IntStream.range(from, to).mapToObj(PlainJob::of).toList();
	}

	/**
	 * Enqueues the jobs of a range.
	 */
	@FunctionalInterface
	private interface Call {

		void enqueue(int from, int to) throws Exception;

	}

}
