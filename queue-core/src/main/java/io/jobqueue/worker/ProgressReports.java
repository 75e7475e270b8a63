package io.jobqueue.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.JobStore;
import io.jobqueue.store.ProgressReport;

/**
 * Writes what handlers have reported last. What could not be written has another turn.
 */
final class ProgressReports implements Runnable {

	static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(ProgressReports.class);

	private final UUID worker;

	private final JobStore store;

	private final Lanes lanes;

	private final Outage outage = new Outage(logger, "Writing the progress of jobs");

	ProgressReports(UUID worker, JobStore store, Lanes lanes) {
		this.worker = worker;
		this.store = store;
		this.lanes = lanes;
	}

	@Override
	public void run() {
		Map<HandlerRun, ProgressReport> pending = pending();
		if (!pending.isEmpty()) {
			try {
				forget(pending, this.store.report(this.worker, pending.values()));
				this.outage.over();
			}
			catch (RuntimeException ex) {
				this.outage.failed(ex);
			}
		}
	}

	private Map<HandlerRun, ProgressReport> pending() {
		Map<HandlerRun, ProgressReport> pending = new HashMap<>();
		for (HandlerRun run : this.lanes.runs()) {
			ProgressReport report = run.report();
			if (report != null) {
				pending.put(run, report);
			}
		}
		return pending;
	}

	private static void forget(Map<HandlerRun, ProgressReport> pending, Set<UUID> written) {
		pending.forEach((run, report) -> {
			if (written.contains(report.id())) {
				run.reported(report);
			}
		});
	}

}
