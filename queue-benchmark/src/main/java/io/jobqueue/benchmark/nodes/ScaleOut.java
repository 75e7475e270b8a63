package io.jobqueue.benchmark.nodes;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainDrain;
import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

/**
 * How much of one process's rate 1, 2, 4 and 8 worker processes reach together on the
 * same backlog, and how many statements they send when they are idle.
 * <p>
 * All processes share the machine with the server, so that more of them cannot be faster
 * where one keeps all processors busy: they may only not be slower. Each has drained so
 * many jobs alone before that its code is compiled, as the first one does in its rounds.
 * Beside it, plain SQL drains on as many times the connections. Idle workers poll alone,
 * without a listener, and are counted when they have known one another for a while. All
 * statements grow with the workers by their heartbeats; those that look for jobs must
 * not.
 */
public final class ScaleOut implements Scenario {

	private static final int JOBS = 200_000;

	private static final int WARM_UP = 400_000;

	private static final double BAR = 0.85;

	private static final double IDLE_BAR = 1.2;

	private static final String OURS = "rate_";

	private static final String PLAIN = "plain_";

	private final int[] processes;

	private ScaleOut(int... processes) {
		this.processes = processes;
	}

	/**
	 * Measure with so many processes.
	 * @param processes numbers of processes, beginning with 1 and ascending
	 */
	public static ScaleOut to(int... processes) {
		return new ScaleOut(processes.clone());
	}

	@Override
	public String name() {
		return "scale-out";
	}

	@Override
	public String measures() {
		return "1, 2, 4 and 8 worker processes: their rate together to that of one, and their statements when idle";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR), Bar.atMost("looks_by_processes", IDLE_BAR),
				Bar.atMost("looks_by_queues", IDLE_BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		Result drained = drain(workbench);
		return new IdleNodes(workbench).addTo(drained, this.processes);
	}

	private Result drain(Workbench workbench) throws Exception {
		int most = this.processes[this.processes.length - 1];
		BenchmarkDatabase database = workbench.database();
		try (WorkerNodes nodes = new WorkerNodes(database, most, "jobqueue.defaults.retention.succeeded=0")) {
			nodes.warmUp(() -> fill(database, workbench.scaled(WARM_UP)), database::hasJobs);
			Contender[] contenders = Arrays.stream(this.processes)
				.boxed()
				.flatMap((count) -> Stream.of(new Contender(OURS + count, () -> drain(workbench, nodes, count)),
						new Contender(PLAIN + count, () -> plain(workbench, count))))
				.toArray(Contender[]::new);
			return result(workbench.alternateAtOnce(contenders));
		}
	}

	private static double plain(Workbench workbench, int count) throws Exception {
		workbench.database().removeJobs();
		return PlainDrain.of(workbench.database(), count).drain(workbench.scaled(JOBS));
	}

	private static double drain(Workbench workbench, WorkerNodes nodes, int count) throws Exception {
		int jobs = fill(workbench.database(), workbench.scaled(JOBS));
		return nodes.drain(count, jobs, workbench.database()::hasJobs);
	}

	private static int fill(BenchmarkDatabase database, int jobs) {
		database.removeJobs();
		Backlog.DUE.fill(database, jobs);
		database.settle();
		return jobs;
	}

	private Result result(Samples samples) {
		Result result = Result.in("jobs/s")
			.with("value", least(samples, OURS))
			.with("ratio", least(samples, OURS) / samples.median(OURS + 1))
			.with("plain_ratio", least(samples, PLAIN) / samples.median(PLAIN + 1));
		for (int count : this.processes) {
			result = result.with(OURS + count, samples.median(OURS + count))
				.with(PLAIN + count, samples.median(PLAIN + count));
		}
		return result;
	}

	private double least(Samples samples, String name) {
		return Arrays.stream(this.processes).mapToDouble((count) -> samples.median(name + count)).min().orElseThrow();
	}

}
