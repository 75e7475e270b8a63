package io.jobqueue.internal.worker.execution;

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
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.BoundTransactions.BoundTransaction;

/**
 * Monitors running handlers: logs slow ones, interrupts cancelled ones, fails attempts
 * that exceed their maximum run time, and replaces threads that ignore interrupts. The
 * transactions of those are rolled back.
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
	 * @param timeouts creates the threads on which retry policies decide and transactions
	 * are aborted
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
		this.executors.all()
			.forEach((executor) -> executor.executions().forEach((execution) -> check(executor, execution)));
		this.stuck.replaceAll(this::reported);
	}

	private void forget() {
		this.cancelled.removeIf(HandlerExecution::hasEnded);
		this.timedOut.removeIf(HandlerExecution::hasEnded);
		this.stuck.keySet().removeIf(HandlerExecution::hasEnded);
	}

	private void check(QueueExecutor executor, HandlerExecution execution) {
		if (execution.becomesSlow(this.queues.apply(executor.queue()))) {
			execution.log(this.mdc, () -> logger.error("{} is still running after {}", execution.job(),
					DurationText.of(execution.age()), execution.stackTrace()));
		}
		if (isToBeInterrupted(execution) && this.cancelled.add(execution)) {
			execution.log(this.mdc,
					() -> logger.info("{} is being cancelled; its handler is interrupted", execution.job()));
			execution.interrupt();
		}
		if (execution.isOverdueWithOutcome()) {
			if (this.timedOut.add(execution)) {
				interruptCallbacks(execution);
			}
		}
		else if (execution.timesOut()) {
			this.timedOut.add(execution);
			timeOut(execution);
		}
		if (execution.isOverdueFor(PATIENCE) && this.timedOut.contains(execution)) {
			replace(executor, execution);
		}
	}

	/**
	 * A handler that takes several jobs is not interrupted for one of them.
	 */
	private boolean isToBeInterrupted(HandlerExecution execution) {
		return execution.isCancelOverdue() && this.runner.batches().limits(execution.job()) == null;
	}

	/**
	 * The retry policy and the batcher may block, so they run on a separate thread, or on
	 * this one if no thread can be started: the outcome is decided as a timeout already.
	 */
	private void timeOut(HandlerExecution execution) {
		JobTimeoutException timeout = new JobTimeoutException(
				execution.limit(this.queues.apply(execution.job().queue())), execution.age(), execution.thread());
		if (execution.call().size() > 1) {
			logger.error("A call with {} of queue {} is ended; they are released, and each of them runs alone",
					LogText.counted(execution.call().size(), "job"), execution.queue(), timeout);
		}
		execution.interrupt();
		start(execution, () -> execution.endThread(() -> this.runner.failed(execution, timeout), timeout));
	}

	private void interruptCallbacks(HandlerExecution execution) {
		execution.log(this.mdc, () -> logger.error(
				"A callback after the commit of {}, or of a job in its transaction, has not ended within {}; its thread is interrupted",
				execution.job(), execution.limit(this.queues.apply(execution.job().queue())), execution.stackTrace()));
		execution.interrupt();
		start(execution, execution::releaseUndecided);
	}

	private void start(HandlerExecution execution, Runnable end) {
		Runnable logging = () -> execution.log(this.mdc, end);
		try {
			this.timeouts.newThread(logging).start();
		}
		catch (RuntimeException | Error ex) {
			logging.run();
			logger.error("Could not start a thread for the timeout of {}", execution.job(), ex);
		}
	}

	private void replace(QueueExecutor executor, HandlerExecution execution) {
		this.stuck.put(execution, execution.held().minus(REPORT_INTERVAL));
		abortTransaction(execution);
		if (!executor.replace(execution)) {
			logger.error(
					"Queue {} claims no further jobs on this node until one of its handlers ends: more handlers than its concurrency did not end when interrupted. Add timeouts to their blocking calls",
					executor.queue());
		}
	}

	/**
	 * Roll back the transaction of a handler that did not end when it was interrupted,
	 * and whose attempt has ended: its locks would stop other jobs, and further attempts
	 * of its own.
	 * @param execution the run
	 */
	public void abortTransaction(HandlerExecution execution) {
		BoundTransaction transaction = execution.runsIn();
		if (transaction != null) {
			start(execution, () -> abort(transaction, execution));
		}
	}

	private static void abort(BoundTransaction transaction, HandlerExecution execution) {
		if (transaction.abort()) {
			logger.warn(
					"The transaction of {} was rolled back and its connection closed: its handler did not end when interrupted",
					execution.job());
		}
	}

	private Duration reported(HandlerExecution execution, Duration last) {
		Duration held = execution.held();
		if (held.minus(REPORT_INTERVAL).compareTo(last) < 0) {
			return last;
		}
		execution.log(this.mdc, () -> logger.error(
				"The handler of {} did not end when interrupted and has held thread {} for {}. Its attempt has ended, and another thread replaces this one, until as many handlers hang as the concurrency of the queue. Add timeouts to its blocking calls; the thread ends with the JVM at the latest",
				execution.job(), execution.thread().getName(), DurationText.of(held), execution.stackTrace()));
		return held;
	}

}
