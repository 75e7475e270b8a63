package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/**
 * A worker process stands still until it has been taken for dead, and then goes on.
 */
record FreezeWorker(Cluster cluster) implements Fault {

	private static final Duration MORE = Duration.ofSeconds(2);

	@Override
	public void strike(Random random) throws IOException, InterruptedException {
		ProcessHandle worker = this.cluster.anyWorker(random).jvm().handle();
		Signal.STOP.send(worker);
		Thread.sleep(ChaosApplication.TIMEOUT.plus(MORE).toMillis());
		Signal.CONT.send(worker);
	}

}
