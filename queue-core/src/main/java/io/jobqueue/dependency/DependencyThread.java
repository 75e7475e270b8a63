package io.jobqueue.dependency;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.concurrent.BackgroundTasks;
import io.jobqueue.concurrent.NamedThreads;
import io.jobqueue.dependency.DependencyResolver.Pending;
import io.jobqueue.logging.FailureLog;
import io.jobqueue.signal.JobSignals;

/**
 * Resolves dependencies on a thread of its own, which starts with the first of them: the
 * thread that has committed may still hold its connection. What another transaction has
 * locked is repeated after a pause that doubles from 10 ms to 1 s. What is left at the
 * stop is found by the sweep of any node.
 */
public final class DependencyThread implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DependencyThread.class);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

	private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

	private final DependencyResolver resolver;

	private final BackgroundTasks tasks;

	private final FailureLog failures = FailureLog.of(logger, "Releasing jobs that wait for predecessors");

	private Pending pending = Pending.of(List.of());

	private Duration pause = FIRST_PAUSE;

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
		signals.subscribeToPredecessors(this::accept);
	}

	private void accept(Collection<UUID> predecessors) {
		add(Pending.of(predecessors), Duration.ZERO);
	}

	private synchronized void add(Pending more, Duration delay) {
		if (!this.closed) {
			this.pending.addAll(more);
			this.tasks.once(this::run, delay);
		}
	}

	private synchronized Pending take() {
		Pending taken = this.pending;
		this.pending = Pending.of(List.of());
		return taken;
	}

	private void run() {
		Pending taken = take();
		if (!taken.isEmpty()) {
			resolve(taken);
		}
	}

	private void resolve(Pending taken) {
		try {
			repeatLater(this.resolver.resolve(taken));
			this.failures.succeeded();
		}
		catch (Throwable ex) {
			add(taken, this.failures.failed(ex));
		}
	}

	private void repeatLater(Pending locked) {
		if (locked.isEmpty()) {
			this.pause = FIRST_PAUSE;
		}
		else {
			add(locked, this.pause);
			Duration doubled = this.pause.multipliedBy(2);
			this.pause = (doubled.compareTo(MAX_PAUSE) < 0) ? doubled : MAX_PAUSE;
		}
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		this.tasks.shutdownNow();
	}

}
