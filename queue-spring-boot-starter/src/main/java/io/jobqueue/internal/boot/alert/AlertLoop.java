package io.jobqueue.internal.boot.alert;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

import io.jobqueue.internal.concurrent.BackgroundTasks;
import io.jobqueue.internal.concurrent.NamedThreads;

/**
 * Checks for alerts at an interval while the application context is running. Neither the
 * start nor the stop waits for a check.
 */
public final class AlertLoop implements SmartLifecycle {

	private final Alerts alerts;

	private final String node;

	private @Nullable BackgroundTasks tasks;

	/**
	 * Create a loop.
	 * @param alerts the alerts
	 * @param node the name of this node, for the name of the thread
	 */
	public AlertLoop(Alerts alerts, String node) {
		this.alerts = alerts;
		this.node = node;
	}

	/**
	 * The first check is after an interval, in which workers can catch up.
	 */
	@Override
	public synchronized void start() {
		if (this.tasks == null) {
			this.tasks = new BackgroundTasks(1, NamedThreads.daemons(this.node, "alerts"));
			this.tasks.repeatAfter("The check for alerts", this.alerts::runOnce, this.alerts.interval());
		}
	}

	@Override
	public synchronized void stop() {
		if (this.tasks != null) {
			this.tasks.shutdownNow();
			this.tasks = null;
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

}
