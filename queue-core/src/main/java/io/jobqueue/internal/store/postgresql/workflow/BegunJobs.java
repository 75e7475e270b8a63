package io.jobqueue.internal.store.postgresql.workflow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;

/**
 * Inserts the jobs of steps that begin, and collects the rows.
 */
final class BegunJobs {

	/**
	 * Inserts the jobs of the steps in the relation {@code beginning}, which has the
	 * columns of the table and those of the family. All ends of such a job are published,
	 * as those of a predecessor are.
	 */
	static final String BEGIN = """
			    INSERT INTO jobqueue_job (id, queue, type, payload, payload_bytes, priority, run_at, created_at,
			                              max_attempts, max_run_millis, headers, ordering_key, limit_key, job_group,
			                              due_at, admission, parent_id, root_id, expires_at, has_successors)
			    SELECT s.job_id, s.queue, s.type, s.payload, s.payload_bytes, s.priority,
			           CASE WHEN g.pending THEN 'infinity' ELSE d.due_at END, statement_timestamp(), s.max_attempts,
			           s.max_run_millis, s.headers, s.ordering_key, s.limit_key, s.job_group,
			           CASE WHEN g.pending THEN d.due_at END, CASE WHEN g.pending THEN 'PENDING' END, s.parent_id, s.root_id,
			           d.due_at + s.expires_millis * interval '1 millisecond', true
			    FROM beginning s
			    CROSS JOIN LATERAL (SELECT s.ordering_key IS NOT NULL OR s.limit_key IS NOT NULL AS pending) g
			    CROSS JOIN LATERAL (
			        SELECT greatest(statement_timestamp(), coalesce(
			                   s.run_at, statement_timestamp() + s.delay_millis * interval '1 millisecond')) AS due_at) d
			    ORDER BY s.workflow_id, s.position
			    RETURNING id, queue, type, priority, coalesce(due_at, run_at) AS run_at, seq, admission IS NOT NULL AS pending
			""";

	/**
	 * The columns of an inserted job in the relation {@code begun}.
	 */
	static final String COLUMNS = """
			id, queue, type, priority, run_at, seq, pending,
			       date_part('epoch', run_at - statement_timestamp()) * 1000 AS due_in_millis""";

	private final List<DueJob> due = new ArrayList<>();

	private final Map<Tier, JobsAvailable> available = new TreeMap<>();

	void add(ResultSet row) throws SQLException {
		JobsAvailable wakeUp = Columns.jobsAvailable(row);
		if (wakeUp.dueIn().isZero() && !wakeUp.pendingAdmission()) {
			this.due.add(new DueJob(row.getObject("id", UUID.class), row.getString("type"), wakeUp));
		}
		else {
			this.available.merge(wakeUp.tier(), wakeUp, JobsAvailable::and);
		}
	}

	List<DueJob> due() {
		return this.due;
	}

	/**
	 * Return the jobs that are not due yet, or need an admission.
	 */
	Collection<JobsAvailable> available() {
		return List.copyOf(this.available.values());
	}

	/**
	 * Return one wake-up for each tier.
	 */
	Collection<JobsAvailable> all() {
		Map<Tier, JobsAvailable> all = new TreeMap<>(this.available);
		this.due.forEach((job) -> all.merge(job.wakeUp().tier(), job.wakeUp(), JobsAvailable::and));
		return List.copyOf(all.values());
	}

}
