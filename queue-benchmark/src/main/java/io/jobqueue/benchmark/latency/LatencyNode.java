package io.jobqueue.benchmark.latency;

import java.io.IOException;
import java.util.Map;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.Orders;
import io.jobqueue.benchmark.timing.WallClock;

/**
 * A worker in a JVM of its own, which starts and stops by orders, and prints when its
 * handler started.
 */
final class LatencyNode {

	static final String ARRIVAL = "arrival ";

	private LatencyNode() {
	}

	/**
	 * Follow orders from the standard input until it ends.
	 * @param args the JDBC URL of the database
	 * @throws IOException if the input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		try (MeasuredQueue queue = MeasuredQueue.start(BenchmarkDatabase.at(args[0]))) {
			queue.noOps().onJob((number) -> System.out.println(ARRIVAL + WallClock.micros()));
			new Orders(queue, Map.of()).follow();
		}
	}

}
