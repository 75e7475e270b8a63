package io.jobqueue.internal.dependency;

import java.time.Duration;
import java.util.Collection;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.BackgroundTasks;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.signal.JobSignals;

/**
 * Resolves dependencies on a thread of its own, which starts with the first of them: the
 * thread that has committed may still hold its connection. What another transaction has
 * locked is repeated after a pause that doubles from 10 ms to 1 s. What is left at the
 * stop is found by the sweep of any node.
 */
public final class DependencyThread implements JobSignals.Listener, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DependencyThread.class);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

	private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

	private static final Duration LAST_RUN = Duration.ofSeconds(1);

	private final DependencyResolver resolver;

	private final BackgroundTasks tasks;

	private final FailureLog failures = FailureLog.of(logger, "Releasing jobs that wait for predecessors");

	private final PendingDependencies pending = new PendingDependencies();

	private final PendingDependencies deferred = new PendingDependencies();

	private Duration pause = FIRST_PAUSE;

	private boolean retryScheduled;

	private boolean closed;

	/**
	 * Create a thread.
	 * @param resolver resolves dependencies
	 * @param signals delivers the ids of predecessors after commits
	 * @param node the name of this node, for the name of the thread
	 */
	public DependencyThread(DependencyResolver resolver, JobSignals signals, String node) {
		this.resolver = resolver;
		this.tasks = new BackgroundTasks(1, NamedThreads.daemons(node, "dependencies"));
		signals.subscribe(this);
	}

	@Override
	public synchronized void onPredecessors(Collection<UUID> predecessors) {
		if (!this.closed) {
			this.pending.predecessors().addAll(predecessors);
			this.tasks.once(this::run, Duration.ZERO);
		}
	}

	private void run() {
		PendingDependencies work = takePending();
		if (work.isEmpty()) {
			return;
		}
		try {
			PendingDependencies locked = this.resolver.resolve(work);
			this.failures.succeeded();
			resolved(locked);
		}
		catch (Throwable ex) {
			defer(work, this.failures.failed(ex));
		}
	}

	private synchronized PendingDependencies takePending() {
		return this.pending.take();
	}

	private synchronized void resolved(PendingDependencies locked) {
		if (locked.isEmpty() && this.deferred.isEmpty()) {
			this.pause = FIRST_PAUSE;
		}
		else {
			defer(locked, this.pause);
		}
	}

	/**
	 * However much is deferred, one retry is scheduled.
	 */
	private synchronized void defer(PendingDependencies work, Duration delay) {
		this.deferred.addAll(work);
		if (!this.retryScheduled && !this.closed) {
			this.retryScheduled = true;
			this.tasks.once(this::retry, delay);
			Duration doubled = this.pause.multipliedBy(2);
			this.pause = (doubled.compareTo(MAX_PAUSE) < 0) ? doubled : MAX_PAUSE;
		}
	}

	private void retry() {
		restoreDeferred();
		run();
	}

	private synchronized void restoreDeferred() {
		this.retryScheduled = false;
		this.pending.addAll(this.deferred.take());
	}

	/**
	 * Accept no further predecessors, and resolve those before for up to 1 s.
	 */
	@Override
	public void close() {
		acceptNoMore();
		try {
			if (!this.tasks.shutdown(LAST_RUN)) {
				logger.debug("The sweep of another node resolves the remaining dependencies");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.tasks.shutdownNow();
		}
	}

	private synchronized void acceptNoMore() {
		this.closed = true;
	}

}
