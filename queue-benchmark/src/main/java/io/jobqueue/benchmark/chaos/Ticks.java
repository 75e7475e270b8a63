package io.jobqueue.benchmark.chaos;

import java.util.Objects;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.RecurringJob;

/**
 * Handlers that note the tick of their job.
 */
@JobHandler(queue = Errands.QUEUE)
class Ticks {

	private final Ledger ledger;

	Ticks(Ledger ledger) {
		this.ledger = ledger;
	}

	@RecurringJob(name = Schedules.DECLARED, fixedRate = "1s", misfire = Misfire.ALL, overlap = Overlap.ALLOW)
	void tick(JobContext job) {
		this.ledger.tick(job.id(), Objects.requireNonNull(job.scheduledAt()));
	}

	void handle(Tick tick, JobContext job) {
		tick(job);
	}

}
