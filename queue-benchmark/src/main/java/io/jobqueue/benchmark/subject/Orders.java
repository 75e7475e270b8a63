package io.jobqueue.benchmark.subject;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What a node in a JVM of its own reads from its input: orders to start its worker, to
 * stop it, or to print a figure. Each is answered with a line when it has been followed.
 */
public final class Orders {

	public static final String START = "start";

	public static final String STOP = "stop";

	static final String DONE = "done ";

	private final MeasuredQueue queue;

	private final Map<String, LongSupplier> figures;

	/**
	 * Create orders for a node.
	 * @param queue the queue to start and to stop
	 * @param figures further figures that it can print, by the name of the order
	 */
	public Orders(MeasuredQueue queue, Map<String, LongSupplier> figures) {
		this.queue = queue;
		this.figures = figures;
	}

	/**
	 * Follow orders until there are no more.
	 */
	public void follow() throws IOException {
		BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String order = orders.readLine(); order != null; order = orders.readLine()) {
			System.out.println(DONE + order + " " + follow(order));
		}
	}

	private long follow(String order) {
		if (order.equals(START)) {
			this.queue.startWorker();
		}
		else if (order.equals(STOP)) {
			this.queue.stopWorker();
		}
		return this.figures.getOrDefault(order, () -> 0).getAsLong();
	}

}
