package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.util.Random;

/**
 * The pools of the producers and of a worker are replaced while transactions are open,
 * and the old ones closed.
 */
record ReplacePool(Cluster cluster) implements Fault {

	@Override
	public void strike(Random random) throws IOException {
		this.cluster.anyWorker(random).jvm().write(ChaosWorker.REPLACE_POOL);
		this.cluster.replacePool();
	}

}
