package io.jobqueue.benchmark;

/**
 * A worker in a JVM of its own, which prints when its handler started.
 */
final class LatencyNode {

	static final String READY = "ready";

	static final String ARRIVAL = "arrival ";

	private LatencyNode() {
	}

	public static void main(String[] args) {
		BenchmarkApplication.start(args[0])
			.getBean(NoOps.class)
			.onJob((number) -> System.out.println(ARRIVAL + WallClock.micros()));
		System.out.println(READY);
	}

}
