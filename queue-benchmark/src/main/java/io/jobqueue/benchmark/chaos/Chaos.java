package io.jobqueue.benchmark.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import io.jobqueue.benchmark.chaos.TickChecker.TickVerdict;
import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Everything breaks, again and again: afterwards every committed job must have come to
 * its end, as often as its delivery promises, and every tick of a schedule must have had
 * one job, and no job may have begun before the one that it waits for has ended, nor the
 * callback of a batch before all its members. It starts a server of its own and crashes
 * no other.
 */
public final class Chaos implements Scenario {

	private static final Duration STANDSTILL = Duration.ofSeconds(60);

	private static final long LOOK_MILLIS = 100;

	/**
	 * Only what was running when something broke may die of it.
	 */
	private static final double MAX_DEAD_SHARE = 0.5;

	private static final String LEFT = """
			SELECT count(*) FROM (
			    (SELECT id FROM jobqueue_job EXCEPT
			""" + Checker.UNSEALED + """
			    )
			    UNION SELECT job_id FROM jobqueue_workflow_step WHERE state IN ('WAITING', 'STARTED')) j
			""";

	private static final Path LOGS = Path.of("target", "chaos");

	private final Duration time;

	private final long seed;

	/**
	 * Create the scenario.
	 * @param time how long faults happen
	 * @param seed decides which ones, when, and whom they hit
	 */
	public Chaos(Duration time, long seed) {
		this.time = time;
		this.seed = seed;
	}

	@Override
	public String name() {
		return "chaos";
	}

	@Override
	public String measures() {
		return "jobs, batches, workflows and ticks that are lost or doubled while workers, connections and the server break";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("lost", 0), Bar.atMost("doubled_transactional", 0),
				Bar.atMost("doubled_at_most_once", 0), Bar.atMost("early", 0), Bar.atMost(Verdict.MISCOUNTED, 0),
				Bar.atMost(Verdict.DEAD_SHARE, MAX_DEAD_SHARE), Bar.atMost(TickVerdict.LOST, 0),
				Bar.atMost(TickVerdict.DOUBLED, 0));
	}

	@Override
	public boolean isPromise() {
		return true;
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		Path logs = LOGS.resolve(String.valueOf(this.seed));
		System.out.println("Chaos for %s seconds with seed %s; workers log to %s".formatted(this.time.toSeconds(),
				this.seed, logs));
		try (Cluster cluster = new Cluster()) {
			cluster.startWorkers(logs);
			return run(cluster);
		}
	}

	private Result run(Cluster cluster) throws Exception {
		Random random = new Random(this.seed);
		cluster.schedules().save();
		try (Producers producers = new Producers(cluster.ledger(), random)) {
			Map<String, Integer> struck = new FaultSchedule(faults(cluster), random).run(this.time);
			System.out.println("Faults: " + struck);
			Set<UUID> acknowledged = producers.finish();
			cluster.schedules().pause();
			drain(cluster.server());
			cluster.stopWorkers();
			return check(cluster.server().sql(), acknowledged, struck);
		}
	}

	private static List<Fault> faults(Cluster cluster) {
		return List.of(new KillWorker(cluster), new StopWorker(cluster), new FreezeWorker(cluster),
				new TerminateBackends(cluster.server()), new CutListeners(cluster.server()),
				new CrashServer(cluster.server()), new FreezeServer(cluster.server()), new LockTable(cluster.server()),
				new JumpClock(cluster.server()), new CutConnections(cluster.proxy()), new ExhaustPool(cluster),
				new ReplacePool(cluster));
	}

	/**
	 * Waits until no job and no step of a workflow is left, or none has ended for
	 * {@link #STANDSTILL}. What is left counts as lost, except for callbacks of batches
	 * that are not sealed.
	 */
	private static void drain(DurableServer server) throws InterruptedException {
		long left = Long.MAX_VALUE;
		long progress = System.nanoTime();
		while (left > 0 && System.nanoTime() - progress < STANDSTILL.toNanos()) {
			Thread.sleep(LOOK_MILLIS);
			long now = server.sql().sql(LEFT).query(Long.class).single();
			progress = (now < left) ? System.nanoTime() : progress;
			left = now;
		}
	}

	private Result check(JdbcClient sql, Set<UUID> acknowledged, Map<String, Integer> struck) {
		Checker jobs = new Checker(sql);
		TickChecker ticks = new TickChecker(sql);
		Stream.concat(jobs.suspects().stream(), ticks.suspects().stream())
			.forEach((suspect) -> System.out.println("Suspect: " + suspect));
		long faults = struck.values().stream().mapToInt(Integer::intValue).sum();
		Result result = Result.in("").withCount("seconds", this.time.toSeconds()).withCount("faults", faults);
		return ticks.check().addTo(jobs.check(acknowledged).addTo(result));
	}

}
