package io.jobqueue.benchmark.cold;

import java.util.List;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.OtherJvm;

/**
 * A fresh JVM. It starts an application, waits until the tables are prepared, and runs
 * one task once.
 */
final class ColdNode {

	private static final String READY = "ready";

	private static final String FIGURES = "figures ";

	private ColdNode() {
	}

	/**
	 * Measure a task in a fresh JVM.
	 * @param database the database
	 * @param task the task
	 * @param size the number of jobs or transactions
	 * @return the figures
	 */
	static ColdFigures measure(BenchmarkDatabase database, ColdTask task, int size) throws Exception {
		try (OtherJvm jvm = OtherJvm.start(List.of(), ColdNode.class, database.url(), task.name(),
				String.valueOf(size))) {
			jvm.await(READY);
			task.preparation().prepare(database, size);
			database.settle();
			jvm.endInput();
			return ColdFigures.parse(jvm.await(FIGURES));
		}
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
