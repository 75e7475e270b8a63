package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.PriorityOrdered;

import io.jobqueue.boot.properties.WorkerProperties.Start;
import io.jobqueue.logging.DurationText;
import io.jobqueue.worker.JobWorker;

/**
 * Starts the worker when the application is ready, and stops it before all else: what
 * handlers use has started by then and is still available. Events of parent and child
 * contexts do not count.
 */
final class WorkerLifecycle
		implements ApplicationListener<ContextClosedEvent>, PriorityOrdered, SmartInitializingSingleton, AutoCloseable {

	static final Duration TIME_OF_RUNNERS = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(WorkerLifecycle.class);

	/**
	 * The singleton of a context that {@link SpringApplication} prepares, and for which
	 * it publishes an {@link ApplicationReadyEvent}.
	 */
	private static final String PREPARED = "springApplicationArguments";

	private final JobWorker worker;

	private final ConfigurableApplicationContext context;

	private final Start start;

	private final ThreadFactory threads;

	private final Duration timeOfRunners;

	private final CountDownLatch settled = new CountDownLatch(1);

	private boolean closed;

	/**
	 * Create a lifecycle.
	 * @param worker the worker
	 * @param context its context
	 * @param start when to start it
	 * @param threads creates the thread that waits for runners
	 * @param timeOfRunners the time after the refresh of the context after which the
	 * worker starts even if the application is not ready
	 */
	WorkerLifecycle(JobWorker worker, ConfigurableApplicationContext context, Start start, ThreadFactory threads,
			Duration timeOfRunners) {
		this.worker = worker;
		this.context = context;
		this.start = start;
		this.threads = threads;
		this.timeOfRunners = timeOfRunners;
	}

	/**
	 * Let the worker depend on all other lifecycle beans, including those of its own
	 * phase: a context that is stopped and started again stops it first and starts it
	 * last.
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
	}

	@EventListener
	void refreshed(ContextRefreshedEvent event) {
		if (event.getApplicationContext() != this.context) {
			return;
		}
		if (this.start == Start.READY && this.context.getBeanFactory().containsSingleton(PREPARED)) {
			Thread starting = Thread.currentThread();
			this.threads.newThread(() -> awaitRunners(starting)).start();
		}
		else {
			start();
		}
	}

	@EventListener
	void ready(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context) {
			start();
		}
	}

	private void awaitRunners(Thread starting) {
		try {
			boolean ready = this.settled.await(this.timeOfRunners.toMillis(), TimeUnit.MILLISECONDS);
			if (!ready && !this.worker.isRunning()) {
				logger.warn(
						"The application is not ready {} after the refresh of its context, because {} has not returned: the worker starts now. Let runners return earlier, or set 'jobqueue.worker.start' to 'refreshed' if jobs do not depend on them",
						DurationText.of(this.timeOfRunners), runner(starting.getStackTrace()));
				start();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			logger.error("The worker could not start; it tries again when the application is ready", ex);
		}
	}

	/**
	 * Return the outermost frame of the application above {@link SpringApplication},
	 * without frames of generated classes.
	 */
	private static String runner(StackTraceElement[] trace) {
		String runner = "its start";
		for (StackTraceElement frame : trace) {
			String type = frame.getClassName();
			if (type.equals(SpringApplication.class.getName())) {
				break;
			}
			if (!type.contains("$$") && !type.matches("(java|jdk|org\\.springframework)\\..*")) {
				runner = type + "." + frame.getMethodName();
			}
		}
		return runner;
	}

	/**
	 * Start the worker, unless it runs or the context has begun to close.
	 */
	synchronized void start() {
		if (!this.closed) {
			this.worker.start();
			this.settled.countDown();
		}
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
		end();
		this.worker.stop();
	}

	private synchronized void end() {
		this.closed = true;
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
