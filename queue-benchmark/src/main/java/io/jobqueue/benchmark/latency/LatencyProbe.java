package io.jobqueue.benchmark.latency;

/**
 * Commits one job at a time and waits for its handler.
 *
 * @param commit commits a job and returns when it was committed
 * @param arrival waits for its handler and returns when it started
 */
record LatencyProbe(Moment commit, Moment arrival) {

	/**
	 * Commit jobs that do not count, one right after the other.
	 */
	void warmUp(int jobs) throws Exception {
		measure(jobs, 0);
	}

	/**
	 * Commit one job after the other and wait for the handler of each.
	 */
	Latencies measure(int jobs, long pauseMillis) throws Exception {
		double[] millis = new double[jobs];
		for (int job = 0; job < jobs; job++) {
			long committed = this.commit.micros();
			millis[job] = (this.arrival.micros() - committed) / 1000.0;
			Thread.sleep(pauseMillis);
		}
		return Latencies.of(millis);
	}

	/**
	 * Something that happens, with the time when it did.
	 */
	@FunctionalInterface
	interface Moment {

		long micros() throws Exception;

	}

}
