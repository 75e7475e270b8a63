package io.jobqueue.benchmark.cold;

import java.util.concurrent.TimeUnit;

import io.jobqueue.benchmark.latency.Latencies;
import io.jobqueue.benchmark.latency.LatencyProbe;

/**
 * Latencies of jobs that come one at a time.
 */
final class Delays {

	static final int FIRST = 100;

	private static final long PAUSE_MILLIS = 50;

	private Delays() {
	}

	/**
	 * Measure the first jobs, one every 50 ms.
	 */
	static ColdFigures first(LatencyProbe probe, int jobs) throws Exception {
		Latencies latencies = probe.measure(jobs, PAUSE_MILLIS);
		return new ColdFigures(latencies.p50(), latencies.p99());
	}

	/**
	 * Run the first 100 jobs, wait, and measure one more.
	 */
	static ColdFigures afterIdling(LatencyProbe probe, int seconds) throws Exception {
		first(probe, FIRST);
		TimeUnit.SECONDS.sleep(seconds);
		return first(probe, 1);
	}

}
