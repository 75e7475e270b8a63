package io.jobqueue.worker.execution;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobTimeoutException;
import io.jobqueue.logging.DurationText;
import io.jobqueue.logging.JobMdc;
import io.jobqueue.policy.QueueSettings;

/**
 * Monitors running handlers: logs slow ones, interrupts cancelled ones, fails attempts
 * that exceed their maximum run time, and replaces threads that ignore interrupts.
 */
public final class HandlerMonitor implements Runnable {

	/**
	 * The interval between two checks.
	 */
	public static final Duration INTERVAL = Duration.ofMillis(200);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Duration REPORT_INTERVAL = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(HandlerMonitor.class);

	private final QueueExecutors executors;

	private final JobRunner runner;

	private final Function<String, QueueSettings> queues;

	private final ThreadFactory timeouts;

	private final JobMdc mdc;

	private final Set<HandlerExecution> cancelled = new HashSet<>();

	private final Set<HandlerExecution> timedOut = new HashSet<>();

	private final Map<HandlerExecution, Duration> stuck = new HashMap<>();

	/**
	 * Create a handler monitor.
	 * @param executors the executors of the worker
	 * @param runner decides the outcomes of attempts that time out
	 * @param queues the settings of each queue
	 * @param timeouts creates the threads on which retry policies decide
	 * @param mdc sets the MDC entries of a job
	 */
	public HandlerMonitor(QueueExecutors executors, JobRunner runner, Function<String, QueueSettings> queues,
			ThreadFactory timeouts, JobMdc mdc) {
		this.executors = executors;
		this.runner = runner;
		this.queues = queues;
		this.timeouts = timeouts;
		this.mdc = mdc;
	}

	@Override
	public void run() {
		forget();
		this.executors.all().forEach((executor) -> executor.runs().forEach((run) -> check(executor, run)));
		this.stuck.replaceAll(this::reported);
	}

	private void forget() {
		this.cancelled.removeIf(HandlerExecution::hasEnded);
		this.timedOut.removeIf(HandlerExecution::hasEnded);
		this.stuck.keySet().removeIf(HandlerExecution::hasEnded);
	}

	private void check(QueueExecutor executor, HandlerExecution run) {
		if (run.becomesSlow(this.queues.apply(executor.queue()))) {
			run.log(this.mdc, () -> logger.error("{} is still running after {}", run.job(), DurationText.of(run.age()),
					run.stackTrace()));
		}
		if (run.isCancelOverdue() && this.cancelled.add(run)) {
			run.log(this.mdc, () -> logger.info("{} is being cancelled; its handler is interrupted", run.job()));
			run.interrupt();
		}
		if (run.timesOut()) {
			this.timedOut.add(run);
			timeOut(run);
		}
		if (run.isOverdueFor(PATIENCE) && this.timedOut.contains(run)) {
			replace(executor, run);
		}
	}

	/**
	 * The retry policy and the batcher may block, so they run on a separate thread, or on
	 * this one if no thread can be started: the outcome is decided as a timeout already.
	 */
	private void timeOut(HandlerExecution run) {
		JobTimeoutException timeout = new JobTimeoutException(run.limit(this.queues.apply(run.job().queue())),
				run.age(), run.thread());
		run.interrupt();
		Runnable completion = () -> run.log(this.mdc, () -> complete(run, timeout));
		try {
			this.timeouts.newThread(completion).start();
		}
		catch (RuntimeException | Error ex) {
			completion.run();
			logger.error("Could not start a thread for the timeout of {}", run.job(), ex);
		}
	}

	private void complete(HandlerExecution run, JobTimeoutException timeout) {
		run.complete(() -> this.runner.failed(run, timeout), timeout);
	}

	private void replace(QueueExecutor executor, HandlerExecution run) {
		this.stuck.put(run, run.age().minus(REPORT_INTERVAL));
		if (!executor.replace(run)) {
			logger.error(
					"Queue {} claims no further jobs on this node until one of its handlers ends: more handlers than its concurrency did not end when interrupted. Add timeouts to their blocking calls",
					executor.queue());
		}
	}

	private Duration reported(HandlerExecution run, Duration last) {
		Duration age = run.age();
		if (age.minus(REPORT_INTERVAL).compareTo(last) < 0) {
			return last;
		}
		run.log(this.mdc, () -> logger.error(
				"The handler of {} did not end when interrupted and has held thread {} for {}. Its attempt failed, and another thread replaces this one, until as many handlers hang as the concurrency of the queue. Add timeouts to its blocking calls; the thread ends with the JVM at the latest",
				run.job(), run.thread().getName(), DurationText.of(age), run.stackTrace()));
		return age;
	}

}
