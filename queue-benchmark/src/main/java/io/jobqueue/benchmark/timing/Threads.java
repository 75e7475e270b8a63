package io.jobqueue.benchmark.timing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads that do the same thing at the same time.
 */
public final class Threads implements AutoCloseable {

	private final int count;

	private final ExecutorService executor;

	private final List<Future<Boolean>> running = new ArrayList<>();

	/**
	 * Create threads. They keep the JVM alive from their first task until closed.
	 * @param count how many
	 */
	public Threads(int count) {
		this.count = count;
		this.executor = Executors.newFixedThreadPool(count);
	}

	/**
	 * Run the task on every thread.
	 * @param amount what all of them do together
	 * @param task gets the number of its thread, from 0
	 * @return the amount per second
	 */
	public double rate(long amount, Task task) throws Exception {
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

	/**
	 * Start the task on every thread, without waiting for its end.
	 * @param task gets the number of its thread, from 0
	 */
	public void start(Task task) {
		for (int thread = 0; thread < this.count; thread++) {
			int number = thread;
			this.running.add(this.executor.submit(() -> run(task, number)));
		}
	}

	private static boolean run(Task task, int thread) throws Exception {
		task.run(thread);
		return true;
	}

	/**
	 * Wait for the end of what was started.
	 */
	@Override
	public void close() {
		this.executor.shutdown();
		for (Future<Boolean> started : this.running) {
			join(started);
		}
	}

	private static void join(Future<Boolean> started) {
		try {
			started.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A thread failed", ex);
		}
	}

	/**
	 * What a thread does.
	 */
	@FunctionalInterface
	public interface Task {

		/**
		 * Do it once. What is thrown is the cause of what {@link Threads#rate} or
		 * {@link Threads#close} throws.
		 * @param thread the number of the thread, from 0
		 * @throws Exception if it fails
		 */
		void run(int thread) throws Exception;

	}

}
