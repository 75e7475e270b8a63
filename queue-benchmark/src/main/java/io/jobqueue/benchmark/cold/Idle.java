package io.jobqueue.benchmark.cold;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

/**
 * A job after idle minutes, in applications that ran 100 jobs before. All idle at the
 * same time, each in a JVM and a database of its own; each JVM starts when the one before
 * is ready, so that their jobs come seconds apart.
 *
 * @param seconds the idle time in seconds
 * @param pairs the number of JVMs with the queue, and of those without
 */
public record Idle(int seconds, int pairs) implements Scenario {

	private static final int TEN_MINUTES = 600;

	private static final int PAIRS = 10;

	/**
	 * Return the scenario as it runs by default.
	 * @return ten pairs of applications that idle for ten minutes
	 */
	public static Idle tenMinutes() {
		return new Idle(TEN_MINUTES, PAIRS);
	}

	@Override
	public String name() {
		return "cold-idle";
	}

	@Override
	public String measures() {
		return "a job after %d idle seconds, in %d JVMs with the queue and as many without".formatted(this.seconds,
				this.pairs);
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("ratio", 2));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		List<Application> applications = new ArrayList<>();
		try {
			for (int pair = 0; pair < this.pairs; pair++) {
				applications.add(start(workbench, "value", pair, ColdTask.QUEUE_IDLE));
				applications.add(start(workbench, "floor", pair, ColdTask.PLAIN_IDLE));
			}
			Samples samples = new Samples();
			applications.forEach((application) -> application.addTo(samples));
			return Result.of("ms", samples);
		}
		finally {
			applications.forEach((application) -> application.close(workbench.database()));
		}
	}

	private Application start(Workbench workbench, String contender, int pair, ColdTask task) throws IOException {
		String name = "idle_%s_%d".formatted(contender, pair);
		ColdNode node = ColdNode.start(workbench.database().create(name), task, workbench.scaled(this.seconds));
		return new Application(contender, name, node);
	}

	/**
	 * An application that runs 100 jobs, idles and runs one more.
	 */
	private record Application(String contender, String database, ColdNode node) {

		void addTo(Samples samples) {
			samples.add(this.contender, this.node.figures().value());
		}

		void close(BenchmarkDatabase server) {
			this.node.close();
			server.drop(this.database);
		}

	}

}
