package io.jobqueue.benchmark.cold;

import java.io.IOException;
import java.util.List;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.OtherJvm;

/**
 * A fresh JVM. It starts an application, waits until the tables are prepared, and runs
 * one task once.
 */
final class ColdNode implements AutoCloseable {

	private static final String READY = "ready";

	private static final String FIGURES = "figures ";

	private final OtherJvm jvm;

	private ColdNode(OtherJvm jvm) {
		this.jvm = jvm;
	}

	/**
	 * Measure a task in a fresh JVM.
	 * @param database the database
	 * @param task the task
	 * @param size the number of jobs or transactions
	 * @return the figures
	 */
	static ColdFigures measure(BenchmarkDatabase database, ColdTask task, int size) throws Exception {
		try (ColdNode node = start(database, task, size)) {
			return node.figures();
		}
	}

	/**
	 * Start a task in a fresh JVM, as soon as its application has started and the tables
	 * are prepared.
	 * @param database the database
	 * @param task the task
	 * @param size the number of jobs or transactions, or the idle time in seconds
	 * @return the JVM, to be closed
	 */
	static ColdNode start(BenchmarkDatabase database, ColdTask task, int size) throws IOException {
		OtherJvm jvm = OtherJvm.start(List.of(), ColdNode.class, database.url(), task.name(), String.valueOf(size));
		try {
			jvm.await(READY);
			task.preparation().prepare(database, size);
			database.settle();
			jvm.endInput();
			return new ColdNode(jvm);
		}
		catch (IOException | RuntimeException ex) {
			jvm.close();
			throw ex;
		}
	}

	/**
	 * Wait until the task has ended.
	 * @return the figures
	 */
	ColdFigures figures() {
		return ColdFigures.parse(this.jvm.await(FIGURES));
	}

	@Override
	public void close() {
		this.jvm.close();
	}

	/**
	 * Start an application, and run a task once the input has ended.
	 * @param args the JDBC URL of the database, the name of the task and its size
	 * @throws Exception if the application or the task fails
	 */
	public static void main(String[] args) throws Exception {
		ColdTask task = ColdTask.named(args[1]);
		try (MeasuredQueue application = task.start(BenchmarkDatabase.at(args[0]))) {
			System.out.println(READY);
			System.in.readAllBytes();
			System.out.println(FIGURES + task.measurement().measure(application, Integer.parseInt(args[2])).line());
		}
	}

}
