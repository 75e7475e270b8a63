package io.jobqueue.internal.relay;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.execution.RunningJob;

/**
 * Relays queues while the application context is running. It calls no bean of the
 * application, so it does not wait for runners.
 */
public final class RelayWorker implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(RelayWorker.class);

	private final WorkerServices services;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final Map<String, RelayTarget> targets;

	private volatile @Nullable RelaySession session;

	/**
	 * Create a worker.
	 * @param services the services of the worker
	 * @param settings the settings of the worker
	 * @param queues the settings of each queue
	 * @param targets where the jobs of each relayed queue go
	 */
	public RelayWorker(WorkerServices services, WorkerSettings settings, Function<String, QueueSettings> queues,
			Map<String, RelayTarget> targets) {
		this.services = services;
		this.settings = settings;
		this.queues = queues;
		this.targets = new TreeMap<>(targets);
	}

	/**
	 * Refuse the context if a relayed queue has a handler: each would take a part of the
	 * jobs.
	 */
	@Override
	public synchronized void start() {
		if (this.session == null && !this.targets.isEmpty()) {
			this.targets.keySet().forEach(this::refuseHandlers);
			RelaySession next = new RelaySession(this.services, this.settings, this.queues, this.targets);
			JobWorker.startOrStop(next::start, next::stop);
			this.session = next;
		}
	}

	private void refuseHandlers(String queue) {
		Set<String> types = this.services.handlers().typesByQueue().getOrDefault(queue, Set.of());
		if (!types.isEmpty()) {
			throw new InvalidConfigurationException(
					"The queue '%s' has a relay, 'jobqueue.queues.%1$s.relay', and handlers for %s: each would take a part of the jobs."
						.formatted(queue, String.join(", ", types)),
					"Remove the relay, or let the handlers take another queue.");
		}
	}

	@Override
	public synchronized void stop() {
		RelaySession last = this.session;
		this.session = null;
		if (last != null) {
			try {
				last.stop();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				logger.warn("Interrupted while stopping the relays; their jobs are sent again", ex);
			}
		}
	}

	@Override
	public boolean isRunning() {
		return this.session != null;
	}

	/**
	 * Return the jobs that are being sent.
	 * @return the jobs
	 */
	public List<RunningJob> running() {
		RelaySession current = this.session;
		return (current != null) ? current.running() : List.of();
	}

	/**
	 * Return why relays do not make progress.
	 * @return a sentence for each queue with a problem
	 */
	public List<String> problems() {
		return this.targets.values().stream().map(RelayTarget::problem).flatMap(Stream::ofNullable).toList();
	}

}
