package io.jobqueue.boot.alert;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.jobqueue.worker.JobWorker;

/**
 * Looks for alerts now and then while the application context is running. It holds up
 * neither the start nor the stop.
 */
public final class AlertLoop implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(AlertLoop.class);

	private final Alerts alerts;

	private final String node;

	private @Nullable ScheduledExecutorService scheduler;

	/**
	 * Create a loop.
	 * @param alerts what looks
	 * @param node the name of this node, for its thread
	 */
	public AlertLoop(Alerts alerts, String node) {
		this.alerts = alerts;
		this.node = node;
	}

	/**
	 * Workers that have just started have an interval to catch up.
	 */
	@Override
	public synchronized void start() {
		if (this.scheduler == null) {
			CustomizableThreadFactory threads = new CustomizableThreadFactory(
					"jobqueue-alerts@%s-".formatted(this.node));
			threads.setDaemon(true);
			this.scheduler = Executors.newSingleThreadScheduledExecutor(threads);
			long millis = this.alerts.interval().toMillis();
			ScheduledFuture<?> unused = this.scheduler.scheduleWithFixedDelay(this::look, millis, millis,
					TimeUnit.MILLISECONDS);
		}
	}

	private void look() {
		try {
			this.alerts.runOnce();
		}
		catch (Throwable ex) {
			logger.error("Looking for alerts failed; another look follows", ex);
		}
	}

	@Override
	public synchronized void stop() {
		if (this.scheduler != null) {
			this.scheduler.shutdownNow();
			this.scheduler = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.scheduler != null;
	}

	@Override
	public int getPhase() {
		return JobWorker.PHASE;
	}

}
