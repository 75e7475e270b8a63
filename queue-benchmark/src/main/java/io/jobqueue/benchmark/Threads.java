package io.jobqueue.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads that do the same thing at the same time.
 */
final class Threads implements AutoCloseable {

	private final int count;

	private final ExecutorService executor;

	Threads(int count) {
		this.count = count;
		this.executor = Executors.newFixedThreadPool(count);
	}

	/**
	 * Run the task on every thread.
	 * @param amount what all of them do together
	 * @param task gets the number of its thread, from 0
	 * @return the amount per second
	 */
	double rate(long amount, Task task) throws Exception {
		List<Callable<Boolean>> tasks = new ArrayList<>();
		for (int thread = 0; thread < this.count; thread++) {
			int number = thread;
			tasks.add(() -> run(task, number));
		}
		long start = System.nanoTime();
		for (Future<Boolean> done : this.executor.invokeAll(tasks)) {
			done.get();
		}
		return Rate.of(amount, start);
	}

	private static boolean run(Task task, int thread) throws Exception {
		task.run(thread);
		return true;
	}

	@Override
	public void close() {
		this.executor.shutdown();
	}

	/**
	 * What a thread does.
	 */
	@FunctionalInterface
	interface Task {

		void run(int thread) throws Exception;

	}

}
