package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.util.Random;

/**
 * The server stops immediately, and is started again.
 */
record CrashServer(DurableServer server) implements Fault {

	@Override
	public void strike(Random random) throws IOException, InterruptedException {
		this.server.crash();
	}

}
