package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.DependencyStore.Release;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Releases jobs that wait for predecessors, and collects the rows.
 */
final class ReleasedJobs {

	private final Set<UUID> ids = new HashSet<>();

	private final List<DueJob> due = new ArrayList<>();

	private final List<JobsAvailable> available = new ArrayList<>();

	private final Set<UUID> locked = new HashSet<>();

	/**
	 * Releases jobs without an open dependency, and deletes their dependencies. A job
	 * that also follows another one stays blocked; one with an ordering or a limit key
	 * becomes pending. A callback has no dependency before its batch has finished.
	 */
	private static final String RELEASE = """
			WITH ready AS (
			    SELECT j.id FROM jobqueue_job j
			    WHERE j.id = ANY (?::uuid[]) AND j.admission = 'PREDECESSORS'
			      AND (SELECT true FROM jobqueue_dependency d WHERE d.job_id = j.id LIMIT 1)
			      AND (SELECT true FROM jobqueue_dependency d WHERE d.job_id = j.id AND NOT d.satisfied LIMIT 1) IS NULL
			), free AS (
			    SELECT j.ctid AS tid, j.follows IS NOT NULL AS follows,
			           j.ordering_key IS NOT NULL OR j.limit_key IS NOT NULL AS keyed,
			           greatest(j.due_at, statement_timestamp()) AS at
			    FROM ready r JOIN jobqueue_job j ON j.id BETWEEN r.id AND r.id
			    WHERE j.admission = 'PREDECESSORS'
			    FOR UPDATE OF j SKIP LOCKED
			), released AS (
			    UPDATE jobqueue_job j
			    SET run_at = CASE WHEN f.follows OR f.keyed THEN 'infinity' ELSE f.at END,
			        due_at = CASE WHEN f.follows OR f.keyed THEN f.at END,
			        admission = CASE WHEN f.keyed AND NOT f.follows THEN 'PENDING' END
			    FROM free f
			    WHERE j.ctid = f.tid
			    RETURNING j.id, j.queue, j.type, j.unique_key, j.priority, f.at, j.seq, f.keyed, f.follows
			), independent AS (
			    DELETE FROM jobqueue_dependency d USING released r WHERE d.job_id BETWEEN r.id AND r.id
			)
			SELECT id, queue, priority, at AS run_at, seq,
			       date_part('epoch', at - statement_timestamp()) * 1000 AS due_in_millis, keyed AS pending, NOT follows AS waits,
			       CASE WHEN unique_key IS NULL AND NOT keyed AND at <= statement_timestamp() THEN type END AS due_type
			FROM released
			UNION ALL
			SELECT r.id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
			FROM ready r
			WHERE NOT EXISTS (SELECT 1 FROM released d WHERE d.id = r.id)
			""";

	Step step(Collection<UUID> jobs) {
		return new Step(RELEASE, (parameters) -> parameters.uuids(jobs, (id) -> id), this::take);
	}

	private void take(ResultSet row) throws SQLException {
		UUID id = row.getObject("id", UUID.class);
		if (row.getString("queue") == null) {
			this.locked.add(id);
			return;
		}
		this.ids.add(id);
		if (row.getBoolean("waits")) {
			add(id, row.getString("due_type"), Columns.jobsAvailable(row));
		}
	}

	private void add(UUID id, @Nullable String dueType, JobsAvailable wakeUp) {
		if (dueType != null) {
			this.due.add(new DueJob(id, dueType, wakeUp));
		}
		else {
			this.available.add(wakeUp);
		}
	}

	Set<UUID> ids() {
		return this.ids;
	}

	Release result() {
		return new Release(this.due, this.available, this.locked);
	}

}
