package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.DependencyStore.Failure;
import io.jobqueue.internal.store.DependencyStore.Position;
import io.jobqueue.internal.store.DependencyStore.Release;
import io.jobqueue.internal.store.DependencyStore.Resolution;
import io.jobqueue.internal.store.DependencyStore.Sweep;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link DependencyStore} of a PostgreSQL database. The calls that a crash of the
 * server may lose are repeated by the sweep.
 */
public final class PostgresDependencyStore implements DependencyStore {

	private static final Position FIRST = new Position(Columns.LOWEST_ID, Columns.LOWEST_ID);

	private final QueueTransaction transactions;

	private final AdmissionControl admissionControl;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresDependencyStore(QueueTransaction transactions) {
		this.transactions = transactions;
		this.admissionControl = new AdmissionControl(this.transactions);
	}

	/**
	 * Marks live predecessors, so that their completion returns that others wait for
	 * them. Claims skip a job that this statement has locked, which is why it returns the
	 * jobs that may be claimed.
	 */
	private static final String MARK = """
			WITH unmarked AS (
			    SELECT j.id FROM jobqueue_job j
			    WHERE j.id = ANY (?::uuid[]) AND j.has_successors IS NOT TRUE
			), free AS (
			    SELECT j.ctid AS tid FROM unmarked u JOIN jobqueue_job j ON j.id = u.id
			    FOR UPDATE OF j SKIP LOCKED
			), marked AS (
			    UPDATE jobqueue_job j SET has_successors = true
			    FROM free f
			    WHERE j.ctid = f.tid
			    RETURNING j.id, j.queue, j.priority, j.run_at, j.due_at, j.seq, j.admission,
			              j.locked_by IS NULL AND (j.due_at IS NULL OR j.admission = 'PENDING') AS waits
			)
			SELECT NULL::uuid AS id, queue, priority, coalesce(due_at, run_at) AS run_at, seq,
			       date_part('epoch', coalesce(due_at, run_at) - statement_timestamp()) * 1000 AS due_in_millis,
			       admission IS NOT NULL AS pending
			FROM marked
			WHERE waits
			UNION ALL
			SELECT u.id, NULL, NULL, NULL, NULL, NULL, NULL
			FROM unmarked u
			WHERE NOT EXISTS (SELECT 1 FROM marked m WHERE m.id = u.id)
			""";

	/**
	 * Records how predecessors have ended. A later snapshot than that of the mark sees
	 * each predecessor either with the mark or as ended. A job that did not succeed is in
	 * the archive or has left a row when it was removed.
	 */
	private static final String RESOLVE = """
			WITH predecessor AS (
			    SELECT p.id, j.id IS NOT NULL AS live, coalesce(a.state = 'SUCCEEDED', u.id IS NULL) AS succeeded
			    FROM unnest(?::uuid[]) AS p (id)
			    LEFT JOIN LATERAL (SELECT j.id FROM jobqueue_job j WHERE j.id = p.id LIMIT 1) j ON true
			    LEFT JOIN LATERAL (SELECT a.state FROM jobqueue_archive a WHERE a.id = p.id LIMIT 1) a ON true
			    LEFT JOIN LATERAL (SELECT u.id FROM jobqueue_unarchived u WHERE u.id = p.id LIMIT 1) u ON true
			), changed AS (
			    SELECT d.ctid AS tid, w.queue, NOT p.live AND (p.succeeded OR d.on_failure = 'RUN') AS satisfied,
			           NOT p.live AND NOT p.succeeded AND d.on_failure <> 'RUN' AS failed
			    FROM predecessor p
			    JOIN jobqueue_dependency d ON d.predecessor_id BETWEEN p.id AND p.id
			    JOIN jobqueue_job w ON w.id BETWEEN d.job_id AND d.job_id AND w.admission = 'PREDECESSORS'
			    WHERE NOT d.satisfied
			      AND CASE WHEN p.live THEN d.failed ELSE p.succeeded OR NOT d.failed OR d.on_failure = 'FAIL' END
			    LIMIT ?
			    FOR UPDATE OF d SKIP LOCKED
			), written AS (
			    UPDATE jobqueue_dependency d
			    SET satisfied = c.satisfied, failed = c.failed
			    FROM changed c
			    WHERE d.ctid = c.tid
			    RETURNING d.job_id, c.queue, d.satisfied, d.failed AND d.on_failure = 'FAIL' AS failing
			)
			SELECT w.*, (SELECT count(*) FROM written) = ? AS more FROM written w
			""";

	@Override
	public Resolution resolve(Collection<UUID> predecessors) {
		ResolutionRows rows = new ResolutionRows();
		List<Step> steps = new ArrayList<>();
		steps.add(new Step(MARK, (parameters) -> parameters.uuids(predecessors, (id) -> id), rows::marked));
		steps.add(new Step(RESOLVE,
				(parameters) -> parameters.uuids(predecessors, (id) -> id).value(MAX_RESOLVED).value(MAX_RESOLVED),
				rows::resolved));
		steps.addAll(BatchTallies.steps(predecessors, (row) -> rows.more = true, rows::finished));
		this.transactions.run(QueueTransaction.BEGIN_ASYNCHRONOUS, steps);
		return rows.resolution();
	}

	@Override
	public Release release(Collection<UUID> jobs) {
		ReleasedJobs released = new ReleasedJobs();
		this.transactions.run(QueueTransaction.BEGIN_ASYNCHRONOUS, List.of(released.step(jobs)));
		return released.result();
	}

	@Override
	public Failure fail(Map<UUID, @Nullable Duration> jobs) {
		JobEndings.EndedJobs failed = new JobEndings.EndedJobs();
		this.transactions.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT,
				List.of(failed.step(JobEndings.FAIL_WITH_PREDECESSOR, jobs)));
		failed.releaseKeys(this.admissionControl);
		return new Failure(failed.jobs(), failed.available());
	}

	private static final String SWEEP = """
			WITH looked_at AS (
			    SELECT predecessor_id, job_id, satisfied, failed, on_failure
			    FROM jobqueue_dependency
			    WHERE (predecessor_id, job_id) > (?, ?)
			    ORDER BY predecessor_id, job_id
			    LIMIT ?
			), independent AS (
			    DELETE FROM jobqueue_dependency d
			    USING looked_at l
			    WHERE d.predecessor_id = l.predecessor_id AND d.job_id = l.job_id
			      AND NOT EXISTS (SELECT 1 FROM jobqueue_job j WHERE j.id = l.job_id AND j.admission = 'PREDECESSORS')
			)
			SELECT DISTINCT l.predecessor_id, NULL::uuid AS job_id, false AS last
			FROM looked_at l
			LEFT JOIN LATERAL (
			    SELECT j.has_successors IS TRUE AS marked FROM jobqueue_job j WHERE j.id = l.predecessor_id LIMIT 1) p ON true
			LEFT JOIN LATERAL (SELECT a.state FROM jobqueue_archive a WHERE a.id = l.predecessor_id LIMIT 1) a ON true
			LEFT JOIN LATERAL (SELECT u.id FROM jobqueue_unarchived u WHERE u.id = l.predecessor_id LIMIT 1) u ON true
			WHERE NOT l.satisfied
			  AND CASE WHEN p.marked IS NOT NULL THEN l.failed OR NOT p.marked
			           ELSE NOT l.failed OR l.on_failure = 'FAIL' OR coalesce(a.state = 'SUCCEEDED', u.id IS NULL) END
			UNION ALL
			SELECT DISTINCT NULL::uuid, l.job_id, false FROM looked_at l WHERE l.satisfied
			UNION ALL
			(SELECT predecessor_id, job_id, true FROM looked_at ORDER BY predecessor_id, job_id OFFSET ?::bigint - 1)
			""";

	@Override
	public Sweep sweep(@Nullable Position last, int limit) {
		Position from = (last != null) ? last : FIRST;
		return this.transactions.query(QueueTransaction.BEGIN, SWEEP,
				(parameters) -> parameters.value(from.predecessor()).value(from.job()).value(limit).value(limit),
				PostgresDependencyStore::swept);
	}

	private static final String SEALED = """
			SELECT id FROM jobqueue_batch
			WHERE sealed_at IS NOT NULL AND finished_at IS NULL AND id > ?
			ORDER BY id
			LIMIT ?
			""";

	@Override
	public List<UUID> sealedBatches(@Nullable UUID last, int limit) {
		return this.transactions.list(QueueTransaction.BEGIN, SEALED,
				(parameters) -> parameters.value((last != null) ? last : FIRST.job()).value(limit),
				(row, number) -> row.getObject("id", UUID.class));
	}

	private static Sweep swept(ResultSet rows) throws SQLException {
		Set<UUID> predecessors = new HashSet<>();
		Set<UUID> jobs = new HashSet<>();
		Position last = null;
		while (rows.next()) {
			UUID predecessor = rows.getObject("predecessor_id", UUID.class);
			UUID job = rows.getObject("job_id", UUID.class);
			if (rows.getBoolean("last")) {
				last = new Position(predecessor, job);
			}
			else if (job != null) {
				jobs.add(job);
			}
			else {
				predecessors.add(predecessor);
			}
		}
		return new Sweep(predecessors, jobs, last);
	}

	/**
	 * Collects the rows of marked predecessors and of their dependencies.
	 */
	private static final class ResolutionRows {

		private final List<JobsAvailable> available = new ArrayList<>();

		private final Set<UUID> satisfied = new HashSet<>();

		private final Map<UUID, String> failing = new HashMap<>();

		private boolean more;

		private final Set<UUID> locked = new HashSet<>();

		void marked(ResultSet row) throws SQLException {
			UUID id = row.getObject("id", UUID.class);
			if (id != null) {
				this.locked.add(id);
			}
			else {
				this.available.add(Columns.jobsAvailable(row));
			}
		}

		void resolved(ResultSet row) throws SQLException {
			UUID job = row.getObject("job_id", UUID.class);
			if (row.getBoolean("satisfied")) {
				this.satisfied.add(job);
			}
			else if (row.getBoolean("failing")) {
				this.failing.put(job, row.getString("queue"));
			}
			this.more |= row.getBoolean("more");
		}

		void finished(ResultSet row) throws SQLException {
			UUID callback = row.getObject("callback_id", UUID.class);
			if (callback != null) {
				this.satisfied.add(callback);
			}
			else {
				this.locked.add(row.getObject("again_id", UUID.class));
			}
		}

		Resolution resolution() {
			return new Resolution(this.available, this.satisfied, this.failing, this.more, this.locked);
		}

	}

}
