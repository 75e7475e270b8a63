package io.jobqueue.benchmark.chaos;

import java.util.Random;

/**
 * The clock of the database jumps, ahead or back, and stays there.
 */
record JumpClock(DurableServer server) implements Fault {

	/**
	 * More than workers may be silent.
	 */
	private static final int MAX_SECONDS = 10;

	@Override
	public void strike(Random random) {
		this.server.setClockAhead(random.nextInt(-MAX_SECONDS, MAX_SECONDS + 1));
	}

}
