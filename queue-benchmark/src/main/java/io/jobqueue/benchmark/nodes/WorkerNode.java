package io.jobqueue.benchmark.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.Orders;
import io.jobqueue.benchmark.subject.OtherJvm;

/**
 * A worker in a JVM of its own, which starts and stops by orders, and prints how many
 * jobs it has handled and how much memory it took.
 */
final class WorkerNode {

	static final String HANDLED = "handled";

	static final String PEAK_MEMORY = "peak-memory";

	private static final Path STATUS = Path.of("/proc/self/status");

	private static final String PEAK = "VmHWM:";

	private WorkerNode() {
	}

	static OtherJvm start(List<String> options, BenchmarkDatabase database, String... settings) throws IOException {
		List<String> arguments = new ArrayList<>();
		arguments.add(database.url());
		arguments.addAll(List.of(settings));
		return OtherJvm.start(options, WorkerNode.class, arguments.toArray(String[]::new));
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
			new Orders(queue, Map.of(HANDLED, handled::sum, PEAK_MEMORY, WorkerNode::peakKilobytes)).follow();
		}
	}

	/**
	 * Return how much memory this process took at most, as far as the system shows it.
	 */
	private static long peakKilobytes() {
		try (Stream<String> lines = Files.lines(STATUS)) {
			return lines.filter((line) -> line.startsWith(PEAK))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
				.findFirst()
				.orElse(0);
		}
		catch (IOException ex) {
			return 0;
		}
	}

}
