package io.jobqueue.worker;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

import io.jobqueue.concurrent.NamedThreads;
import io.jobqueue.policy.QueueSettings;
import io.jobqueue.policy.WorkerSettings;
import io.jobqueue.worker.completion.RunCounts;
import io.jobqueue.worker.execution.RunningJob;
import io.jobqueue.worker.fetch.ServedTypes;

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

	private final Object monitor = new Object();

	private @Nullable WorkerSession session;

	private volatile boolean running;

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
				"'timeout' must be at least three times 'heartbeatInterval'");
		this.parts = parts;
		this.settings = settings;
		this.queues = queues;
		this.served = served;
		parts.handlers().onChange(this::handlersChanged);
	}

	@Override
	public synchronized void start() {
		synchronized (this.monitor) {
			if (this.session == null && !begin(types())) {
				logger.info("No queue has a handler and a concurrency above 0 on this node; it only enqueues");
			}
			this.running = true;
		}
	}

	/**
	 * A handler that registers another must not wait for a stop, which may be waiting for
	 * that handler: a stop holds the monitor only to read the session.
	 */
	private void handlersChanged() {
		synchronized (this.monitor) {
			if (this.session != null) {
				this.session.serve(types());
			}
			else if (this.running) {
				begin(types());
			}
		}
	}

	private boolean begin(ServedTypes types) {
		if (!types.isEmpty()) {
			this.session = new WorkerSession(this.parts, this.settings, this.queues, types);
			this.session.start();
		}
		return !types.isEmpty();
	}

	private ServedTypes types() {
		return ServedTypes.of(this.parts.handlers(), (queue) -> (this.served == null || this.served.contains(queue))
				&& this.queues.apply(queue).concurrency() > 0);
	}

	@Override
	public synchronized void stop() {
		WorkerSession last = lastSession();
		if (last != null) {
			try {
				last.stop();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				logger.warn("Interrupted while stopping the worker; other workers take over its jobs", ex);
			}
			finally {
				ended();
			}
		}
	}

	/**
	 * Where there is none, none begins any more; one that stops is not followed by
	 * another before its end.
	 */
	private @Nullable WorkerSession lastSession() {
		synchronized (this.monitor) {
			this.running = this.session != null;
			return this.session;
		}
	}

	private void ended() {
		synchronized (this.monitor) {
			this.session = null;
			this.running = false;
		}
	}

	/**
	 * Wait until nothing is due that this worker serves, and it holds no claimed job.
	 * What becomes due meanwhile counts; what other workers have, what fails and is due
	 * later, and what waits for a queue that takes no further jobs here does not.
	 * @return what became of its jobs, also when the worker is stopped meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 */
	public RunCounts drain() throws InterruptedException {
		WorkerSession current;
		synchronized (this.monitor) {
			current = this.session;
		}
		return (current != null) ? current.drain().await() : new RunCounts(0, 0, 0, 0, true, Set.of());
	}

	/**
	 * Return how this worker is doing. This neither asks nor waits for the database.
	 * @return its status
	 */
	public WorkerStatus status() {
		synchronized (this.monitor) {
			return (this.session != null) ? this.session.status() : WorkerStatus.IDLE;
		}
	}

	/**
	 * Return the jobs that handlers run here, also those that ignore interrupts and whose
	 * jobs other workers may run by now.
	 * @return the jobs, none if the worker is not running
	 */
	public List<RunningJob> running() {
		synchronized (this.monitor) {
			return (this.session != null) ? this.session.running() : List.of();
		}
	}

	@Override
	public void stop(Runnable callback) {
		stop(this::stop, callback, this.settings);
	}

	/**
	 * Stop on a thread of its own, and call back in any case.
	 * @param stop what stops
	 * @param callback called after the stop, also after a failed one
	 * @param settings the settings of the worker
	 */
	public static void stop(Runnable stop, Runnable callback, WorkerSettings settings) {
		NamedThreads.of(settings.name(), "stop").newThread(() -> {
			try {
				stop.run();
			}
			finally {
				callback.run();
			}
		}).start();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
