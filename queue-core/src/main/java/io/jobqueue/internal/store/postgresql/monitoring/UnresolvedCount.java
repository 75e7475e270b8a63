package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.DeadJobs;
import io.jobqueue.internal.store.MonitoringStore.Unresolved;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Counts what does not end without an operator, in one round trip.
 */
final class UnresolvedCount {

	private static final Logger logger = LoggerFactory.getLogger(UnresolvedCount.class);

	private final FailureLog failures = new FailureLog(logger,
			"Could not count dead jobs, jobs that wait for a failed one and open batches; they are unknown until counting works again",
			"Counting dead jobs, jobs that wait for a failed one and open batches works again");

	private final QueueTransaction transactions;

	UnresolvedCount(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * Reads the tiers in the order of the index, up to a cap, and up to 10,000 of its
	 * entries for each.
	 */
	private static final String DEAD = """
			WITH RECURSIVE met (queue, priority, place) AS (
			    (SELECT queue, priority, 1 FROM jobqueue_archive WHERE (state <> 'DEAD') IS FALSE
			     ORDER BY queue, priority LIMIT 1)
			    UNION ALL
			    SELECT n.queue, n.priority, m.place + 1
			    FROM met m
			    CROSS JOIN LATERAL (
			        SELECT a.queue, a.priority FROM jobqueue_archive a
			        WHERE (a.state <> 'DEAD') IS FALSE AND (a.queue, a.priority) > (m.queue, m.priority)
			        ORDER BY a.queue, a.priority LIMIT 1) n
			    WHERE m.place < ?
			)
			SELECT m.queue, m.priority, c.jobs
			FROM met m
			CROSS JOIN LATERAL (
			    SELECT count(*) AS jobs FROM (
			        SELECT 1 FROM jobqueue_archive a
			        WHERE (a.state <> 'DEAD') IS FALSE AND a.queue = m.queue AND a.priority = m.priority
			        LIMIT ?) capped) c
			""";

	/**
	 * Reads up to 10,000 dependencies and their jobs. {@code OFFSET 0} keeps the planner
	 * from joining in another way than by the primary key.
	 */
	private static final String WAITING = """
			WITH failed AS MATERIALIZED (
			    SELECT DISTINCT job_id FROM jobqueue_dependency WHERE failed ORDER BY job_id LIMIT ?
			)
			SELECT j.queue, count(*) AS jobs, (SELECT count(*) FROM failed) AS met
			FROM failed f
			CROSS JOIN LATERAL (SELECT queue FROM jobqueue_job WHERE id = f.job_id OFFSET 0) j
			GROUP BY j.queue
			""";

	private static final String OLDEST_BATCH = """
			SELECT extract(epoch FROM statement_timestamp() - created_at) * 1000 AS age_millis
			FROM jobqueue_batch
			WHERE finished_at IS NULL
			ORDER BY id
			LIMIT 1
			""";

	@Nullable Unresolved count() {
		try {
			Unresolved counted = read();
			this.failures.succeeded();
			return counted;
		}
		catch (DataAccessException | TransactionException ex) {
			Duration unused = this.failures.failed(ex);
			return null;
		}
	}

	private Unresolved read() {
		UnresolvedRows rows = new UnresolvedRows();
		this.transactions.run(QueueTransaction.BEGIN_MONITORING, List.of(
				new Step(DEAD,
						(parameters) -> parameters.value(PostgresMonitoringStore.TIER_CAP)
							.value(MonitoringStore.UNRESOLVED_CAP),
						(row) -> rows.dead.add(new DeadJobs(Columns.tier(row), row.getLong("jobs")))),
				new Step(WAITING, (parameters) -> parameters.value(MonitoringStore.UNRESOLVED_CAP), rows::waiting),
				new Step(OLDEST_BATCH, Setter.NONE, rows::batch)));
		return rows.unresolved();
	}

	private static final class UnresolvedRows {

		private final List<DeadJobs> dead = new ArrayList<>();

		private final Map<String, Long> waiting = new HashMap<>();

		private long met;

		private Duration oldestBatch = Duration.ZERO;

		void waiting(ResultSet row) throws SQLException {
			this.waiting.put(row.getString("queue"), row.getLong("jobs"));
			this.met = row.getLong("met");
		}

		void batch(ResultSet row) throws SQLException {
			this.oldestBatch = Objects.requireNonNull(Columns.fromNow(row, "age_millis"));
		}

		Unresolved unresolved() {
			return new Unresolved(this.dead, this.dead.size() < PostgresMonitoringStore.TIER_CAP, this.waiting,
					this.met < MonitoringStore.UNRESOLVED_CAP, this.oldestBatch);
		}

	}

}
