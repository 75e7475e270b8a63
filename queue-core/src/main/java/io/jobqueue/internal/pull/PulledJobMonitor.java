package io.jobqueue.internal.pull;

import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobTimeoutException;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.worker.WorkerRuntime;

/**
 * Logs pulled jobs that are not ended within the time of {@code warn-after}, and fails
 * attempts that exceed their maximum run time. It does not interrupt threads, as the
 * thread that pulled the job may do other work by then. A retry policy that blocks delays
 * further checks.
 */
final class PulledJobMonitor implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(PulledJobMonitor.class);

	private final PulledExecutions executions;

	private final WorkerRuntime runtime;

	private final Function<String, QueueSettings> queues;

	PulledJobMonitor(PulledExecutions executions, WorkerRuntime runtime, Function<String, QueueSettings> queues) {
		this.executions = executions;
		this.runtime = runtime;
		this.queues = queues;
	}

	@Override
	public void run() {
		this.executions.all().forEach(this::check);
	}

	private void check(PulledExecution execution) {
		if (execution.becomesSlow(this.queues.apply(execution.job().queue()))) {
			this.runtime.mdc()
				.within(execution.job(), () -> logger.error("{} was pulled {} ago and has not been ended",
						execution.job(), DurationText.of(execution.age())));
		}
		if (execution.timesOut()) {
			timeOut(execution);
		}
	}

	private void timeOut(PulledExecution execution) {
		JobTimeoutException timeout = new JobTimeoutException(
				execution.limit(this.queues.apply(execution.job().queue())), execution.age());
		this.runtime.mdc()
			.within(execution.job(), () -> execution
				.endFor(() -> this.runtime.outcomes().failed(execution, timeout, null, AttemptOptions.NONE), timeout));
	}

}
