package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.MaintenanceStore.CancelResult;
import io.jobqueue.internal.store.MaintenanceStore.FollowUpPass;
import io.jobqueue.internal.store.MaintenanceStore.KeyPass;
import io.jobqueue.internal.store.MaintenanceStore.KeyPosition;
import io.jobqueue.internal.store.MaintenanceStore.PurgePass;
import io.jobqueue.internal.store.MaintenanceStore.ReaperPass;
import io.jobqueue.internal.store.MaintenanceStore.ReaperPosition;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.jobs.JobEndings.EndedJobs;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link MaintenanceStore} of a PostgreSQL database.
 */
public final class PostgresMaintenanceStore implements MaintenanceStore {

	private final QueueTransaction transactions;

	private final AdmissionControl admissionControl;

	private final ProbedRetries probedRetries;

	private final JobReaper reaper;

	private final RefusedRows refused = new RefusedRows();

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresMaintenanceStore(QueueTransaction transactions) {
		this.transactions = transactions;
		this.admissionControl = new AdmissionControl(this.transactions);
		this.probedRetries = new ProbedRetries(this.transactions);
		this.reaper = new JobReaper(this.transactions, this.admissionControl);
	}

	@Override
	public ReaperPass reap(@Nullable ReaperPosition last) {
		return this.reaper.reap(last);
	}

	private static final String FIND_CANCELLABLE = """
			(SELECT id, queue FROM jobqueue_job
			 WHERE expires_at <= statement_timestamp() AND locked_by IS NULL
			 ORDER BY expires_at
			 LIMIT ?)
			UNION
			(SELECT id, queue FROM jobqueue_job
			 WHERE cancel_requested AND locked_by IS NULL
			 ORDER BY id
			 LIMIT ?)
			""";

	@Override
	public Map<UUID, String> findCancellable(int limit) {
		Map<UUID, String> found = new HashMap<>();
		this.transactions.run(QueueTransaction.BEGIN,
				List.of(new Step(FIND_CANCELLABLE, (parameters) -> parameters.value(limit).value(limit),
						(row) -> found.put(row.getObject("id", UUID.class), row.getString("queue")))));
		return found;
	}

	/**
	 * If the database refuses the statement, each job is cancelled alone.
	 */
	@Override
	public CancelResult cancel(Map<UUID, @Nullable Duration> jobs) {
		EndedJobs ended = new EndedJobs();
		try {
			cancel(jobs, ended);
		}
		catch (DataAccessException ex) {
			RefusedRows.require(ex);
			jobs.forEach((job, retention) -> cancelOne(job, retention, ended));
		}
		ended.releaseKeys(this.admissionControl);
		return new CancelResult(ended.jobs(), ended.available());
	}

	private void cancel(Map<UUID, @Nullable Duration> jobs, EndedJobs ended) {
		this.transactions.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT,
				List.of(ended.step(JobEndings.CANCEL_UNCLAIMED, jobs)));
	}

	private void cancelOne(UUID job, @Nullable Duration retention, EndedJobs ended) {
		try {
			cancel(Collections.singletonMap(job, retention), ended);
		}
		catch (DataAccessException ex) {
			this.refused.log(ex, "The reaper could not cancel job " + job);
		}
	}

	/**
	 * Releases jobs whose predecessor no longer exists but did not release them: it
	 * finished while the transaction that enqueued them was open, or it was reaped, or
	 * deleted by SQL of the application.
	 */
	private static final String RELEASE_FOLLOW_UPS = """
			WITH looked_at AS (
			    SELECT id, follows FROM jobqueue_job WHERE follows > ? ORDER BY follows LIMIT ?
			), orphaned AS (
			    SELECT f.id, f.ordering_key IS NOT NULL OR f.limit_key IS NOT NULL AS pending, f.admission IS NOT NULL AS depends
			    FROM looked_at l JOIN jobqueue_job f ON f.id BETWEEN l.id AND l.id AND f.follows = l.follows
			    WHERE (SELECT true FROM jobqueue_job p WHERE p.id = l.follows LIMIT 1) IS NULL
			    FOR UPDATE OF f SKIP LOCKED
			), released AS (
			    UPDATE jobqueue_job j
			    SET run_at = CASE WHEN o.pending OR o.depends THEN 'infinity' ELSE greatest(j.due_at, statement_timestamp()) END,
			        due_at = CASE WHEN o.pending OR o.depends THEN greatest(j.due_at, statement_timestamp()) END,
			        admission = CASE WHEN o.depends THEN 'PREDECESSORS' WHEN o.pending THEN 'PENDING' END, follows = NULL
			    FROM orphaned o
			    WHERE j.id BETWEEN o.id AND o.id
			    RETURNING j.queue, j.priority, coalesce(j.due_at, j.run_at) AS run_at, j.seq, o.pending, o.depends
			)
			SELECT queue, priority, run_at, seq, date_part('epoch', run_at - statement_timestamp()) * 1000 AS due_in_millis,
			       pending, NULL::uuid AS last
			FROM released
			WHERE NOT depends
			UNION ALL
			SELECT NULL, NULL, NULL, NULL, NULL, NULL, (SELECT follows FROM looked_at ORDER BY follows OFFSET ?::bigint - 1)
			""";

	@Override
	public FollowUpPass releaseFollowUps(@Nullable UUID last, int limit) {
		return this.transactions.query(QueueTransaction.BEGIN, RELEASE_FOLLOW_UPS,
				(parameters) -> parameters.value((last != null) ? last : Columns.LOWEST_ID).value(limit).value(limit),
				PostgresMaintenanceStore::followUpPass);
	}

	private static FollowUpPass followUpPass(ResultSet rows) throws SQLException {
		List<JobsAvailable> released = new ArrayList<>();
		UUID last = null;
		while (rows.next()) {
			if (rows.getString("queue") != null) {
				released.add(Columns.jobsAvailable(rows));
			}
			else {
				last = rows.getObject("last", UUID.class);
			}
		}
		return new FollowUpPass(released, last);
	}

	@Override
	public Collection<JobsAvailable> releaseRetries() {
		return this.probedRetries.release();
	}

	@Override
	public KeyPass sweepTurns(@Nullable KeyPosition last, int limit) {
		return this.admissionControl.sweepTurns(last, limit);
	}

	@Override
	public KeyPass sweepSlots(@Nullable KeyPosition last, int limit) {
		return this.admissionControl.sweepSlots(last, limit);
	}

	/**
	 * Deletes unique keys without a live job. A key that another transaction has used
	 * since the snapshot of this statement stays, because its job may not be visible.
	 */
	private static final String FREE_KEYS = """
			), stale AS (
			    SELECT k.queue, k.unique_key
			    FROM %s
			    JOIN jobqueue_key k ON k.queue = s.queue AND k.unique_key = s.unique_key AND k.used_by = s.used_by
			    WHERE NOT EXISTS (SELECT 1 FROM jobqueue_job j WHERE j.id IN (s.job_id, s.follow_up_id))
			    FOR UPDATE OF k SKIP LOCKED
			), freed AS (
			    DELETE FROM jobqueue_key k USING stale s WHERE k.queue = s.queue AND k.unique_key = s.unique_key
			)""";

	/**
	 * Deletes expired windows, and their unique keys without a live job.
	 */
	private static final String END_DEDUPES = """
			WITH ended AS (
			    DELETE FROM jobqueue_dedupe
			    WHERE ctid = ANY (ARRAY(
			        SELECT ctid FROM jobqueue_dedupe
			        WHERE ends_at <= statement_timestamp()
			        ORDER BY ends_at
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED))
			    RETURNING queue, unique_key
			%s
			SELECT count(*) FROM ended
			""".formatted(
			FREE_KEYS.formatted("ended e JOIN jobqueue_key s ON s.queue = e.queue AND s.unique_key = e.unique_key"));

	@Override
	public int endDedupes(int limit) {
		return this.transactions.query(QueueTransaction.BEGIN, END_DEDUPES, (parameters) -> parameters.value(limit),
				(rows) -> rows.next() ? rows.getInt(1) : 0);
	}

	/**
	 * Reads keys after a given one, and deletes those without a live job.
	 */
	private static final String SWEEP_KEYS = """
			WITH looked_at AS (
			    SELECT * FROM jobqueue_key
			    WHERE (queue, unique_key) > (?, ?)
			    ORDER BY queue, unique_key
			    LIMIT ?
			%s
			SELECT queue, unique_key FROM looked_at ORDER BY queue, unique_key OFFSET ?::bigint - 1
			""".formatted(FREE_KEYS.formatted("looked_at s"));

	@Override
	public @Nullable KeyPosition sweepKeys(@Nullable KeyPosition last, int limit) {
		return this.transactions.first(QueueTransaction.BEGIN, SWEEP_KEYS,
				(parameters) -> parameters.value((last != null) ? last.queue() : "")
					.value((last != null) ? last.key() : "")
					.value(limit)
					.value(limit),
				(row, number) -> new KeyPosition(row.getString("queue"), row.getString("unique_key")));
	}

	/**
	 * A finished batch stays for 7 days, and for as long as its callback is live or may
	 * be retried.
	 */
	static final String EXPIRED_BATCHES = """
			b.finished_at <= statement_timestamp() - interval '7 days'
			          AND NOT EXISTS (SELECT 1 FROM jobqueue_job j WHERE j.id IN (b.then_id, b.failure_id))
			          AND NOT EXISTS (
			              SELECT 1 FROM jobqueue_archive a WHERE a.id IN (b.then_id, b.failure_id) AND a.state <> 'SUCCEEDED')""";

	private static final String EXPIRY_OF_OPERATIONS = "statement_timestamp() - interval '90 days'";

	static final String EXPIRED_OPERATIONS = "at <= " + EXPIRY_OF_OPERATIONS;

	/**
	 * The rows after the latest 1,000,000 are counted only while the statistics of the
	 * database, which cost nothing to read, say that there are 1,100,000.
	 */
	private static final String EXPIRED_OR_EXCESS_OPERATIONS = "at <= greatest(" + EXPIRY_OF_OPERATIONS + """
			, (
			            SELECT e.at FROM jobqueue_operator_log e
			            WHERE (SELECT reltuples FROM pg_class WHERE oid = 'jobqueue_operator_log'::regclass) >= 1100000
			            ORDER BY e.at DESC, e.id DESC
			            OFFSET 1000000 LIMIT 1))""";

	/**
	 * The first of the hours of a week has begun up to an hour before the week.
	 */
	static final String EXPIRED_STATISTICS = "minutes IN (1, 10) AND at <= statement_timestamp() - interval '169 hours'";

	/**
	 * A job that did not succeed leaves a row for the jobs that wait for it, also for
	 * those that are being enqueued, and for its workflow: for a day at least.
	 */
	private static final String PURGE = """
			WITH purged AS (
			    DELETE FROM jobqueue_archive
			    WHERE id = ANY (ARRAY(
			        SELECT id FROM jobqueue_archive
			        WHERE keep_until <= statement_timestamp()
			        ORDER BY keep_until
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED))
			    RETURNING id, state
			), unarchived AS (
			    INSERT INTO jobqueue_unarchived (id, removed_at)
			    SELECT id, statement_timestamp() FROM purged WHERE state <> 'SUCCEEDED'
			    ON CONFLICT (id) DO NOTHING
			), removed AS (
			    DELETE FROM jobqueue_unarchived
			    WHERE id = ANY (ARRAY(
			        SELECT u.id FROM jobqueue_unarchived u
			        WHERE u.removed_at <= statement_timestamp() - interval '1 day' AND (
			            SELECT true FROM jobqueue_dependency d WHERE d.predecessor_id = u.id AND NOT d.satisfied LIMIT 1) IS NULL
			              AND (SELECT true FROM jobqueue_workflow_step s WHERE s.job_id = u.id AND s.state = 'STARTED' LIMIT 1) IS NULL
			        ORDER BY u.removed_at
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED))
			    RETURNING 1
			), batches AS (
			    DELETE FROM jobqueue_batch
			    WHERE id = ANY (ARRAY(
			        SELECT b.id FROM jobqueue_batch b
			        WHERE %s
			        ORDER BY b.finished_at
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED))
			    RETURNING id
			), tallies AS (
			    DELETE FROM jobqueue_batch_tally t USING batches b WHERE t.batch_id BETWEEN b.id AND b.id
			), statistics AS (
			    DELETE FROM jobqueue_statistics
			    WHERE ctid = ANY (ARRAY(
			        SELECT ctid FROM jobqueue_statistics
			        WHERE %s
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED))
			), operations AS (
			    DELETE FROM jobqueue_operator_log
			    WHERE id = ANY (ARRAY(
			        SELECT id FROM jobqueue_operator_log
			        WHERE %s
			        ORDER BY at
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED))
			    RETURNING 1
			)
			SELECT (SELECT count(*) FROM purged) AS jobs, (SELECT count(*) FROM removed) AS unarchived,
			       (SELECT count(*) FROM batches) AS batches, (SELECT count(*) FROM operations) AS operations,
			       EXISTS (SELECT 1 FROM jobqueue_key) OR EXISTS (SELECT 1 FROM jobqueue_dedupe) AS keys
			"""
		.formatted(EXPIRED_BATCHES, EXPIRED_STATISTICS, EXPIRED_OR_EXCESS_OPERATIONS);

	@Override
	public PurgePass purge(int limit) {
		return this.transactions
			.list(QueueTransaction.BEGIN, PURGE,
					(parameters) -> parameters.value(limit).value(limit).value(limit).value(limit).value(limit),
					(row, number) -> new PurgePass(row.getInt("jobs"), row.getInt("unarchived"), row.getInt("batches"),
							row.getInt("operations"), row.getBoolean("keys")))
			.get(0);
	}

}
