package io.jobqueue.benchmark.chaos;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.UUID;

import io.jobqueue.JobQueue;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What was ordered, and what handlers did about it.
 */
final class Ledger {

	static final String TABLES = """
			CREATE TABLE chaos_order (
			    job_id     uuid        NOT NULL PRIMARY KEY,
			    delivery   text        NOT NULL,
			    ordered_at timestamptz NOT NULL DEFAULT clock_timestamp()
			);
			CREATE TABLE chaos_effect (
			    job_id  uuid        NOT NULL,
			    done_at timestamptz NOT NULL DEFAULT clock_timestamp()
			);
			CREATE TABLE chaos_tick (
			    job_id       uuid        NOT NULL,
			    scheduled_at timestamptz NOT NULL
			)
			""";

	private final JobQueue queue;

	private final JdbcClient sql;

	private final TransactionTemplate transaction;

	Ledger(JobQueue queue, JdbcClient sql, PlatformTransactionManager transactionManager) {
		this.queue = queue;
		this.sql = sql;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Enqueue a job and note that, both or neither: in the transaction of the caller, if
	 * there is one.
	 * @return the id of the job
	 */
	UUID order(Errand errand) {
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			UUID job = this.queue.enqueue(Errands.QUEUE, errand).id();
			this.sql.sql("INSERT INTO chaos_order (job_id, delivery) VALUES (?, ?)")
				.param(job)
				.param(errand.delivery().name())
				.update();
			return job;
		}));
	}

	/**
	 * Order something, and think better of it.
	 */
	void cancel(Errand errand) {
		this.transaction.executeWithoutResult((status) -> {
			order(errand);
			status.setRollbackOnly();
		});
	}

	/**
	 * Note an effect: in the transaction of the caller, if there is one.
	 */
	void effect(UUID job) {
		this.sql.sql("INSERT INTO chaos_effect (job_id) VALUES (?)").param(job).update();
	}

	/**
	 * Note the tick that a job has run for.
	 */
	void tick(UUID job, Instant scheduledAt) {
		this.sql.sql("INSERT INTO chaos_tick (job_id, scheduled_at) VALUES (?, ?)")
			.params(job, scheduledAt.atOffset(ZoneOffset.UTC))
			.update();
	}

}
