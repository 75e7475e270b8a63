package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.worker.completion.RunCounter.RunCounts;
import io.jobqueue.internal.worker.execution.RunningJob;
import io.jobqueue.internal.worker.fetch.ServedTypes;

/**
 * Runs jobs from its start to its stop, repeatedly. A context does not start it for the
 * first time, as it has to wait for more than the beans that take part in its refresh; a
 * context that is stopped and started again starts it, too.
 */
public final class JobWorker implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(JobWorker.class);

	private final WorkerServices services;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final @Nullable Collection<String> served;

	private final Object monitor = new Object();

	private @Nullable WorkerSession session;

	private volatile boolean running;

	private volatile @Nullable Long startedAt;

	/**
	 * Create a worker.
	 * @param services the services of the worker
	 * @param settings the settings of the worker
	 * @param queues the settings of each queue
	 * @param served the names of the queues to serve, {@code null} for every queue with a
	 * handler
	 */
	public JobWorker(WorkerServices services, WorkerSettings settings, Function<String, QueueSettings> queues,
			@Nullable Collection<String> served) {
		Assert.isTrue(settings.timeout().compareTo(settings.heartbeatInterval().multipliedBy(3)) >= 0,
				"'timeout' must be at least three times 'heartbeatInterval'");
		this.services = services;
		this.settings = settings;
		this.queues = queues;
		this.served = served;
		services.handlers().onChange(this::handlersChanged);
	}

	@Override
	public synchronized void start() {
		synchronized (this.monitor) {
			if (this.session == null && !begin(types())) {
				logger.info("No queue has a handler and a concurrency above 0 on this node; it only enqueues");
			}
			this.running = true;
			this.startedAt = Objects.requireNonNullElseGet(this.startedAt, System::nanoTime);
		}
	}

	/**
	 * This does not lock the worker itself: a stop holds that lock while it waits for
	 * handlers, and a handler may register another one. The monitor is held only briefly
	 * during a stop.
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
		if (!types.queues().isEmpty()) {
			WorkerSession next = new WorkerSession(this.services, this.settings, this.queues, types);
			startOrStop(next::start, next::stop);
			this.session = next;
		}
		return !types.queues().isEmpty();
	}

	/**
	 * Start a session. If that fails, stop it: its first threads may run already and
	 * would keep the JVM running. A failure of the stop is added to that of the start.
	 * @param start starts the session
	 * @param stop stops it
	 */
	public static void startOrStop(Runnable start, AutoCloseable stop) {
		try {
			start.run();
		}
		catch (RuntimeException | Error ex) {
			stopAfter(ex, stop);
			throw ex;
		}
	}

	private static void stopAfter(Throwable failure, AutoCloseable stop) {
		try {
			stop.close();
		}
		catch (Throwable ex) {
			if (ex instanceof InterruptedException) {
				Thread.currentThread().interrupt();
			}
			if (ex != failure) {
				failure.addSuppressed(ex);
			}
		}
	}

	private ServedTypes types() {
		return ServedTypes.of(this.services.handlers(), (queue) -> (this.served == null || this.served.contains(queue))
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
	 * Return the session to stop. Without a session, no new one begins from now on; with
	 * one, none begins before its end.
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
	 * Wait until no job is due that this worker serves, and it holds no claimed job. Jobs
	 * that become due during the call are included. Jobs that other workers have claimed,
	 * retries that are due later, and jobs of halted queues are not.
	 * @return the counts of the jobs that this worker has run since its start, also if it
	 * is stopped during the call
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
	 * Return the status of this worker. This neither queries nor waits for the database.
	 * @return the status
	 */
	public WorkerStatus status() {
		synchronized (this.monitor) {
			return (this.session != null) ? this.session.status() : WorkerStatus.IDLE;
		}
	}

	/**
	 * Return the jobs that handlers of this worker run, including handlers that ignore
	 * interrupts, whose jobs other workers may run as well.
	 * @return the jobs, empty if the worker is not running
	 */
	public List<RunningJob> running() {
		synchronized (this.monitor) {
			return (this.session != null) ? this.session.running() : List.of();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public boolean isAutoStartup() {
		return this.startedAt != null;
	}

	/**
	 * Return the time since the first start.
	 * @return the time, {@code null} before that start
	 */
	public @Nullable Duration sinceStart() {
		Long since = this.startedAt;
		return (since != null) ? Duration.ofNanos(System.nanoTime() - since) : null;
	}

}
