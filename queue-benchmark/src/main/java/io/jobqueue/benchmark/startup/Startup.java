package io.jobqueue.benchmark.startup;

import java.util.ArrayList;
import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.OtherJvm;

/**
 * How much later an application is ready because of the queue: from the start of its JVM,
 * with the queue and its worker, and with {@code jobqueue.enabled=false}. The tables are
 * up to date.
 */
public final class Startup implements Scenario {

	private static final int STARTS = 10;

	/**
	 * The application's Flyway baselines, as the tables of other scenarios may be there.
	 */
	private static final List<String> SETTINGS = List.of("--spring.main.banner-mode=off", "--server.port=0",
			"--spring.flyway.enabled=true", "--spring.flyway.locations=classpath:startup",
			"--spring.flyway.baseline-on-migrate=true", "--spring.flyway.baseline-version=0",
			"--spring.autoconfigure.exclude=io.jobqueue.dashboard.DashboardAutoConfiguration,io.jobqueue.kafka.KafkaAutoConfiguration,"
					+ "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration");

	private static final double MOST_SECONDS = 0.4;

	private static final double MILLIS = 1000;

	@Override
	public String name() {
		return "startup";
	}

	@Override
	public String measures() {
		return "ten starts of a web application with Flyway, in JVMs of their own, with the queue and without";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("added_s", MOST_SECONDS));
	}

	/**
	 * A first start does not count: it creates the tables, and the server and the system
	 * read the files that all starts need.
	 */
	@Override
	public Result run(Workbench workbench) throws Exception {
		Workbench starts = new Workbench(workbench.database(),
				new Scale(workbench.scale().factor(), workbench.scaled(STARTS)));
		start(workbench.database(), true);
		Samples samples = starts.alternateAtOnce(new Contender("with_s", () -> start(workbench.database(), true)),
				new Contender("without_s", () -> start(workbench.database(), false)));
		double with = samples.median("with_s");
		double without = samples.median("without_s");
		return Result.in("").with("with_s", with).with("without_s", without).with("added_s", with - without);
	}

	private static double start(BenchmarkDatabase database, boolean enabled) throws Exception {
		List<String> settings = new ArrayList<>(SETTINGS);
		settings.add("--spring.datasource.url=" + database.url());
		settings.add("--jobqueue.enabled=" + enabled);
		try (OtherJvm jvm = OtherJvm.start(List.of(), StartupApplication.class, settings.toArray(String[]::new))) {
			double seconds = Double.parseDouble(jvm.await(StartupApplication.READY)) / MILLIS;
			jvm.end();
			return seconds;
		}
	}

}
