package io.jobqueue.benchmark.nodes;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.NoOps;
import io.jobqueue.benchmark.subject.ServerUsage;

/**
 * What three nodes with default settings and one queue cost while there is nothing to do:
 * round trips, the time of a processor in all processes of the server, and bytes of
 * write-ahead log, of each node in a minute.
 * <p>
 * What the server does by itself is measured first, and subtracted from its time. The
 * pools check and replace no connections, which is no business of the queue: by default,
 * ten idle connections are checked 5 times a minute.
 *
 * @param time how long it counts, after a sixth of that time in which the nodes calm down
 * @param settings settings of the nodes that differ from those of the report, as
 * {@code key=value}
 */
public record Idle(Duration time, List<String> settings) implements Scenario {

	private static final int NODES = 3;

	private static final Duration LEAST_CALMING = Duration.ofSeconds(30);

	private static final int CALMING_SHARE = 6;

	private static final List<String> SETTINGS = List.of("jobqueue.worker.queues=" + NoOps.QUEUE,
			"spring.datasource.hikari.keepalive-time=0", "spring.datasource.hikari.max-lifetime=0");

	private static final double TRIPS_BAR = 12;

	private static final double MILLIS_BAR = 2;

	private static final double NANOS_PER_MILLI = 1e6;

	/**
	 * Measure nodes as the report does.
	 * @param time how long it counts
	 */
	public Idle(Duration time) {
		this(time, List.of());
	}

	@Override
	public String name() {
		return "idle";
	}

	@Override
	public String measures() {
		return "round trips, processor time of the server and bytes of its log, of one of three idle nodes in a minute";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("trips", TRIPS_BAR), Bar.atMost("server_ms", MILLIS_BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		BenchmarkDatabase database = workbench.database();
		Duration counting = Duration.ofMillis(workbench.scaled((int) this.time.toMillis()));
		Duration calming = Duration
			.ofMillis(workbench.scaled((int) Math.max(this.time.toMillis() / CALMING_SHARE, LEAST_CALMING.toMillis())));
		double rest = perMinute(used(database, calming).nanos(), calming);
		try (WorkerNodes nodes = new WorkerNodes(database.with(CountingSockets.PARAMETER), NODES, nodeSettings())) {
			database.removeJobs();
			return nodes.idle(NODES, () -> {
				Thread.sleep(calming.toMillis());
				return count(database, nodes, counting, rest);
			});
		}
	}

	private String[] nodeSettings() {
		return Stream.concat(SETTINGS.stream(), this.settings.stream()).toArray(String[]::new);
	}

	private static Result count(BenchmarkDatabase database, WorkerNodes nodes, Duration time, double rest)
			throws Exception {
		long before = nodes.requests();
		ServerUsage usage = used(database, time);
		long requests = nodes.requests() - before;
		return Result.in("")
			.with("trips", perMinute(requests, time) / NODES)
			.with("server_ms", (perMinute(usage.nanos(), time) - rest) / NODES / NANOS_PER_MILLI)
			.with("bytes", perMinute(usage.bytes(), time) / NODES)
			.with("rest_ms", rest / NANOS_PER_MILLI)
			.withCount("seconds", time.toSeconds());
	}

	private static ServerUsage used(BenchmarkDatabase database, Duration time) throws InterruptedException {
		ServerUsage before = ServerUsage.of(database);
		Thread.sleep(time.toMillis());
		return ServerUsage.of(database).since(before);
	}

	private static double perMinute(long amount, Duration time) {
		return (double) amount * Duration.ofMinutes(1).toMillis() / time.toMillis();
	}

}
