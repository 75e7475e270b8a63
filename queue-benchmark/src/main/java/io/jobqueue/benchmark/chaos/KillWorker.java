package io.jobqueue.benchmark.chaos;

import java.util.Random;

/**
 * A worker process is killed, and its supervisor starts it again.
 */
record KillWorker(Cluster cluster) implements Fault {

	@Override
	public void strike(Random random) {
		this.cluster.anyWorker(random).jvm().close();
	}

}
