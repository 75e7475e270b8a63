package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.OperationStore.CancelResult;
import io.jobqueue.internal.store.OperationStore.ChangeResult;
import io.jobqueue.internal.store.OperationStore.JobLocation;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.OperatorLog;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link OperationStore} of a PostgreSQL database.
 */
public final class PostgresOperationStore implements OperationStore {

	private static final Function<UUID, UUID> ID = Function.identity();

	private final QueueTransaction transactions;

	private final AdmissionControl admissionControl;

	private final @Nullable LoggedOperation operation;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresOperationStore(QueueTransaction transactions) {
		this(transactions, new AdmissionControl(transactions), null);
	}

	private PostgresOperationStore(QueueTransaction transactions, AdmissionControl admissionControl,
			@Nullable LoggedOperation operation) {
		this.transactions = transactions;
		this.admissionControl = admissionControl;
		this.operation = operation;
	}

	@Override
	public OperationStore logging(LoggedOperation logged) {
		return new PostgresOperationStore(this.transactions, this.admissionControl, logged);
	}

	/**
	 * Reads both tables from one snapshot, so that a job that is archived at the same
	 * time is found.
	 */
	private static final String FIND = """
			SELECT queue, false AS finished FROM jobqueue_job WHERE id = ?
			UNION ALL
			SELECT queue, true FROM jobqueue_archive WHERE id = ?
			""";

	@Override
	public @Nullable JobLocation find(UUID id) {
		return this.transactions.first(QueueTransaction.BEGIN_OPERATION, FIND,
				(parameters) -> parameters.value(id).value(id),
				(row, number) -> new JobLocation(row.getString("queue"), row.getBoolean("finished")));
	}

	@Override
	public CancelResult cancel(Map<UUID, @Nullable Duration> jobs) {
		Set<UUID> running = new HashSet<>();
		JobEndings.EndedJobs cancelled = new JobEndings.EndedJobs();
		run(jobs.keySet(), List.of(logged(request(jobs, true, running), "running"),
				logged(cancelled.step(JobEndings.CANCEL, jobs.keySet()), "ended")));
		cancelled.releaseKeys(this.admissionControl);
		return new CancelResult(running, cancelled.jobs(), cancelled.available());
	}

	/**
	 * The next statement of the transaction cancels the jobs that are not running.
	 */
	private static final String REQUEST_CANCEL = """
			WITH chosen AS (
			    SELECT j.ctid AS tid, o.keep_millis
			    FROM unnest(?::uuid[], ?::bigint[]) AS o (id, keep_millis)
			    JOIN jobqueue_job j ON j.id BETWEEN o.id AND o.id
			    WHERE j.locked_by IS NULL OR ?
			    FOR UPDATE OF j SKIP LOCKED
			), requested AS (
			    UPDATE jobqueue_job j SET cancel_requested = true, keep_cancelled_millis = c.keep_millis
			    FROM chosen c
			    WHERE j.ctid = c.tid
			    RETURNING j.id, j.locked_by
			), running AS (
			    SELECT id FROM requested WHERE locked_by IS NOT NULL
			)
			SELECT id FROM running
			""";

	private static Step request(Map<UUID, @Nullable Duration> jobs, boolean alsoRunning, Set<UUID> running) {
		return new Step(REQUEST_CANCEL,
				(parameters) -> parameters.uuids(jobs.entrySet(), Map.Entry::getKey)
					.bigints(jobs.entrySet(), (job) -> Columns.ofDuration(job.getValue()))
					.value(alsoRunning),
				(row) -> running.add(row.getObject("id", UUID.class)));
	}

	/**
	 * A job with an ordering or a limit key becomes pending and releases its keys, unless
	 * it follows another job, waits for predecessors or waits for its turn.
	 */
	private static final String PENDING_AGAIN = """
			        admission = CASE WHEN c.keyed AND j.follows IS NULL AND coalesce(j.admission, 'PENDING') IN ('PENDING', 'SLOT') THEN 'PENDING' ELSE j.admission END
			    FROM chosen c
			    WHERE j.ctid = c.tid
			    RETURNING j.id, j.queue, j.priority, coalesce(j.due_at, j.run_at) AS run_at, j.seq,
			              date_part('epoch', c.at - statement_timestamp()) * 1000 AS due_in_millis, j.admission IS NOT NULL AS pending,
			              j.due_at IS NULL OR j.admission = 'PENDING' AS awaited,
			              CASE WHEN c.admitted THEN j.ordering_key END AS ordering_key,
			              CASE WHEN c.admitted THEN j.limit_key END AS limit_key, NULL::uuid AS holder
			)
			SELECT * FROM changed
			""";

	private static final String WAITING = """
			WITH chosen AS (
			    SELECT j.ctid AS tid, greatest(statement_timestamp(), w.at) AS at, j.due_at IS NULL AS admitted,
			           j.ordering_key IS NOT NULL OR j.limit_key IS NOT NULL AS keyed
			    FROM (SELECT 'epoch'::timestamptz + ?::bigint * interval '1 microsecond' AS at) w
			    CROSS JOIN jobqueue_job j
			    WHERE j.id = ANY (?::uuid[]) AND j.locked_by IS NULL AND NOT j.cancel_requested
			""";

	/**
	 * A retry that is held back becomes due as well: without failures, it is no longer a
	 * retry.
	 */
	private static final String RETRY = WAITING + """
			      AND (j.attempts > 0 OR j.failures > 0 OR j.expected_failures IS NOT NULL
			           OR j.releases IS NOT NULL)
			    FOR UPDATE OF j SKIP LOCKED
			), changed AS (
			    UPDATE jobqueue_job j
			    SET attempts = 0, failures = 0, expected_failures = NULL, releases = NULL, expires_at = NULL,
			        run_at = CASE WHEN c.keyed OR j.follows IS NOT NULL THEN 'infinity' ELSE c.at END,
			        due_at = CASE WHEN c.keyed OR j.follows IS NOT NULL THEN c.at END,
			""" + PENDING_AGAIN;

	@Override
	public ChangeResult retry(Collection<UUID> jobs) {
		return change(RETRY, jobs, (parameters) -> parameters.number(0).uuids(jobs, ID));
	}

	private static final String SATISFY = """
			UPDATE jobqueue_dependency SET satisfied = true, failed = false WHERE job_id = ANY (?::uuid[])
			""";

	@Override
	public ChangeResult release(UUID job) {
		List<UUID> jobs = List.of(job);
		ReleasedJobs released = new ReleasedJobs();
		run(jobs, List.of(ofIds(SATISFY, jobs), logged(released.step(jobs), "released")));
		List<JobsAvailable> available = new ArrayList<>(released.result().available());
		released.result().due().forEach((due) -> available.add(due.wakeUp()));
		return new ChangeResult(released.ids(), available, Map.of(), List.of());
	}

	private static final String RESCHEDULE = WAITING + """
			      AND coalesce(j.due_at, j.run_at) <> w.at
			      AND (coalesce(j.due_at, j.run_at) > statement_timestamp() OR w.at > statement_timestamp()
			           OR j.expires_at <= statement_timestamp())
			    FOR UPDATE OF j SKIP LOCKED
			), changed AS (
			    UPDATE jobqueue_job j
			    SET run_at = CASE WHEN c.keyed OR j.due_at IS NOT NULL THEN 'infinity' ELSE c.at END,
			        due_at = CASE WHEN c.keyed OR j.due_at IS NOT NULL THEN c.at END,
			        expires_at = j.expires_at + (c.at - coalesce(j.due_at, j.run_at)),
			""" + PENDING_AGAIN;

	@Override
	public ChangeResult reschedule(Collection<UUID> jobs, Instant runAt) {
		return change(RESCHEDULE, jobs, (parameters) -> parameters.number(Columns.ofInstant(runAt)).uuids(jobs, ID));
	}

	private static final String REPRIORITISE = """
			WITH chosen AS (
			    SELECT j.ctid AS tid, p.priority
			    FROM (SELECT ?::smallint AS priority) p
			    CROSS JOIN jobqueue_job j
			    WHERE j.id = ANY (?::uuid[]) AND j.priority <> p.priority
			    FOR UPDATE OF j SKIP LOCKED
			), changed AS (
			    UPDATE jobqueue_job j SET priority = c.priority
			    FROM chosen c
			    WHERE j.ctid = c.tid
			    RETURNING j.id, j.queue, j.priority, coalesce(j.due_at, j.run_at) AS run_at, j.seq,
			              date_part('epoch', coalesce(j.due_at, j.run_at) - statement_timestamp()) * 1000 AS due_in_millis,
			              j.admission IS NOT NULL AS pending,
			              j.locked_by IS NULL AND (j.due_at IS NULL OR j.admission = 'PENDING') AS awaited,
			              NULL::text AS ordering_key, NULL::text AS limit_key, NULL::uuid AS holder
			)
			SELECT * FROM changed
			""";

	@Override
	public ChangeResult reprioritise(Collection<UUID> jobs, int priority) {
		return change(REPRIORITISE, jobs, (parameters) -> parameters.value(priority).uuids(jobs, ID));
	}

	private ChangeResult change(String sql, Collection<UUID> jobs, Setter parameters) {
		ChangedRows rows = new ChangedRows();
		run(jobs, List.of(logged(new Step(sql, parameters, rows::take), "changed")));
		return rows.releaseKeys(this.admissionControl);
	}

	/**
	 * Of several jobs with the same unique key, the one that was enqueued last is moved.
	 * Jobs keep their sequence numbers, so that a dead job that blocks its ordering key
	 * becomes the first of it again. A moved job may have successors, for which it no
	 * longer counts as failed. In a batch that has not finished, it counts as unfinished
	 * again.
	 */
	private static final String REVIVE = """
			WITH chosen AS (
			    SELECT a.id, a.seq, a.queue, a.unique_key, k.job_id IS NOT NULL AS locked, coalesce(
			               (SELECT j.id FROM jobqueue_job j WHERE j.id = k.job_id),
			               (SELECT j.id FROM jobqueue_job j WHERE j.id = k.follow_up_id),
			               (SELECT d.job_id FROM jobqueue_dedupe d
			                WHERE d.queue = k.queue AND d.unique_key = k.unique_key AND d.ends_at > statement_timestamp())) AS holder
			    FROM jobqueue_archive a
			    LEFT JOIN LATERAL (
			        SELECT k.* FROM jobqueue_key k
			        WHERE k.queue = a.queue AND k.unique_key = a.unique_key AND k.used_by = pg_current_xact_id()
			        LIMIT 1) k ON true
			    WHERE a.id = ANY (?::uuid[]) AND a.state <> 'SUCCEEDED'
			    FOR UPDATE OF a SKIP LOCKED
			), eligible AS (
			    SELECT c.*, row_number() OVER (PARTITION BY c.queue, c.unique_key ORDER BY c.seq DESC) AS place
			    FROM chosen c
			    WHERE c.unique_key IS NULL OR c.locked AND c.holder IS NULL
			), revived AS (
			    DELETE FROM jobqueue_archive a
			    USING eligible e
			    WHERE a.id BETWEEN e.id AND e.id AND (e.unique_key IS NULL OR e.place = 1)
			    RETURNING a.*, coalesce(a.ordering_key, a.limit_key) IS NOT NULL AS pending, (
			        SELECT b.id FROM jobqueue_batch b WHERE b.id = a.batch_id AND b.finished_at IS NULL) AS open_batch_id
			), tallied AS (
			    INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled)
			    SELECT open_batch_id, 0, 0, -count(*) FILTER (WHERE state = 'DEAD'), -count(*) FILTER (WHERE state = 'CANCELLED')
			    FROM revived
			    WHERE open_batch_id IS NOT NULL
			    GROUP BY open_batch_id
			), changed AS (
			    INSERT INTO jobqueue_job (id, seq, run_at, created_at, due_at, max_run_millis, dedupe_millis, ancestor_id, parent_id, root_id,
			                              batch_id, max_attempts, priority, queue, type, payload, payload_bytes, headers,
			                              unique_key, ordering_key, limit_key, admission, job_group, last_error,
			                              progress_percent, progress_message, has_successors, started_at, history)
			    OVERRIDING SYSTEM VALUE
			    SELECT id, seq, CASE WHEN pending THEN 'infinity' ELSE statement_timestamp() END, created_at,
			           CASE WHEN pending THEN statement_timestamp() END, max_run_millis, dedupe_millis, ancestor_id, parent_id, root_id, open_batch_id,
			           max_attempts, priority, queue, type, payload, payload_bytes, headers, unique_key,
			           ordering_key, limit_key, CASE WHEN pending THEN 'PENDING' END, job_group, last_error, progress_percent,
			           progress_message, true, started_at, history
			    FROM revived
			    RETURNING *
			), reopened AS (
			    UPDATE jobqueue_dependency d SET failed = false
			    FROM revived r
			    CROSS JOIN LATERAL (
			        SELECT f.ctid AS tid FROM jobqueue_dependency f
			        WHERE f.predecessor_id = r.id AND f.failed
			        FOR UPDATE SKIP LOCKED) f
			    WHERE d.ctid = f.tid
			), taken AS (
			    UPDATE jobqueue_key k SET job_id = r.id, follow_up_id = NULL
			    FROM revived r
			    WHERE k.queue = r.queue AND k.unique_key = r.unique_key
			)
			SELECT id, queue, priority, statement_timestamp() AS run_at, seq, 0 AS due_in_millis, admission IS NOT NULL AS pending,
			       true AS awaited, NULL AS ordering_key, NULL AS limit_key, NULL::uuid AS holder
			FROM changed
			UNION ALL
			SELECT id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, holder FROM chosen WHERE holder IS NOT NULL
			""";

	/**
	 * Locks the unique keys of the jobs, as an enqueue with these keys does.
	 */
	private static final String LOCK_KEYS = """
			INSERT INTO jobqueue_key (queue, unique_key, job_id, used_by)
			SELECT DISTINCT ON (a.queue COLLATE "C", a.unique_key COLLATE "C") a.queue, a.unique_key, a.id, pg_current_xact_id()
			FROM jobqueue_archive a
			WHERE a.id = ANY (?::uuid[]) AND a.state <> 'SUCCEEDED' AND a.unique_key IS NOT NULL
			ORDER BY a.queue COLLATE "C", a.unique_key COLLATE "C", a.seq DESC
			ON CONFLICT (queue, unique_key) DO UPDATE SET used_by = excluded.used_by
			""";

	/**
	 * Keeps the batches of the jobs from being sealed and from finishing. A statement
	 * before that which revives the jobs, so that the latter sees which ones have
	 * finished.
	 */
	private static final String LOCK_BATCHES = """
			SELECT b.id FROM jobqueue_batch b
			WHERE b.finished_at IS NULL
			  AND b.id IN (SELECT a.batch_id FROM jobqueue_archive a WHERE a.id = ANY (?::uuid[]) AND a.batch_id IS NOT NULL)
			ORDER BY b.id
			FOR SHARE
			""";

	/**
	 * Lets the instances of workflows run again whose steps the revived jobs are. The
	 * steps that wait for these are decided when the transaction has committed.
	 */
	private static final String RESUME_WORKFLOWS = """
			WITH revived AS (
			    SELECT s.workflow_id, s.position
			    FROM unnest(?::uuid[]) AS r (id)
			    CROSS JOIN LATERAL (
			        SELECT s.workflow_id, s.position FROM jobqueue_workflow_step s WHERE s.job_id = r.id LIMIT 1) s
			    WHERE EXISTS (SELECT 1 FROM jobqueue_job j WHERE j.id = r.id)
			), resumed AS (
			    UPDATE jobqueue_workflow w
			    SET state = 'RUNNING', finished_at = NULL, cancel_requested = false, version = version + 1
			    WHERE w.id = ANY (ARRAY(
			        SELECT l.id FROM revived r JOIN jobqueue_workflow l ON l.id BETWEEN r.workflow_id AND r.workflow_id
			        ORDER BY l.id
			        FOR UPDATE OF l))
			    RETURNING w.id
			)
			UPDATE jobqueue_workflow_step s
			SET state = 'STARTED', changed_at = statement_timestamp()
			FROM resumed w JOIN revived r ON r.workflow_id = w.id
			WHERE s.workflow_id BETWEEN r.workflow_id AND r.workflow_id AND s.position BETWEEN r.position AND r.position
			RETURNING s.job_id
			""";

	@Override
	public ChangeResult revive(Collection<UUID> jobs) {
		ChangedRows rows = new ChangedRows();
		Setter ids = (parameters) -> parameters.uuids(jobs, ID);
		run(jobs, List.of(ofIds(LOCK_KEYS, jobs), ofIds(LOCK_BATCHES, jobs),
				logged(new Step(REVIVE, ids, rows::take), "changed"), new Step(RESUME_WORKFLOWS, ids, rows::follow)));
		return rows.releaseKeys(this.admissionControl);
	}

	private static Step ofIds(String sql, Collection<UUID> jobs) {
		return new Step(sql, (parameters) -> parameters.uuids(jobs, ID));
	}

	/**
	 * Deletes jobs by a cancellation with a retention of zero.
	 */
	@Override
	public ChangeResult delete(Collection<UUID> jobs) {
		JobEndings.EndedJobs deleted = new JobEndings.EndedJobs();
		Map<UUID, @Nullable Duration> unkept = new HashMap<>();
		jobs.forEach((job) -> unkept.put(job, Duration.ZERO));
		run(jobs, List.of(request(unkept, false, new HashSet<>()),
				logged(deleted.step(JobEndings.CANCEL, jobs), "ended")));
		deleted.releaseKeys(this.admissionControl);
		return new ChangeResult(Set.copyOf(deleted.ids()), deleted.available(), Map.of(),
				EndedJob.predecessors(deleted.jobs()));
	}

	/**
	 * The ordering key of a dead job is released because the job may have blocked others.
	 * A job that did not succeed leaves a row for the jobs that wait for it.
	 */
	private static final String DELETE_ARCHIVED = """
			WITH changed AS (
			    DELETE FROM jobqueue_archive a
			    WHERE a.id = ANY (ARRAY(SELECT id FROM jobqueue_archive WHERE id = ANY (?::uuid[]) FOR UPDATE SKIP LOCKED))
			    RETURNING a.id, a.queue, a.priority, a.seq, a.state, a.ordering_key
			), unarchived AS (
			    INSERT INTO jobqueue_unarchived (id, removed_at)
			    SELECT id, statement_timestamp() FROM changed WHERE state <> 'SUCCEEDED'
			    ON CONFLICT (id) DO NOTHING
			)
			SELECT id, queue, priority, NULL::timestamptz AS run_at, seq, 0 AS due_in_millis, false AS pending,
			       false AS awaited, CASE WHEN state = 'DEAD' THEN ordering_key END AS ordering_key,
			       NULL AS limit_key, NULL::uuid AS holder
			FROM changed
			""";

	@Override
	public ChangeResult deleteArchived(Collection<UUID> jobs) {
		return change(DELETE_ARCHIVED, jobs, (parameters) -> parameters.uuids(jobs, ID));
	}

	/**
	 * Return what revives archived jobs and deletes others within another transaction. It
	 * waits for no lock, and leaves out jobs that are locked. None of the jobs has a
	 * unique key or a batch.
	 * @param revived the ids of the jobs to revive
	 * @param deleted the ids of the jobs to delete
	 * @return the change
	 */
	public ArchiveChange change(Collection<UUID> revived, Collection<UUID> deleted) {
		ChangedRows rows = new ChangedRows();
		List<Step> steps = List.of(new Step(REVIVE, (parameters) -> parameters.uuids(revived, ID), rows::take),
				new Step(DELETE_ARCHIVED, (parameters) -> parameters.uuids(deleted, ID), rows::take));
		return new ArchiveChange(steps, revived.size() + deleted.size(), rows, this.admissionControl);
	}

	/**
	 * Inserts the copies in the order in which the archived jobs were enqueued.
	 */
	private static final String REPLAY = """
			WITH changed AS (
			    INSERT INTO jobqueue_job (id, run_at, created_at, due_at, max_run_millis, ancestor_id, parent_id, root_id, max_attempts, priority,
			                              queue, type, payload, payload_bytes, headers, ordering_key, limit_key, admission, job_group)
			    SELECT o.copy_id, CASE WHEN g.pending THEN 'infinity' ELSE statement_timestamp() END, statement_timestamp(),
			           CASE WHEN g.pending THEN statement_timestamp() END, a.max_run_millis, a.id, a.parent_id, a.root_id, a.max_attempts, a.priority,
			           a.queue, a.type, a.payload, a.payload_bytes, a.headers, a.ordering_key, a.limit_key,
			           CASE WHEN g.pending THEN 'PENDING' END, a.job_group
			    FROM unnest(?::uuid[], ?::uuid[]) AS o (id, copy_id)
			    JOIN jobqueue_archive a ON a.id BETWEEN o.id AND o.id
			    CROSS JOIN LATERAL (SELECT coalesce(a.ordering_key, a.limit_key) IS NOT NULL AS pending) g
			    ORDER BY a.seq
			    RETURNING id, queue, priority, coalesce(due_at, run_at) AS run_at, seq, 0 AS due_in_millis, admission IS NOT NULL AS pending,
			              true AS awaited, NULL::text AS ordering_key, NULL::text AS limit_key, NULL::uuid AS holder
			)
			SELECT * FROM changed
			""";

	@Override
	public ChangeResult replay(Map<UUID, UUID> copies) {
		ChangedRows rows = new ChangedRows();
		Step replay = new Step(REPLAY, (parameters) -> parameters.uuids(copies.keySet(), ID).uuids(copies.values(), ID),
				rows::take);
		this.transactions.run(QueueTransaction.BEGIN_OPERATION, List.of(logged(replay, "changed")));
		return rows.releaseKeys(this.admissionControl);
	}

	/**
	 * Waits for the lock of a single job, which the following statements would skip.
	 */
	private static final String LOCK_JOBS = """
			SELECT id FROM jobqueue_job WHERE id = ANY (?::uuid[]) FOR UPDATE
			""";

	/**
	 * Run the steps: wait for the lock of a single job, or skip the locked ones of
	 * several.
	 */
	private void run(Collection<UUID> jobs, List<Step> steps) {
		if (jobs.size() == 1) {
			List<Step> all = new ArrayList<>(steps);
			all.add(0, ofIds(LOCK_JOBS, jobs));
			this.transactions.run(QueueTransaction.BEGIN_OPERATION, all);
		}
		else if (!jobs.isEmpty()) {
			this.transactions.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, steps);
		}
	}

	private Step logged(Step step, String changed) {
		return (this.operation != null) ? OperatorLog.counting(step, this.operation, changed) : step;
	}

	/**
	 * A change of archived jobs within another transaction.
	 */
	public static final class ArchiveChange {

		private final List<Step> steps;

		private final int jobs;

		private final ChangedRows rows;

		private final AdmissionControl admissionControl;

		private ArchiveChange(List<Step> steps, int jobs, ChangedRows rows, AdmissionControl admissionControl) {
			this.steps = steps;
			this.jobs = jobs;
			this.rows = rows;
			this.admissionControl = admissionControl;
		}

		/**
		 * Return its statements.
		 * @return the steps
		 */
		public List<Step> steps() {
			return this.steps;
		}

		/**
		 * Return whether the statements have changed all jobs.
		 * @return {@code true} if none was locked or gone
		 */
		public boolean isComplete() {
			return this.rows.jobs.size() == this.jobs;
		}

		/**
		 * Release the ordering keys of the deleted jobs, after the commit.
		 * @return the jobs that can be claimed
		 */
		public Collection<JobsAvailable> releaseKeys() {
			return this.rows.releaseKeys(this.admissionControl).available();
		}

	}

	/**
	 * Collects the changed jobs, the keys to release, and the jobs that were skipped
	 * because another job has their unique key.
	 */
	private static final class ChangedRows {

		private final Set<UUID> jobs = new LinkedHashSet<>();

		private final List<JobsAvailable> available = new ArrayList<>();

		private final List<HeldKeys> freed = new ArrayList<>();

		private final Map<UUID, UUID> holders = new HashMap<>();

		private final List<UUID> steps = new ArrayList<>();

		void take(ResultSet row) throws SQLException {
			UUID id = row.getObject("id", UUID.class);
			UUID holder = row.getObject("holder", UUID.class);
			if (holder != null) {
				this.holders.put(id, holder);
			}
			else {
				this.jobs.add(id);
				wake(row);
			}
		}

		private void wake(ResultSet row) throws SQLException {
			if (row.getBoolean("awaited")) {
				this.available.add(Columns.jobsAvailable(row));
			}
			HeldKeys keys = AdmissionControl.keys(row);
			if (keys != null) {
				this.freed.add(keys);
			}
		}

		/**
		 * Add a step of a workflow, after which others may wait again.
		 */
		void follow(ResultSet row) throws SQLException {
			this.steps.add(row.getObject("job_id", UUID.class));
		}

		/**
		 * Release the ordering and limit keys of the changed jobs.
		 */
		ChangeResult releaseKeys(AdmissionControl admissionControl) {
			this.available.addAll(admissionControl.releaseKeys(this.freed));
			return new ChangeResult(this.jobs, this.available, this.holders, this.steps);
		}

	}

}
