package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.AttemptStore;
import io.jobqueue.internal.store.AttemptStore.ProgressReport;

/**
 * Writes the latest progress of running jobs. Reports that could not be written are
 * written again by the next run.
 */
public final class ProgressReports implements Runnable {

	/**
	 * The interval between two writes.
	 */
	public static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(ProgressReports.class);

	private final UUID worker;

	private final AttemptStore store;

	private final Supplier<? extends Collection<? extends JobExecution>> executions;

	private final FailureLog failures = FailureLog.of(logger, "Recording job progress");

	/**
	 * Create a writer of progress.
	 * @param worker the id of the worker
	 * @param store records progress
	 * @param executions supplies the running jobs
	 */
	public ProgressReports(UUID worker, AttemptStore store,
			Supplier<? extends Collection<? extends JobExecution>> executions) {
		this.worker = worker;
		this.store = store;
		this.executions = executions;
	}

	@Override
	public void run() {
		Map<ProgressReport, JobExecution> pending = new HashMap<>();
		for (JobExecution execution : this.executions.get()) {
			ProgressReport report = execution.report();
			if (report != null) {
				pending.put(report, execution);
			}
		}
		if (!pending.isEmpty()) {
			write(pending);
		}
	}

	private void write(Map<ProgressReport, JobExecution> pending) {
		try {
			Set<UUID> written = this.store.report(this.worker, pending.keySet());
			pending.keySet().removeIf((report) -> !written.contains(report.id()));
			pending.forEach((report, execution) -> execution.reported(report));
			this.failures.succeeded();
		}
		catch (RuntimeException ex) {
			this.failures.failed(ex);
		}
	}

}
