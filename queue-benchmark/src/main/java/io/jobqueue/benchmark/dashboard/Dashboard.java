package io.jobqueue.benchmark.dashboard;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkSchema;

/**
 * How long the server takes for each page of the dashboard, from the request to the last
 * byte, at ten million live and ten million archived jobs, while its worker is idle. All
 * pages are loaded in turn, so far apart from those with the same reading of the database
 * that it has expired: each load is that of the first viewer.
 */
public final class Dashboard implements Scenario {

	private static final int JOBS = 10_000_000;

	/**
	 * Five rounds of the benchmark are 50 loads.
	 */
	private static final int LOADS = 10;

	private static final int WARM_UP = 5;

	/**
	 * Charts are kept for 10 seconds, other readings for 2.
	 */
	private static final Duration INTERVAL = Duration.ofMillis(10_100);

	private static final Duration EXPIRY = Duration.ofMillis(2_100);

	private final int loads;

	private final int warmUp;

	private final Duration interval;

	private final Duration expiry;

	private Dashboard(int loads, int warmUp, Duration interval, Duration expiry) {
		this.loads = loads;
		this.warmUp = warmUp;
		this.interval = interval;
		this.expiry = expiry;
	}

	/**
	 * Load each page 50 times.
	 * @return the scenario
	 */
	public static Dashboard whole() {
		return new Dashboard(LOADS, WARM_UP, INTERVAL, EXPIRY);
	}

	/**
	 * Load each page once, for a test of the scenario.
	 * @return the scenario
	 */
	public static Dashboard once() {
		return new Dashboard(1, 0, Duration.ZERO, Duration.ZERO);
	}

	@Override
	public String name() {
		return "dashboard";
	}

	@Override
	public String measures() {
		return "each page of the dashboard, p95 of 50 loads, at 10,000,000 live and as many archived jobs; once";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("slowest", PageTimes.MOST_MILLIS),
				Bar.atMost("slowest_partial", PageTimes.MOST_MILLIS_IF_PARTIAL));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		try (BenchmarkSchema schema = new BenchmarkSchema(workbench.database(), "benchmark_dashboard")) {
			new DashboardTables(schema.database()).fill(workbench.scaled(JOBS));
			try (DashboardClient client = DashboardClient.start(schema.database())) {
				load(client, this.warmUp);
				return result(load(client, this.loads * workbench.scale().rounds()));
			}
		}
	}

	private Map<String, PageTimes> load(DashboardClient client, int rounds) throws Exception {
		Map<String, PageTimes> times = new LinkedHashMap<>();
		for (int round = 0; round < rounds; round++) {
			long next = System.nanoTime() + this.interval.toNanos();
			for (Map.Entry<String, String> page : DashboardPages.PAGES.entrySet()) {
				if (DashboardPages.SHARING.contains(page.getKey())) {
					Thread.sleep(this.expiry.toMillis());
				}
				client.load(page.getValue(), times.computeIfAbsent(page.getKey(), (name) -> new PageTimes()));
			}
			TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
		}
		return times;
	}

	private static Result result(Map<String, PageTimes> times) {
		Result result = Result.in("ms")
			.with("slowest", slowest(times, false))
			.with("slowest_partial", slowest(times, true));
		for (Map.Entry<String, PageTimes> page : times.entrySet()) {
			System.out.println(page.getValue().line(page.getKey()));
			result = result.with(page.getKey(), page.getValue().p95());
		}
		return result.withCount("over", times.values().stream().filter(PageTimes::isOver).count());
	}

	private static double slowest(Map<String, PageTimes> times, boolean partial) {
		return times.values()
			.stream()
			.filter((page) -> page.isPartial() == partial)
			.mapToDouble(PageTimes::p95)
			.max()
			.orElse(0);
	}

}
