package io.jobqueue.internal.worker.execution;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.policy.WorkerSettings;

/**
 * The handler threads of a queue executor. A stuck handler is replaced by another thread
 * while at most {@code size} handlers are stuck; with more, the pool is halted and no
 * handler takes jobs until a stuck one ends. Guarded by its executor.
 */
public final class HandlerPool {

	private static final Logger logger = LoggerFactory.getLogger(HandlerPool.class);

	private static final long KEEP_ALIVE_SECONDS = 10;

	private final int size;

	private final Executor threads;

	private final Runnable work;

	private final Set<HandlerExecution> stuck = new HashSet<>();

	private int active;

	private boolean outOfThreads;

	HandlerPool(int size, Executor threads, Runnable work) {
		this.size = size;
		this.threads = threads;
		this.work = work;
	}

	/**
	 * Return an executor with an unlimited number of threads for the handlers of a queue.
	 * @param queue the name of the queue
	 * @param settings the settings of the worker
	 * @return the executor
	 */
	public static Executor threads(String queue, WorkerSettings settings) {
		return settings.virtualThreads() ? virtual(NamedThreads.virtual(settings.name(), queue))
				: platform(NamedThreads.daemons(settings.name(), queue));
	}

	private static Executor virtual(ThreadFactory threads) {
		return (work) -> threads.newThread(work).start();
	}

	private static Executor platform(ThreadFactory daemons) {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), daemons);
	}

	int size() {
		return this.size;
	}

	int active() {
		return this.active;
	}

	boolean isIdle() {
		return this.active == 0 && this.stuck.isEmpty();
	}

	boolean isComplete() {
		return this.active >= this.size;
	}

	boolean isHalted() {
		return this.stuck.size() > this.size;
	}

	/**
	 * Start handlers until the given number is active, at most as many as the pool has.
	 */
	void startThreads(int handlers) {
		boolean started = true;
		while (started && !isComplete() && !isHalted() && this.active < handlers) {
			started = startThread(this.work);
		}
	}

	/**
	 * Start a thread. If the system has none left, jobs wait for the active handlers, and
	 * are released after {@link BufferedJob#MAX_BUFFER_TIME}.
	 * @param work the work of the thread, which ends with {@link #leave}
	 * @return {@code false} if no thread can be started
	 */
	boolean startThread(Runnable work) {
		try {
			this.threads.execute(work);
			this.active++;
			this.outOfThreads = false;
		}
		catch (RuntimeException | Error ex) {
			if (!this.outOfThreads) {
				logger.error("Could not start a handler thread", ex);
			}
			this.outOfThreads = true;
		}
		return !this.outOfThreads;
	}

	void leave() {
		this.active--;
	}

	void replace(HandlerExecution execution) {
		this.active--;
		this.stuck.add(execution);
	}

	void leaveReplaced(HandlerExecution execution) {
		this.stuck.remove(execution);
	}

	Set<HandlerExecution> stuck() {
		return this.stuck;
	}

}
