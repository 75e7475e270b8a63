package io.jobqueue.harness;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.policy.WorkerSettings;

/**
 * Builds settings of a worker: one that serves all priorities, and waits for an hour each
 * time.
 */
public final class WorkerSettingsBuilder {

	private static final Duration HOUR = Duration.ofHours(1);

	private String name = "node";

	private @Nullable String application;

	private int minPriority;

	private int maxPriority = 99;

	private Duration pollInterval = HOUR;

	private Duration maxPollInterval = HOUR;

	private Duration heartbeatInterval = HOUR;

	private Duration timeout = HOUR;

	private Duration shutdownTimeout = HOUR;

	private Duration cancelGrace = HOUR;

	private boolean releaseOnStop;

	private boolean virtualThreads;

	public WorkerSettingsBuilder name(String name) {
		this.name = name;
		return this;
	}

	public WorkerSettingsBuilder application(String application) {
		this.application = application;
		return this;
	}

	public WorkerSettingsBuilder priorities(int min, int max) {
		this.minPriority = min;
		this.maxPriority = max;
		return this;
	}

	public WorkerSettingsBuilder pollInterval(Duration pollInterval) {
		this.pollInterval = pollInterval;
		return this;
	}

	public WorkerSettingsBuilder maxPollInterval(Duration maxPollInterval) {
		this.maxPollInterval = maxPollInterval;
		return this;
	}

	public WorkerSettingsBuilder heartbeatInterval(Duration heartbeatInterval) {
		this.heartbeatInterval = heartbeatInterval;
		return this;
	}

	public WorkerSettingsBuilder timeout(Duration timeout) {
		this.timeout = timeout;
		return this;
	}

	public WorkerSettingsBuilder shutdownTimeout(Duration shutdownTimeout) {
		this.shutdownTimeout = shutdownTimeout;
		return this;
	}

	public WorkerSettingsBuilder cancelGrace(Duration cancelGrace) {
		this.cancelGrace = cancelGrace;
		return this;
	}

	public WorkerSettingsBuilder releaseOnStop() {
		this.releaseOnStop = true;
		return this;
	}

	public WorkerSettingsBuilder virtualThreads(boolean virtualThreads) {
		this.virtualThreads = virtualThreads;
		return this;
	}

	public WorkerSettings build() {
		return new WorkerSettings(this.name, this.application, this.minPriority, this.maxPriority, this.pollInterval,
				this.maxPollInterval, this.heartbeatInterval, this.timeout, this.shutdownTimeout, this.cancelGrace,
				this.releaseOnStop, this.virtualThreads);
	}

}
