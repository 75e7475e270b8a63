package io.jobqueue.docs;

import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.stereotype.Component;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;

/**
 * Writes files until nobody wants them.
 */
@Component
class Exports {

	private final JobOperations operations;

	private final AtomicInteger written = new AtomicInteger();

	Exports(JobOperations operations) {
		this.operations = operations;
	}

	CancelOutcome withdraw(UUID jobId) {
		return this.operations.cancel(jobId);
	}

	@JobHandler(queue = "exports")
	void handle(ExportWanted wanted, JobContext job) {
		for (int page = 0; page < wanted.pages(); page++) {
			if (job.cancelRequested()) {
				throw new CancellationException("Stopped before page " + page);
			}
			write(page);
		}
	}

	private void write(int page) {
		this.written.set(page);
	}

}
