package io.jobqueue.benchmark.cold;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.MeasuredQueue;

/**
 * The first jobs of a JVM that has just started. Each round of each contender runs in a
 * JVM of its own, an application with Spring's context, and all rounds count.
 *
 * @param name the name of the scenario
 * @param measures what it measures
 * @param size the number of jobs or transactions
 * @param unit the unit of the figures
 * @param tasks the tasks of the contenders; the first two are the queue and what the
 * ratio compares it with, the ratio to each other one is named after it
 * @param bars the ratios to reach
 */
public record Cold(String name, String measures, int size, String unit, Map<String, ColdTask> tasks,
		List<Bar> bars) implements Scenario {

	private static final String VALUE = "value";

	private static final String FLOOR = "floor";

	private static final String P99 = "p99_";

	/**
	 * Rounds of a whole run, for each of the rounds of other scenarios.
	 */
	private static final int ROUNDS = 2;

	/**
	 * Return the scenarios in the order of the report.
	 * @return the scenarios
	 */
	public static List<Scenario> all() {
		return List.of(first(), latency(), drain("cold-drain-20k", 20_000, 0.7), drain("cold-drain", 50_000, 0.85),
				transactions(), bulk());
	}

	private static Scenario first() {
		return new Cold("cold-first", "the first job after the start of a worker, beside db-scheduler", 1, "ms",
				tasks(ColdTask.QUEUE_FIRST, ColdTask.SCHEDULER_FIRST), List.of(Bar.atMost("ratio", 1)));
	}

	private static Scenario latency() {
		return new Cold("cold-latency", "the first 100 jobs of a JVM, one every 50 ms", Delays.FIRST, "ms",
				tasks(ColdTask.QUEUE_LATENCY, ColdTask.PLAIN_LATENCY),
				List.of(Bar.atMost("ratio", 0.8), Bar.atMost(P99 + "ratio", 1.2)));
	}

	private static Scenario drain(String name, int jobs, double ratio) {
		return new Cold(name, "the first %,d jobs of a JVM".formatted(jobs), jobs, "jobs/s",
				tasks(ColdTask.QUEUE_DRAIN, ColdTask.PLAIN_DRAIN), List.of(Bar.atLeast("ratio", ratio)));
	}

	private static Scenario transactions() {
		Map<String, ColdTask> tasks = tasks(ColdTask.QUEUE_TRANSACTIONS, ColdTask.PLAIN_TRANSACTIONS);
		tasks.put("lean", ColdTask.LEAN_TRANSACTIONS);
		tasks.put("without", ColdTask.BUSINESS_TRANSACTIONS);
		return new Cold("cold-enqueue-tx", "the first 12,000 transactions of 8 threads, each with a job", 12_000,
				"jobs/s", tasks, List.of(Bar.atLeast("ratio", 0.9)));
	}

	private static Scenario bulk() {
		Map<String, ColdTask> tasks = tasks(ColdTask.QUEUE_BULK, ColdTask.PLAIN_BULK);
		tasks.put("lean", ColdTask.LEAN_BULK);
		return new Cold("cold-bulk", "the first 100,000 jobs of a JVM, 1,000 a call, from 4 threads", 100_000, "jobs/s",
				tasks, List.of(Bar.atLeast("ratio", 0.7)));
	}

	private static Map<String, ColdTask> tasks(ColdTask queue, ColdTask floor) {
		Map<String, ColdTask> tasks = new LinkedHashMap<>();
		tasks.put(VALUE, queue);
		tasks.put(FLOOR, floor);
		return tasks;
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		MeasuredQueue.start(workbench.database()).close();
		Scale scale = workbench.scale();
		Samples p99 = new Samples();
		Contender[] contenders = this.tasks.entrySet()
			.stream()
			.map((task) -> contender(workbench, task.getKey(), task.getValue(), p99))
			.toArray(Contender[]::new);
		return result(new Workbench(workbench.database(), new Scale(scale.factor(), ROUNDS * scale.rounds()))
			.alternateAtOnce(contenders), p99);
	}

	private Contender contender(Workbench workbench, String contender, ColdTask task, Samples p99) {
		return new Contender(contender, () -> {
			ColdFigures figures = ColdNode.measure(workbench.database(), task, workbench.scaled(this.size));
			p99.add(contender, figures.p99());
			return figures.value();
		});
	}

	private Result result(Samples samples, Samples p99) {
		Result result = Result.of(this.unit, samples);
		for (String other : this.tasks.keySet().stream().skip(2).toList()) {
			result = result.beside(other, samples);
		}
		return isLatency() ? result.with(P99 + VALUE, p99.median(VALUE))
			.with(P99 + FLOOR, p99.median(FLOOR))
			.with(P99 + "ratio", p99.median(VALUE) / p99.median(FLOOR)) : result;
	}

	private boolean isLatency() {
		return this.bars.stream().anyMatch((bar) -> bar.figure().startsWith(P99));
	}

}
