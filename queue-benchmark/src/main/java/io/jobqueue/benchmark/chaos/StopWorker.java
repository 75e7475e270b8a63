package io.jobqueue.benchmark.chaos;

import java.util.Random;

/**
 * A worker process is asked to stop while its handlers run, and its supervisor starts it
 * again when it has ended.
 */
record StopWorker(Cluster cluster) implements Fault {

	@Override
	public void strike(Random random) {
		ProcessHandle worker = this.cluster.anyWorker(random).jvm().handle();
		worker.destroy();
		worker.onExit().join();
	}

}
