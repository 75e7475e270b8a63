package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/**
 * The server accepts connections and answers nothing, for longer than workers may be
 * silent.
 */
record FreezeServer(DurableServer server) implements Fault {

	private static final Duration TIME = ChaosApplication.TIMEOUT.plusSeconds(2);

	@Override
	public void strike(Random random) throws IOException, InterruptedException {
		this.server.freeze(TIME);
	}

}
