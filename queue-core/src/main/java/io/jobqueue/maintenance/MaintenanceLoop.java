package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

import io.jobqueue.concurrent.BackgroundTasks;
import io.jobqueue.concurrent.NamedThreads;
import io.jobqueue.logging.DurationText;

/**
 * Runs the reaper, the purge and the monitors at intervals while the application context
 * is running.
 */
public final class MaintenanceLoop implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(MaintenanceLoop.class);

	private static final Duration MONITOR_INTERVAL = Duration.ofMinutes(1);

	private static final Duration LAST_RUN = Duration.ofSeconds(5);

	private final Reaper reaper;

	private final Duration reaperInterval;

	private final Purge purge;

	private final Duration purgeInterval;

	private final Monitors monitors;

	private final String node;

	private @Nullable BackgroundTasks tasks;

	/**
	 * Create a loop.
	 * @param reaper the reaper
	 * @param reaperInterval the time between runs of the reaper
	 * @param purge the purge
	 * @param purgeInterval the time between runs of the purge
	 * @param monitors the monitors, which run once a minute
	 * @param node the name of this node, for thread names
	 */
	public MaintenanceLoop(Reaper reaper, Duration reaperInterval, Purge purge, Duration purgeInterval,
			Monitors monitors, String node) {
		this.reaper = reaper;
		this.reaperInterval = reaperInterval;
		this.purge = purge;
		this.purgeInterval = purgeInterval;
		this.monitors = monitors;
		this.node = node;
	}

	@Override
	public synchronized void start() {
		if (this.tasks == null) {
			BackgroundTasks started = new BackgroundTasks(2, NamedThreads.of(this.node, "maintenance"));
			repeat(started, "The reaper", this.reaper::runOnce, this.reaperInterval);
			repeat(started, "The purge", this.purge::runOnce, this.purgeInterval);
			repeat(started, "The search for unserved queues", this.monitors.unserved()::runOnce, MONITOR_INTERVAL);
			repeat(started, "The size monitor", this.monitors.sizes()::runOnce, MONITOR_INTERVAL);
			repeat(started, "The snapshot monitor", this.monitors.snapshots()::runOnce, MONITOR_INTERVAL);
			this.tasks = started;
		}
	}

	/**
	 * A random delay keeps the tasks of nodes that start together apart.
	 */
	private static void repeat(BackgroundTasks tasks, String name, Runnable task, Duration interval) {
		Duration delay = Duration.ofMillis(ThreadLocalRandom.current().nextLong(interval.toMillis() + 1));
		tasks.repeat(name, task, delay, interval);
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
	 * The monitors, which log conditions that no single job shows.
	 *
	 * @param unserved logs queues that no worker serves
	 * @param sizes logs queues with too many unfinished jobs
	 * @param snapshots logs old snapshots of the database
	 */
	public record Monitors(UnservedQueues unserved, SizeMonitor sizes, SnapshotMonitor snapshots) {
	}

}
