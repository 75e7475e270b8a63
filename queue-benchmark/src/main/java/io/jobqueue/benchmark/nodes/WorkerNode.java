package io.jobqueue.benchmark.nodes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.Orders;
import io.jobqueue.benchmark.subject.OtherJvm;

/**
 * A worker in a JVM of its own, which starts and stops by orders, and prints how many
 * jobs it has handled and how many requests it has sent to the server.
 */
final class WorkerNode {

	static final String HANDLED = "handled";

	static final String REQUESTS = "requests";

	private WorkerNode() {
	}

	static OtherJvm start(BenchmarkDatabase database, String... settings) throws IOException {
		List<String> arguments = new ArrayList<>();
		arguments.add(database.url());
		arguments.addAll(List.of(settings));
		return OtherJvm.start(List.of(), WorkerNode.class, arguments.toArray(String[]::new));
	}

	/**
	 * Follow orders from the standard input until it ends.
	 * @param args the JDBC URL of the database, then settings that differ from the
	 * defaults, as {@code key=value}
	 * @throws IOException if the input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		LongAdder handled = new LongAdder();
		String[] settings = Arrays.copyOfRange(args, 1, args.length);
		try (MeasuredQueue queue = MeasuredQueue.start(BenchmarkDatabase.at(args[0]), settings)) {
			queue.noOps().onJob((number) -> handled.increment());
			new Orders(queue, Map.of(HANDLED, handled::sum, REQUESTS, CountingSockets::requests)).follow();
		}
	}

}
