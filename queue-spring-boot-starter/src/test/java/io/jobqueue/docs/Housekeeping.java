package io.jobqueue.docs;

import java.time.Instant;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import io.jobqueue.JobContext;
import io.jobqueue.RecurringJob;

/**
 * Methods that run at the times of a schedule.
 */
@Component
class Housekeeping {

	private final JdbcClient jdbc;

	private volatile Instant importedUntil;

	Housekeeping(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@RecurringJob(name = "purge-carts", cron = "0 0 3 * * *", zone = "Europe/Berlin")
	void purgeCarts() {
		this.jdbc.sql("DELETE FROM cart WHERE changed_at < now() - interval '30 days'").update();
	}

	@RecurringJob(name = "import-rates", fixedRate = "15m", queue = "imports")
	void importRates(JobContext job) {
		importUntil(job.scheduledAt());
	}

	private void importUntil(Instant time) {
		this.importedUntil = time;
	}

	Instant importedUntil() {
		return this.importedUntil;
	}

}
