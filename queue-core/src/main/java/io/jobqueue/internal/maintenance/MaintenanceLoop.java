package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

import io.jobqueue.internal.concurrent.BackgroundTasks;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.signal.EmptyTables;

/**
 * Runs the reaper, the purge and the monitors at intervals while the application context
 * is running.
 */
public final class MaintenanceLoop implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(MaintenanceLoop.class);

	private static final Duration LAST_RUN = Duration.ofSeconds(5);

	private final List<Task> all;

	private final EmptyTables tables;

	private final String node;

	private @Nullable BackgroundTasks tasks;

	/**
	 * Create a loop.
	 * @param all the tasks
	 * @param tables whether the tables hold nothing to do
	 * @param node the name of this node, for thread names
	 */
	public MaintenanceLoop(List<Task> all, EmptyTables tables, String node) {
		this.all = all;
		this.tables = tables;
		this.node = node;
	}

	@Override
	public synchronized void start() {
		if (this.tasks == null) {
			BackgroundTasks started = new BackgroundTasks(2, NamedThreads.of(this.node, "maintenance"));
			this.all.forEach((task) -> repeat(started, task));
			this.tasks = started;
		}
	}

	/**
	 * A random delay keeps the tasks of nodes that start together apart.
	 */
	private void repeat(BackgroundTasks tasks, Task task) {
		Duration delay = Duration.ofMillis(ThreadLocalRandom.current().nextLong(task.interval().toMillis() + 1));
		tasks.repeat(task.name(), task.needsRows() ? new TaskOnRows(task, this.tables) : task.runOnce(), delay,
				task.interval());
	}

	@Override
	public synchronized void stop() {
		if (this.tasks != null) {
			awaitLastRun(this.tasks);
			this.tasks = null;
		}
	}

	private static void awaitLastRun(BackgroundTasks tasks) {
		try {
			if (!tasks.shutdown(LAST_RUN)) {
				logger.warn("A maintenance task still runs {} after the stop; the node stops without it",
						DurationText.of(LAST_RUN));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.tasks != null;
	}

	@Override
	public int getPhase() {
		return Integer.MAX_VALUE - 100;
	}

	/**
	 * A task of maintenance.
	 *
	 * @param name its name at the beginning of a log message
	 * @param runOnce runs it
	 * @param interval the time between its runs
	 * @param needsRows whether a run does nothing if heartbeats find nothing to do; the
	 * first one then still takes place
	 */
	public record Task(String name, Runnable runOnce, Duration interval, boolean needsRows) {
	}

	/**
	 * Runs a task, unless its last run has succeeded and found the tables as empty as all
	 * heartbeats since.
	 */
	static final class TaskOnRows implements Runnable {

		private final Task task;

		private final EmptyTables tables;

		private @Nullable Long lastRun;

		TaskOnRows(Task task, EmptyTables tables) {
			this.task = task;
			this.tables = tables;
		}

		@Override
		public void run() {
			if (this.lastRun == null || !this.tables.haveBeenEmptySince(this.lastRun, this.task.interval())) {
				this.lastRun = null;
				long begun = System.nanoTime();
				this.task.runOnce().run();
				this.lastRun = begun;
			}
		}

	}

}
