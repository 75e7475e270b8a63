package io.jobqueue.benchmark.waiting;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.ThreadMXBean;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;

/**
 * How many jobs a second one process runs whose handlers wait for 100 ms, 1,000 at a
 * time, and 5,000: on virtual threads if the JVM has them. Without any cost of a job, the
 * rates would be 10,000 and 50,000.
 */
public final class Waiting implements Scenario {

	private static final int MILLIS = 100;

	private static final double PER_SECOND = 1_000.0 / MILLIS;

	private static final int JOBS_PER_HANDLER = 100;

	private static final double BAR = 0.9;

	private static final long MIB = 1024L * 1024;

	private final int few;

	private final int many;

	/**
	 * Measure with as many handlers as the report has.
	 */
	public Waiting() {
		this(1_000, 5_000);
	}

	Waiting(int few, int many) {
		this.few = few;
		this.many = many;
	}

	@Override
	public String name() {
		return "waiting";
	}

	@Override
	public String measures() {
		return "handlers that wait for 100 ms, 1,000 and 5,000 at a time, relative to the possible rate";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		return with(with(Result.in("jobs/s"), "", workbench, this.few), "many_", workbench, this.many);
	}

	private static Result with(Result result, String prefix, Workbench workbench, int handlers) throws Exception {
		BenchmarkDatabase database = workbench.database();
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		resetHeap();
		threads.resetPeakThreadCount();
		try (MeasuredQueue queue = MeasuredQueue.startWith(Pauses.class, database,
				"spring.threads.virtual.enabled=true", "jobqueue.worker.queues=" + Pauses.QUEUE,
				"jobqueue.queues.%s.concurrency=%s".formatted(Pauses.QUEUE, handlers))) {
			int jobs = workbench.scaled(handlers * JOBS_PER_HANDLER);
			Samples samples = workbench.alternate(Contender.value(() -> drain(database, queue, jobs)));
			double rate = samples.median("value");
			return result.with(prefix + "value", rate)
				.with(prefix + "ratio", rate / (handlers * PER_SECOND))
				.withCount(prefix + "threads", threads.getPeakThreadCount())
				.withCount(prefix + "connections",
						queue.bean(HikariDataSource.class).getHikariPoolMXBean().getTotalConnections())
				.withCount(prefix + "heap_mib", peakHeap() / MIB);
		}
	}

	private static double drain(BenchmarkDatabase database, MeasuredQueue queue, int jobs) throws Exception {
		database.removeJobs();
		queue.fill(jobs, (number) -> new Pause(MILLIS));
		database.settle();
		return queue.drainFilled(queue.bean(Pauses.class).expect(Progress.of(jobs)));
	}

	private static void resetHeap() {
		heap().forEach(MemoryPoolMXBean::resetPeakUsage);
	}

	private static long peakHeap() {
		return heap().stream().mapToLong((pool) -> pool.getPeakUsage().getUsed()).sum();
	}

	private static List<MemoryPoolMXBean> heap() {
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP)
			.toList();
	}

}
