package io.jobqueue.worker;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * Runs jobs while the application context is running. It may be stopped and started any
 * number of times.
 */
public final class JobWorker implements SmartLifecycle {

	/**
	 * Stops before web servers and pools do, and starts after them.
	 */
	public static final int PHASE = Integer.MAX_VALUE - 100;

	private static final Logger logger = LoggerFactory.getLogger(JobWorker.class);

	private final WorkerParts parts;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final @Nullable Collection<String> served;

	private volatile @Nullable WorkerSession session;

	/**
	 * Create a worker.
	 * @param parts what it works with
	 * @param settings how it works
	 * @param queues how it serves each queue
	 * @param served the queues to serve, {@code null} for every queue with a handler
	 */
	public JobWorker(WorkerParts parts, WorkerSettings settings, Function<String, QueueSettings> queues,
			@Nullable Collection<String> served) {
		Assert.isTrue(settings.timeout().compareTo(settings.heartbeatInterval().multipliedBy(3)) >= 0,
				"'timeout' must be at least three heartbeats");
		this.parts = parts;
		this.settings = settings;
		this.queues = queues;
		this.served = served;
	}

	@Override
	public synchronized void start() {
		Map<String, Set<String>> types = types();
		if (this.session == null && !types.isEmpty()) {
			this.session = new WorkerSession(this.parts, this.settings, this.queues, types);
			this.session.start();
		}
		else if (types.isEmpty()) {
			logger.info("No queue has both a handler and handler threads here; this node only enqueues");
		}
	}

	private Map<String, Set<String>> types() {
		return this.parts.handlers()
			.typesByQueue()
			.entrySet()
			.stream()
			.filter((entry) -> this.served == null || this.served.contains(entry.getKey()))
			.filter((entry) -> this.queues.apply(entry.getKey()).concurrency() > 0)
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	@Override
	public synchronized void stop() {
		if (this.session != null) {
			try {
				this.session.stop();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				logger.warn("Stopping the worker was interrupted; others will take over its jobs", ex);
			}
			this.session = null;
		}
	}

	/**
	 * Wait until nothing is due that this worker serves, and it has nothing in hand. What
	 * becomes due meanwhile counts, what other workers have and what fails and is due
	 * later does not.
	 * @return what became of its jobs, also when the worker is stopped meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 */
	public RunCounts drain() throws InterruptedException {
		WorkerSession current = this.session;
		return (current != null) ? current.drain().await() : new RunCounts(0, 0, 0, 0, true);
	}

	@Override
	public void stop(Runnable callback) {
		Thread stopper = new Thread(() -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		}, "jobqueue-stop@" + this.settings.name());
		stopper.start();
	}

	@Override
	public boolean isRunning() {
		return this.session != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
