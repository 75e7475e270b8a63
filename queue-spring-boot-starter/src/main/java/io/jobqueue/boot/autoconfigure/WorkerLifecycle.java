package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.PriorityOrdered;

import io.jobqueue.internal.boot.properties.WorkerProperties.Start;
import io.jobqueue.internal.worker.JobWorker;

/**
 * Starts the worker once, after all else, and stops it before all else: what handlers use
 * has started by then and is still available.
 */
final class WorkerLifecycle
		implements ApplicationListener<ContextClosedEvent>, PriorityOrdered, SmartInitializingSingleton, AutoCloseable {

	private final JobWorker worker;

	private final ConfigurableApplicationContext context;

	private final Runnable check;

	private final Start start;

	private final LateStart lateStart;

	private final CountDownLatch settled = new CountDownLatch(1);

	private volatile @Nullable Long refreshedAt;

	/**
	 * Create a lifecycle.
	 * @param worker the worker
	 * @param context its context
	 * @param check refuses the context if the worker cannot run its handlers
	 * @param start when to start the worker
	 * @param lateStart starts the worker if runners do not return
	 */
	WorkerLifecycle(JobWorker worker, ConfigurableApplicationContext context, Runnable check, Start start,
			LateStart lateStart) {
		this.worker = worker;
		this.context = context;
		this.check = check;
		this.start = start;
		this.lateStart = lateStart;
	}

	/**
	 * Let the worker depend on all other lifecycle beans, including those of its own
	 * phase: a context that is stopped and started again stops it first and starts it
	 * last. The listener is added after those of the beans, and called after them.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory beans = this.context.getBeanFactory();
		for (String worker : beans.getBeanNamesForType(JobWorker.class)) {
			for (String other : beans.getBeanNamesForType(Lifecycle.class, false, false)) {
				if (!other.equals(worker)) {
					beans.registerDependentBean(other, worker);
				}
			}
		}
		this.context.addApplicationListener(new StartListener(this, this.context, this.start));
	}

	/**
	 * Refuse the context if the worker cannot run its handlers.
	 */
	void refreshed() {
		this.check.run();
		this.refreshedAt = System.nanoTime();
	}

	/**
	 * Start the worker if the runners of the application do not return.
	 */
	void awaitRunners() {
		this.lateStart.watch(this, Thread.currentThread());
	}

	/**
	 * Start the worker, unless it was started here before or the context has begun to
	 * close.
	 */
	synchronized void start() {
		if (this.settled.getCount() > 0) {
			this.worker.start();
			this.settled.countDown();
		}
	}

	/**
	 * Wait until the worker has started or the context begins to close.
	 */
	boolean awaitSettled(Duration atMost) throws InterruptedException {
		return this.settled.await(atMost.toMillis(), TimeUnit.MILLISECONDS) || this.worker.isRunning();
	}

	/**
	 * Return whether the worker should have started before a time.
	 * @param grace the time
	 */
	boolean isOverdue(Duration grace) {
		Long since = this.refreshedAt;
		return since != null && this.worker.sinceStart() == null
				&& System.nanoTime() - since > this.lateStart.timeOfRunners().plus(grace).toNanos();
	}

	/**
	 * Stop the worker before other listeners and lifecycle beans stop what its handlers
	 * use.
	 */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext() == this.context) {
			close();
		}
	}

	/**
	 * Stop the worker. It does not start again.
	 */
	@Override
	public void close() {
		settle();
		this.worker.stop();
	}

	private synchronized void settle() {
		this.settled.countDown();
	}

	@Override
	public boolean supportsAsyncExecution() {
		return false;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
