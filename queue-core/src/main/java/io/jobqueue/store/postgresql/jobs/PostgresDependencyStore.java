package io.jobqueue.store.postgresql.jobs;

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
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.DependencyStore;
import io.jobqueue.store.DependencyStore.Failure;
import io.jobqueue.store.DependencyStore.Position;
import io.jobqueue.store.DependencyStore.Release;
import io.jobqueue.store.DependencyStore.Resolution;
import io.jobqueue.store.DependencyStore.Sweep;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.postgresql.transaction.Columns;
import io.jobqueue.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * The {@link DependencyStore} of a PostgreSQL database. The calls that a crash of the
 * server may lose are repeated by the sweep.
 */
public final class PostgresDependencyStore implements DependencyStore {

	private static final Function<UUID, UUID> ID = Function.identity();

	private static final Position FIRST = new Position(new UUID(0, 0), new UUID(0, 0));

	private final QueueTransaction own;

	private final AdmissionControl admissionControl;

	private final Schema schema;

	/**
	 * Create the store.
	 * @param dataSource the application's data source
	 * @param schema the schema of the tables
	 */
	public PostgresDependencyStore(DataSource dataSource, Schema schema) {
		this.own = new QueueTransaction(dataSource);
		this.admissionControl = new AdmissionControl(this.own, schema);
		this.schema = schema;
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
	 * each predecessor either with the mark or as ended.
	 */
	private static final String RESOLVE = """
			WITH predecessor AS (
			    SELECT p.id, j.id IS NOT NULL AS live, a.state, u.id IS NOT NULL AS unarchived
			    FROM unnest(?::uuid[]) AS p (id)
			    LEFT JOIN LATERAL (SELECT j.id FROM jobqueue_job j WHERE j.id = p.id LIMIT 1) j ON true
			    LEFT JOIN LATERAL (SELECT a.state FROM jobqueue_archive a WHERE a.id = p.id LIMIT 1) a ON true
			    LEFT JOIN LATERAL (SELECT u.id FROM jobqueue_unarchived u WHERE u.id = p.id LIMIT 1) u ON true
			), changed AS (
			    SELECT d.ctid AS tid, d.on_failure, p.live,
			           CASE WHEN p.live THEN false
			                WHEN p.state IS NOT NULL THEN p.state = 'SUCCEEDED'
			                ELSE NOT (p.unarchived OR d.failed) END AS succeeded
			    FROM predecessor p
			    JOIN jobqueue_dependency d ON d.predecessor_id = p.id
			    WHERE NOT d.satisfied
			      AND CASE WHEN p.live THEN d.failed
			               ELSE NOT d.failed OR d.on_failure <> 'WAIT' OR coalesce(p.state = 'SUCCEEDED', false) END
			    LIMIT ?
			    FOR UPDATE OF d SKIP LOCKED
			), written AS (
			    UPDATE jobqueue_dependency d
			    SET satisfied = c.succeeded OR NOT c.live AND c.on_failure = 'RUN', failed = NOT c.live AND NOT c.succeeded
			    FROM changed c
			    WHERE d.ctid = c.tid
			    RETURNING d.predecessor_id, d.job_id, d.satisfied, d.failed, d.on_failure
			), size AS (
			    SELECT count(*) AS written FROM written
			)
			SELECT w.predecessor_id, w.job_id, j.queue, w.satisfied, w.failed AND w.on_failure = 'FAIL' AS failing,
			       s.written = ? AS more
			FROM written w
			CROSS JOIN size s
			LEFT JOIN jobqueue_job j ON j.id = w.job_id
			""";

	@Override
	public Resolution resolve(Collection<UUID> predecessors) {
		ResolutionRows rows = new ResolutionRows();
		this.own.run(QueueTransaction.BEGIN_ASYNCHRONOUS, List.of(
				new Step(this.schema.in(MARK), (parameters) -> parameters.uuids(predecessors, ID),
						Answer.ofEachRow(rows::marked)),
				new Step(this.schema.in(RESOLVE),
						(parameters) -> parameters.uuids(predecessors, ID).value(MAX_RESOLVED).value(MAX_RESOLVED),
						Answer.ofEachRow(rows::resolved))));
		return rows.resolution();
	}

	@Override
	public Release release(Collection<UUID> jobs) {
		ReleasedJobs released = new ReleasedJobs();
		this.own.run(QueueTransaction.BEGIN_ASYNCHRONOUS, List.of(released.step(this.schema, jobs)));
		return new Release(released.due(), released.available(), released.locked());
	}

	@Override
	public Failure fail(Map<UUID, @Nullable Duration> jobs) {
		JobEndings.UnclaimedEndings failed = new JobEndings.UnclaimedEndings();
		this.own.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, List.of(failed.stepForFailed(this.schema, jobs)));
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
			LEFT JOIN jobqueue_job p ON p.id = l.predecessor_id
			WHERE NOT l.satisfied
			  AND CASE WHEN p.id IS NOT NULL THEN l.failed OR p.has_successors IS NOT TRUE
			           ELSE NOT l.failed OR l.on_failure <> 'WAIT' END
			UNION ALL
			SELECT DISTINCT NULL::uuid, l.job_id, false FROM looked_at l WHERE l.satisfied
			UNION ALL
			(SELECT predecessor_id, job_id, true FROM looked_at ORDER BY predecessor_id, job_id OFFSET ?::bigint - 1)
			""";

	@Override
	public Sweep sweep(@Nullable Position last, int limit) {
		Position from = (last != null) ? last : FIRST;
		return this.own.query(QueueTransaction.BEGIN, this.schema.in(SWEEP),
				(parameters) -> parameters.value(from.predecessor()).value(from.job()).value(limit).value(limit),
				PostgresDependencyStore::swept);
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

		private final Set<UUID> more = new HashSet<>();

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
			else if (row.getBoolean("failing") && row.getString("queue") != null) {
				this.failing.put(job, row.getString("queue"));
			}
			if (row.getBoolean("more")) {
				this.more.add(row.getObject("predecessor_id", UUID.class));
			}
		}

		Resolution resolution() {
			return new Resolution(this.available, this.satisfied, this.failing, this.more, this.locked);
		}

	}

}
