package io.jobqueue.internal.direct;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Delivery;
import io.jobqueue.internal.handler.HandlerInvoker;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.SourceStore;
import io.jobqueue.internal.store.SourceStore.Assignment;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.execution.RunningJob;

/**
 * Runs jobs of sources in their handlers, with the attempts, interceptors, limits of run
 * time, meters and logs of any job. A success writes nothing; what does not succeed
 * becomes a row, and is any other job from then on.
 */
public final class DirectWorker implements JobSignals.Listener {

	private static final Logger logger = LoggerFactory.getLogger(DirectWorker.class);

	private final WorkerServices services;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final Predicate<String> served;

	private final BooleanSupplier ready;

	private final @Nullable Outbox outbox;

	private final SourceStore sources;

	private final AtomicLong wakeUps = new AtomicLong();

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private volatile @Nullable DirectSession session;

	/**
	 * Create a worker.
	 * @param services the services of the worker
	 * @param settings the settings of the worker
	 * @param queues the settings of each queue
	 * @param served tests whether this node serves a queue
	 * @param ready returns whether handlers may begin
	 * @param outbox stores jobs, {@code null} if the application has a queue of its own
	 * @param sources the store of jobs of sources
	 */
	public DirectWorker(WorkerServices services, WorkerSettings settings, Function<String, QueueSettings> queues,
			Predicate<String> served, BooleanSupplier ready, @Nullable Outbox outbox, SourceStore sources) {
		this.services = services;
		this.settings = settings;
		this.queues = queues;
		this.served = served;
		this.ready = ready;
		this.outbox = outbox;
		this.sources = sources;
	}

	/**
	 * Return whether this node runs jobs of a queue.
	 * @param queue the name of the queue
	 * @return {@code true} if it serves the queue, with a concurrency above 0
	 */
	public boolean serves(String queue) {
		return this.served.test(queue) && this.queues.apply(queue).concurrency() > 0;
	}

	/**
	 * Return how many jobs of a queue this node runs at a time.
	 * @param queue the name of the queue
	 * @return its concurrency
	 */
	public int concurrency(String queue) {
		return this.queues.apply(queue).concurrency();
	}

	/**
	 * Return whether a dead job of a queue holds the jobs of its ordering key.
	 * @param queue the name of the queue
	 * @return {@code true} if it does
	 */
	public boolean holdsKeys(String queue) {
		return this.queues.apply(queue).keys().deadHeadHolds();
	}

	/**
	 * Return why jobs of a queue cannot run before they are rows.
	 * @param queue the name of the queue
	 * @return the reason, {@code null} if they can
	 */
	public @Nullable String refusal(String queue) {
		QueueSettings settings = this.queues.apply(queue);
		if (!settings.limits().isNone()) {
			return "its queue '%s' has a 'cluster-concurrency' or a 'rate'".formatted(queue);
		}
		if (settings.keys().concurrency() != null) {
			return "its queue '%s' has a 'concurrency-per-key'".formatted(queue);
		}
		for (String type : this.services.handlers().typesByQueue().getOrDefault(queue, Set.of())) {
			String reason = refusal(queue, type);
			if (reason != null) {
				return "the handler of type '%s' in queue '%s' %s".formatted(type, queue, reason);
			}
		}
		return null;
	}

	private @Nullable String refusal(String queue, String type) {
		for (Delivery delivery : Set.of(Delivery.TRANSACTIONAL, Delivery.AT_MOST_ONCE)) {
			if (this.services.handlers().types(queue, delivery).contains(type)) {
				return "is " + delivery;
			}
		}
		return (this.services.handlers().batch(queue, type) != null) ? "takes several jobs in one call" : null;
	}

	/**
	 * Start to run jobs.
	 * @param queues the queues of the jobs
	 */
	public synchronized void start(Collection<String> queues) {
		if (this.session == null && this.outbox != null) {
			DirectSession next = new DirectSession(this.services, this.settings, this.queues, this.outbox,
					this.sources);
			JobWorker.startOrStop(() -> next.start(new TreeSet<>(queues)), next::stop);
			this.session = next;
			this.services.signals().subscribe(this);
		}
	}

	/**
	 * Stop after all sources have ended.
	 */
	public synchronized void stop() {
		DirectSession last = this.session;
		this.session = null;
		if (last != null) {
			this.services.signals().unsubscribe(this);
			try {
				last.stop();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				logger.warn("Interrupted while stopping the runs of jobs of sources", ex);
			}
		}
	}

	private DirectSession session() {
		DirectSession current = this.session;
		if (current == null) {
			throw new IllegalStateException("The worker is stopped");
		}
		return current;
	}

	@Override
	public void onWakeUps(Collection<? extends WakeUp> signals) {
		wake();
	}

	@Override
	public void onLostSignals() {
		wake();
	}

	private void wake() {
		this.wakeUps.incrementAndGet();
		this.listeners.forEach(Runnable::run);
	}

	/**
	 * Add a listener for wake-ups.
	 * @param listener called when jobs may have begun to live again; it must not wait
	 */
	public void addListener(Runnable listener) {
		this.listeners.add(listener);
	}

	/**
	 * Remove a listener.
	 * @param listener the listener
	 */
	public void removeListener(Runnable listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Return a number that changes when jobs may have begun to live again.
	 * @return the number
	 */
	public long wakeUps() {
		return this.wakeUps.get();
	}

	/**
	 * Return whether wake-ups of other nodes arrive.
	 * @return {@code true} if they do
	 */
	public boolean receivesWakeUps() {
		return this.services.wakeUpWorks().getAsBoolean();
	}

	/**
	 * Return the time that handlers have to end for a stop.
	 * @return the time
	 */
	public Duration shutdownTimeout() {
		return this.settings.releaseOnStop() ? Duration.ZERO : this.settings.shutdownTimeout();
	}

	/**
	 * Note that this node owns a source.
	 * @param source the name of the source
	 * @return the assignment
	 */
	public Assignment assign(String source) {
		return this.sources.assign(source);
	}

	/**
	 * Return the ordering keys of live jobs of sources.
	 * @param sources the names of the sources
	 * @param queue their queue
	 * @return the keys by source
	 */
	public Map<String, Set<String>> liveKeys(Collection<String> sources, String queue) {
		return this.sources.liveKeys(sources, queue, this.queues.apply(queue).keys().deadHeadHolds());
	}

	/**
	 * Return whether jobs of a queue must not begin: it is paused, or the worker of the
	 * application does not run yet, or no longer.
	 * @param queue the name of the queue
	 * @return {@code true} if they must not
	 */
	public boolean isPaused(String queue) {
		return !this.ready.getAsBoolean() || session().isPaused(queue);
	}

	/**
	 * Return whether a job can run before it is a row: it has a handler, and its type is
	 * not paused.
	 * @param queue the name of its queue
	 * @param type the name of its type
	 * @return {@code true} if it can
	 */
	public boolean runs(String queue, String type) {
		HandlerInvoker handler = this.services.handlers().find(queue, type);
		return handler != null && handler.delivery() == Delivery.AT_LEAST_ONCE
				&& this.services.handlers().batch(queue, type) == null && !session().isPaused(queue, type);
	}

	/**
	 * Return whether a job can have no payload.
	 * @param queue the name of its queue
	 * @param type the name of its type
	 * @return {@code true} if it has a handler that takes {@code null}
	 */
	public boolean takesNull(String queue, String type) {
		HandlerInvoker handler = this.services.handlers().find(queue, type);
		return handler != null && handler.takesNull();
	}

	/**
	 * Run a job.
	 * @param job the job
	 */
	public void run(DirectJob job) {
		session().run(job);
	}

	/**
	 * Store a job that does not run here, without an attempt.
	 * @param job the job
	 */
	public void store(DirectJob job) {
		session().store(job);
	}

	/**
	 * Store a job of which an attempt may have begun, which counts as failed.
	 * @param job the job
	 */
	public void storeLost(DirectJob job) {
		session().storeLost(job);
	}

	/**
	 * Start missing threads, as handlers take longer than expected.
	 */
	public void startMoreThreads() {
		session().startMoreThreads();
	}

	/**
	 * Take jobs back that have not begun.
	 * @param which tests whether to take one back
	 */
	public void withdraw(Predicate<DirectJob> which) {
		session().withdraw(which);
	}

	/**
	 * Interrupt handlers. A job whose handler throws then is stored, and the attempt is
	 * not counted.
	 * @param which tests whether to interrupt one
	 */
	public void interrupt(Predicate<DirectJob> which) {
		session().interrupt(which);
	}

	/**
	 * End attempts whose handlers did not end when they were interrupted, like those that
	 * throw.
	 * @param which tests whether to end one
	 */
	public void abandon(Predicate<DirectJob> which) {
		session().abandon(which);
	}

	/**
	 * Return the jobs whose handlers run.
	 * @return the jobs
	 */
	public List<RunningJob> running() {
		DirectSession current = this.session;
		return (current != null) ? current.running() : List.of();
	}

}
