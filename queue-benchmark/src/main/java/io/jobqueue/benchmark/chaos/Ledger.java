package io.jobqueue.benchmark.chaos;

import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.UUID;

import io.jobqueue.Delivery;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.OnPredecessorFailure;

import org.jspecify.annotations.Nullable;

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
			    ordered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
			    after_id   uuid
			);
			CREATE TABLE chaos_effect (
			    job_id  uuid        NOT NULL,
			    done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
			    early   boolean     NOT NULL DEFAULT false
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
		return order(JobRequest.of(Errands.QUEUE, errand), errand.delivery(), null);
	}

	/**
	 * Enqueue a job that waits for the end of another one, whatever that is.
	 */
	UUID order(Errand errand, UUID after) {
		return order(JobRequest.of(Errands.QUEUE, errand).after(after).ifPredecessorFails(OnPredecessorFailure.RUN),
				errand.delivery(), after);
	}

	private UUID order(JobRequest request, Delivery delivery, @Nullable UUID after) {
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			UUID job = this.queue.enqueue(request).id();
			this.sql.sql("INSERT INTO chaos_order (job_id, delivery, after_id) VALUES (?, ?, ?)")
				.param(job)
				.param(delivery.name())
				.param(3, after, Types.OTHER)
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
	 * Note an effect, and whether the job that it waited for has not ended: in the
	 * transaction of the caller, if there is one.
	 */
	void effect(UUID job) {
		this.sql.sql("""
				INSERT INTO chaos_effect (job_id, early)
				SELECT e.id, EXISTS (
				    SELECT 1 FROM chaos_order o JOIN jobqueue_job j ON j.id = o.after_id WHERE o.job_id = e.id)
				FROM (SELECT ?::uuid AS id) e
				""").param(job).update();
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
