package io.jobqueue.worker;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobTimeoutException;
import io.jobqueue.logging.DurationText;
import io.jobqueue.retry.AttemptOptions;

/**
 * Tells of pulled jobs that are not ended for long, and ends attempts whose time is over.
 * Whoever has the job may be doing something else by now, and is left alone.
 */
final class PulledJobMonitor implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(PulledJobMonitor.class);

	private final PulledExecutions runs;

	private final WorkerRuntime runtime;

	private final Function<String, QueueSettings> queues;

	private final ThreadFactory judges;

	private final Set<PulledExecution> slow = new HashSet<>();

	PulledJobMonitor(PulledExecutions runs, WorkerRuntime runtime, Function<String, QueueSettings> queues,
			ThreadFactory judges) {
		this.runs = runs;
		this.runtime = runtime;
		this.queues = queues;
		this.judges = judges;
	}

	@Override
	public void run() {
		this.slow.removeIf(PulledExecution::isOver);
		this.runs.all().forEach(this::look);
	}

	private void look(PulledExecution run) {
		Duration warnAfter = this.queues.apply(run.job().queue()).warnAfter();
		if (warnAfter != null && run.age().compareTo(warnAfter) > 0 && this.slow.add(run)) {
			this.runtime.mdc()
				.within(run.job(), () -> logger.error("{} was pulled {} ago and has not been ended", run.job(),
						DurationText.of(run.age())));
		}
		if (run.isOverdueFor(Duration.ZERO) && run.decide()) {
			timeOut(run);
		}
	}

	/**
	 * A retry policy may take its time, and so may the batcher.
	 */
	private void timeOut(PulledExecution run) {
		JobTimeoutException timeout = new JobTimeoutException(run.limit(this.queues.apply(run.job().queue())),
				run.age());
		Runnable judgement = () -> run
			.endFor(() -> this.runtime.outcomes().failed(run.attempt(), timeout, null, AttemptOptions.NONE), timeout);
		this.judges.newThread(() -> this.runtime.mdc().within(run.job(), judgement)).start();
	}

}
