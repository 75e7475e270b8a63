package io.jobqueue.benchmark.nodes;

import java.io.IOException;
import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

/**
 * Whether a process with a heap of 64 MB drains a million jobs with default settings, of
 * which one in 2,500 has a payload of 1 MB, so that these exceed the heap six times. It
 * ends at once when it runs out of memory.
 */
public final class Memory implements Scenario {

	private static final int JOBS = 1_000_000;

	private static final int INTERVAL_OF_LARGE = 2_500;

	private static final List<String> OPTIONS = List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError");

	private static final double KILOBYTES = 1024;

	@Override
	public String name() {
		return "memory";
	}

	@Override
	public String measures() {
		return "1,000,000 jobs, 400 of them of 1 MB, drained by a process with -Xmx64m; once";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("done", 1));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		BenchmarkDatabase database = workbench.database();
		int jobs = workbench.scaled(JOBS);
		try (WorkerNodes node = new WorkerNodes(database, OPTIONS, 1)) {
			database.removeJobs();
			Backlog.DUE.fill(database, jobs);
			Backlog.enlarge(database, INTERVAL_OF_LARGE);
			database.settle();
			return run(node, jobs, database);
		}
	}

	private static Result run(WorkerNodes node, int jobs, BenchmarkDatabase database) throws Exception {
		try {
			double rate = node.drain(1, jobs, database::hasJobs);
			double peak = node.peakKilobytes() / KILOBYTES;
			int exit = node.end();
			return Result.in("jobs/s").with("value", rate).with("done", (exit == 0) ? 1 : 0).with("peak_rss_mib", peak);
		}
		catch (IOException | IllegalStateException ex) {
			System.err.println("The process has ended: " + ex.getMessage());
			return Result.in("jobs/s").with("value", 0).with("done", 0).with("exit", node.exitValue());
		}
	}

}
