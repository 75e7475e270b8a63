package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Runs the reaper, the purge and the monitors now and then while the application context
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

	private @Nullable ScheduledExecutorService scheduler;

	/**
	 * Create a loop.
	 * @param reaper the reaper
	 * @param reaperInterval how often the reaper runs
	 * @param purge the purge
	 * @param purgeInterval how often the purge runs
	 * @param monitors what warns people, once a minute
	 * @param node the name of this node, for its threads
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
		if (this.scheduler == null) {
			this.scheduler = Executors.newScheduledThreadPool(2,
					new CustomizableThreadFactory("jobqueue-maintenance@%s-".formatted(this.node)));
			schedule(this.scheduler, new Chore("The reaper", this.reaper::runOnce), this.reaperInterval);
			schedule(this.scheduler, new Chore("The purge", this.purge::runOnce), this.purgeInterval);
			schedule(this.scheduler,
					new Chore("The look for queues that nobody serves", this.monitors.unserved()::runOnce),
					MONITOR_INTERVAL);
			schedule(this.scheduler, new Chore("The size monitor", this.monitors.sizes()::runOnce), MONITOR_INTERVAL);
			schedule(this.scheduler, new Chore("The snapshot monitor", this.monitors.snapshots()::runOnce),
					MONITOR_INTERVAL);
		}
	}

	private static void schedule(ScheduledExecutorService scheduler, Chore chore, Duration interval) {
		long millis = interval.toMillis();
		ScheduledFuture<?> unused = scheduler.scheduleAtFixedRate(chore,
				ThreadLocalRandom.current().nextLong(millis + 1), millis, TimeUnit.MILLISECONDS);
	}

	@Override
	public synchronized void stop() {
		if (this.scheduler != null) {
			this.scheduler.shutdown();
			awaitLastRun(this.scheduler);
			this.scheduler = null;
		}
	}

	private static void awaitLastRun(ScheduledExecutorService scheduler) {
		try {
			if (!scheduler.awaitTermination(LAST_RUN.toMillis(), TimeUnit.MILLISECONDS)) {
				logger.warn("A task is still running and is left alone");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.scheduler != null;
	}

	@Override
	public int getPhase() {
		return Integer.MAX_VALUE - 100;
	}

}
