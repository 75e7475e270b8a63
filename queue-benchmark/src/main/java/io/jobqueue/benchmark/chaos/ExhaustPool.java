package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/**
 * All connections of a worker are in use for longer than it waits for one.
 */
record ExhaustPool(Cluster cluster) implements Fault {

	private static final Duration TIME = Duration.ofSeconds(5);

	@Override
	public void strike(Random random) throws IOException {
		this.cluster.anyWorker(random).jvm().write(TIME.toString());
	}

}
