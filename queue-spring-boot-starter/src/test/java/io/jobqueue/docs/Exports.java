package io.jobqueue.docs;

import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.stereotype.Component;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;

/**
 * Writes files until the export is cancelled.
 */
@Component
class Exports {

	private final JobOperations operations;

	private final Semaphore packed = new Semaphore(1);

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

	@JobHandler(queue = "archives")
	void handle(ArchiveWanted wanted, JobContext job) {
		for (int year = wanted.from(); year <= wanted.to(); year++) {
			job.progress(100 * (year - wanted.from()) / (wanted.to() - wanted.from() + 1), "year " + year);
			pack(year);
		}
	}

	private void pack(int year) {
		try {
			this.packed.acquire();
		}
		catch (InterruptedException ex) {
			throw new CancellationException("Stopped in " + year);
		}
	}

	void allow(int years) {
		this.packed.release(years);
	}

	private void write(int page) {
		this.written.set(page);
	}

}
