package io.jobqueue.harness;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.WorkerStore.HandledQueue;
import io.jobqueue.internal.store.WorkerStore.Ticks;
import io.jobqueue.internal.store.WorkerStore.Worker;

/**
 * Builds workers to be registered: one that serves queue {@code emails} differently from
 * all others, without limits, and ticks no schedule.
 */
public final class WorkerBuilder {

	private final UUID id;

	private String name = "worker";

	private List<String> queues = List.of("emails");

	private UUID service;

	private Duration timeout = Duration.ofMinutes(1);

	private String limits = "";

	private Map<String, HandledQueue> handled = Map.of();

	private @Nullable String application;

	private @Nullable Ticks ticks;

	/**
	 * Begin with the defaults.
	 * @param id the id of the worker
	 */
	public WorkerBuilder(UUID id) {
		this.id = id;
		this.service = id;
	}

	public WorkerBuilder name(String name) {
		this.name = name;
		return this;
	}

	public WorkerBuilder queues(String... queues) {
		this.queues = List.of(queues);
		return this;
	}

	public WorkerBuilder service(UUID service) {
		this.service = service;
		return this;
	}

	public WorkerBuilder timeout(Duration timeout) {
		this.timeout = timeout;
		return this;
	}

	public WorkerBuilder limits(String limits) {
		this.limits = limits;
		return this;
	}

	public WorkerBuilder handled(Map<String, HandledQueue> handled) {
		this.handled = handled;
		return this;
	}

	public WorkerBuilder application(@Nullable String application) {
		this.application = application;
		return this;
	}

	public WorkerBuilder ticks(Ticks ticks) {
		this.ticks = ticks;
		return this;
	}

	public Worker build() {
		return new Worker(this.id, this.name, this.queues, this.service, this.timeout, this.limits, this.handled,
				this.application, this.ticks);
	}

}
