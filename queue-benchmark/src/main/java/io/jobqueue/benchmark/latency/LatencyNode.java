package io.jobqueue.benchmark.latency;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.WallClock;

/**
 * A worker in a JVM of its own, which starts and stops as told, and tells when its
 * handler started.
 */
final class LatencyNode {

	static final String START = "start";

	static final String STOP = "stop";

	static final String DONE = "done ";

	static final String ARRIVAL = "arrival ";

	private LatencyNode() {
	}

	public static void main(String[] args) throws IOException {
		MeasuredQueue queue = MeasuredQueue.start(BenchmarkDatabase.at(args[0]));
		queue.noOps().onJob((number) -> System.out.println(ARRIVAL + WallClock.micros()));
		BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String order = orders.readLine(); order != null; order = orders.readLine()) {
			follow(order, queue);
			System.out.println(DONE + order);
		}
		queue.close();
	}

	private static void follow(String order, MeasuredQueue queue) {
		if (order.equals(START)) {
			queue.startWorker();
		}
		else {
			queue.stopWorker();
		}
	}

}
