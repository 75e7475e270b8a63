package io.jobqueue.benchmark.nodes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.Orders;
import io.jobqueue.benchmark.subject.OtherJvm;
import io.jobqueue.benchmark.timing.Rate;

import org.springframework.util.Assert;

/**
 * Several worker processes. All are started once and wait with their workers stopped, so
 * that starting is not measured.
 */
final class WorkerNodes implements AutoCloseable {

	private static final long LOOK_MILLIS = 5;

	private static final Duration PATIENCE = Duration.ofMinutes(15);

	private final List<OtherJvm> nodes = new ArrayList<>();

	/**
	 * Start processes.
	 * @param database their database
	 * @param count how many
	 * @param settings settings that differ from the defaults
	 */
	WorkerNodes(BenchmarkDatabase database, int count, String... settings) throws IOException {
		for (int number = 0; number < count; number++) {
			this.nodes.add(WorkerNode.start(database, settings));
		}
		handled(this.nodes);
	}

	/**
	 * Let each drain a backlog alone.
	 * @param fill fills the table and returns how many jobs there are
	 * @param left returns whether there are jobs left
	 */
	void warmUp(IntSupplier fill, BooleanSupplier left) throws Exception {
		for (OtherJvm node : this.nodes) {
			drain(List.of(node), fill.getAsInt(), left);
		}
	}

	/**
	 * Let some of them drain what is there.
	 * @param count how many of them
	 * @param jobs how many jobs there are
	 * @param left returns whether there are jobs left
	 * @return jobs per second of all of them together
	 */
	double drain(int count, int jobs, BooleanSupplier left) throws Exception {
		return drain(this.nodes.subList(0, count), jobs, left);
	}

	private static double drain(List<OtherJvm> some, int jobs, BooleanSupplier left) throws Exception {
		long before = handled(some);
		long start = System.nanoTime();
		order(some, Orders.START);
		while (handled(some) - before < jobs || left.getAsBoolean()) {
			Assert.state(System.nanoTime() - start < PATIENCE.toNanos(), "Jobs were not handled in time");
			Thread.sleep(LOOK_MILLIS);
		}
		double rate = Rate.of(jobs, start);
		order(some, Orders.STOP);
		return rate;
	}

	/**
	 * Let some of them wait for jobs.
	 * @param count how many of them
	 * @param figure measures meanwhile
	 * @return what it measured
	 */
	<T> T idle(int count, Callable<T> figure) throws Exception {
		List<OtherJvm> some = this.nodes.subList(0, count);
		order(some, Orders.START);
		T measured = figure.call();
		order(some, Orders.STOP);
		return measured;
	}

	/**
	 * Write to all before waiting for the first, so that they follow at the same time.
	 */
	private static void order(List<OtherJvm> nodes, String order) throws IOException {
		for (OtherJvm node : nodes) {
			node.write(order);
		}
		for (OtherJvm node : nodes) {
			node.answer(order);
		}
	}

	/**
	 * Return how many requests all of them have sent to the server, if
	 * {@link CountingSockets} count them.
	 */
	long requests() throws IOException {
		return sum(this.nodes, WorkerNode.REQUESTS);
	}

	private static long handled(List<OtherJvm> nodes) throws IOException {
		return sum(nodes, WorkerNode.HANDLED);
	}

	private static long sum(List<OtherJvm> nodes, String figure) throws IOException {
		long sum = 0;
		for (OtherJvm node : nodes) {
			sum += Long.parseLong(node.order(figure));
		}
		return sum;
	}

	@Override
	public void close() {
		this.nodes.forEach(OtherJvm::close);
	}

}
