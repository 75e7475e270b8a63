package io.jobqueue.benchmark.chaos;

import java.util.Random;

/**
 * The worker process that runs most jobs is asked to stop, and its supervisor starts it
 * again when it has ended.
 */
record StopWorker(Cluster cluster) implements Fault {

	private static final String BUSIEST = """
			SELECT w.name
			FROM jobqueue_worker w
			JOIN jobqueue_job j ON j.locked_by = w.id
			GROUP BY w.id, w.name
			ORDER BY count(*) DESC
			LIMIT 1
			""";

	@Override
	public void strike(Random random) {
		String name = this.cluster.server().sql().sql(BUSIEST).query(String.class).single();
		ProcessHandle worker = this.cluster.worker(name).jvm().handle();
		worker.destroy();
		worker.onExit().join();
	}

}
