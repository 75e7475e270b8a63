package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.MaintenanceStore.KeyPass;
import io.jobqueue.internal.store.MaintenanceStore.KeyPosition;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Decides when jobs with an ordering or a limit key can be claimed, and releases the keys
 * of jobs that end. The lock {@link QueueLock#ADMISSION} serialises both per queue.
 */
final class AdmissionControl {

	private static final Logger logger = LoggerFactory.getLogger(AdmissionControl.class);

	private static final int MAX_EVALUATED = 1_000;

	private static final Duration SHORT_WAIT_TIME = Duration.ofSeconds(30);

	private final QueueTransaction transactions;

	/**
	 * Queues whose lock was not available, by the time in nanoseconds. Within 30 s,
	 * further attempts wait for it only for 10 ms.
	 */
	private final Map<String, Long> closed = new ConcurrentHashMap<>();

	AdmissionControl(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * A worker that does not get the lock within 100 ms serves other queues meanwhile.
	 */
	private static final String BEGIN_ADMISSION = QueueTransaction.BEGIN_ASYNCHRONOUS
			+ ", set_config('lock_timeout', '100ms', true)";

	AdmissionResult admit(String queue, AdmissionRules rules) {
		Answer<AdmissionResult> admission = Answer.ofRows(AdmissionControl::admission);
		try {
			this.transactions.run(BEGIN_ADMISSION, admitting(queue, rules, admission));
			return admission.get();
		}
		catch (CannotAcquireLockException ex) {
			logger.debug("Admission lock of queue {} is held by another worker; retrying", queue, ex);
			return new AdmissionResult(List.of(), QueueLock.TRY_AGAIN_IN);
		}
	}

	/**
	 * Evaluates due pending jobs, the most urgent priority first. The first live job of
	 * an ordering key has the turn, even if it waits for something else, unless another
	 * job of the key is running. A sequence that starts again repeats numbers: of two
	 * jobs with the same one, the smaller id is the first. A job of the key that was
	 * admitted earlier, because the first one was committed later, loses its admission if
	 * it is not claimed yet. Jobs that have expired, and are not ended yet, delay no
	 * other job of their key. Slots go to the most urgent jobs; jobs that wait for a slot
	 * of the same limit key are evaluated together with the pending ones.
	 */
	private static final String ADMIT = """
			WITH RECURSIVE asked AS (
			    SELECT ?::text AS queue, ?::integer AS slots, ?::boolean AS dead_hold, ?::integer AS quota
			), tier (queue, priority) AS (
			    SELECT a.queue, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = a.queue AND j.admission = 'PENDING'
			        ORDER BY j.priority LIMIT 1)
			    FROM asked a
			    UNION ALL
			    SELECT t.queue, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.admission = 'PENDING' AND j.priority > t.priority
			        ORDER BY j.priority LIMIT 1)
			    FROM tier t
			    WHERE t.priority IS NOT NULL
			), selected AS (
			    SELECT p.*
			    FROM asked a
			    CROSS JOIN LATERAL (
			        SELECT n.*
			        FROM tier t
			        CROSS JOIN LATERAL (
			            SELECT j.ctid AS tid, j.priority, j.due_at, j.seq, j.id, j.admission, j.ordering_key, j.limit_key
			            FROM jobqueue_job j
			            WHERE j.queue = t.queue AND j.priority = t.priority AND j.admission = 'PENDING'
			              AND j.due_at <= statement_timestamp() AND (j.expires_at <= statement_timestamp()) IS NOT TRUE
			            ORDER BY j.due_at, j.seq
			            LIMIT a.quota
			            FOR UPDATE SKIP LOCKED) n
			        LIMIT a.quota) p
			), contended AS (
			    SELECT k.limit_key, CASE WHEN a.slots IS NOT NULL THEN a.slots - (
			        SELECT count(*) FROM (
			            SELECT 1 FROM jobqueue_job j
			            WHERE j.queue = a.queue AND j.limit_key = k.limit_key AND j.due_at IS NULL
			            LIMIT a.slots + a.quota) taken) END AS free
			    FROM asked a
			    CROSS JOIN (SELECT DISTINCT limit_key FROM selected WHERE limit_key IS NOT NULL) k
			), candidate AS (
			    SELECT * FROM selected
			    UNION ALL
			    SELECT w.*
			    FROM asked a
			    CROSS JOIN contended c
			    CROSS JOIN LATERAL (
			        SELECT j.ctid AS tid, j.priority, j.due_at, j.seq, j.id, j.admission, j.ordering_key, j.limit_key
			        FROM jobqueue_job j
			        WHERE j.queue = a.queue AND j.limit_key = c.limit_key AND j.admission = 'SLOT'
			          AND (j.expires_at <= statement_timestamp()) IS NOT TRUE
			        ORDER BY j.priority, j.due_at, j.seq
			        LIMIT greatest(0, coalesce(c.free, a.quota))
			        FOR UPDATE SKIP LOCKED) w
			), head AS (
			    SELECT c.tid, r.tid AS rival_tid
			    FROM asked a
			    CROSS JOIN candidate c
			    LEFT JOIN LATERAL (
			        SELECT j.ctid AS tid FROM jobqueue_job j
			        WHERE j.queue = a.queue AND j.ordering_key = c.ordering_key AND j.due_at IS NULL
			        LIMIT 1) r ON true
			    WHERE c.ordering_key IS NOT NULL AND (
			        SELECT j.seq FROM jobqueue_job j
			        WHERE j.queue = a.queue AND j.ordering_key = c.ordering_key AND (j.seq, j.id) < (c.seq, c.id)
			          AND (j.locked_by IS NULL AND j.expires_at <= statement_timestamp()) IS NOT TRUE
			        ORDER BY j.seq LIMIT 1) IS NULL
			      AND NOT (a.dead_hold AND EXISTS (
			        SELECT 1 FROM jobqueue_archive d
			        WHERE d.queue = a.queue AND d.ordering_key = c.ordering_key AND d.state = 'DEAD'))
			), overtaken AS (
			    SELECT j.ctid AS tid, j.run_at, j.limit_key
			    FROM head h
			    JOIN jobqueue_job j ON j.ctid = h.rival_tid
			    WHERE j.locked_by IS NULL
			    FOR UPDATE OF j SKIP LOCKED
			), turn AS (
			    SELECT c.*, c.ordering_key IS NULL
			           OR h.tid IS NOT NULL AND (h.rival_tid IS NULL OR o.tid IS NOT NULL) AS has_come
			    FROM candidate c
			    LEFT JOIN head h ON h.tid = c.tid
			    LEFT JOIN overtaken o ON o.tid = h.rival_tid
			), placed AS (
			    SELECT t.*, row_number() OVER (PARTITION BY t.limit_key, t.has_come ORDER BY t.priority, t.due_at, t.seq)
			               AS place
			    FROM turn t
			), verdict AS (
			    SELECT p.tid, p.due_at, p.admission AS before,
			           CASE WHEN NOT p.has_come THEN 'ORDER'
			                WHEN p.place > c.free + coalesce(f.slots, 0) THEN 'SLOT' END AS admission
			    FROM placed p
			    LEFT JOIN contended c ON c.limit_key = p.limit_key
			    LEFT JOIN (
			        SELECT limit_key, count(*) AS slots FROM overtaken GROUP BY limit_key) f ON f.limit_key = p.limit_key
			    UNION ALL
			    SELECT tid, run_at, NULL, 'ORDER' FROM overtaken
			), written AS (
			    UPDATE jobqueue_job j
			    SET admission = v.admission, run_at = CASE WHEN v.admission IS NULL THEN v.due_at ELSE 'infinity' END,
			        due_at = CASE WHEN v.admission IS NOT NULL THEN v.due_at END
			    FROM verdict v
			    WHERE j.ctid = v.tid AND v.admission IS DISTINCT FROM v.before
			    RETURNING j.priority, j.run_at, j.seq, j.admission
			), admitted AS (
			    SELECT DISTINCT ON (priority) priority, run_at, seq
			    FROM written
			    WHERE admission IS NULL
			    ORDER BY priority, run_at, seq
			), summary AS (
			    SELECT a.queue, CASE WHEN (SELECT count(*) FROM selected) >= a.quota THEN 0 ELSE (
			        SELECT date_part('epoch', min(n.due_at) - statement_timestamp()) * 1000
			        FROM tier t
			        CROSS JOIN LATERAL (
			            SELECT j.due_at FROM jobqueue_job j
			            WHERE j.queue = t.queue AND j.priority = t.priority AND j.admission = 'PENDING'
			              AND j.due_at > statement_timestamp()
			            ORDER BY j.due_at LIMIT 1) n) END AS due_in_millis
			    FROM asked a
			)
			SELECT l.queue, l.due_in_millis, d.* FROM summary l LEFT JOIN admitted d ON true
			""";

	List<Step> admitting(String queue, AdmissionRules rules, Answer<AdmissionResult> admission) {
		return List.of(QueueLock.ADMISSION.of(Set.of(queue), this.transactions),
				new Step(ADMIT,
						(parameters) -> parameters.value(queue)
							.number(rules.concurrency())
							.value(rules.deadHeadHolds())
							.value(MAX_EVALUATED),
						admission));
	}

	static AdmissionResult admission(ResultSet rows) throws SQLException {
		List<JobsAvailable> admitted = new ArrayList<>();
		Duration nextDueIn = null;
		while (rows.next()) {
			nextDueIn = Columns.dueIn(rows);
			if (rows.getObject("seq") != null) {
				admitted.add(new JobsAvailable(Columns.tier(rows), Columns.position(rows), Duration.ZERO));
			}
		}
		return new AdmissionResult(admitted, nextDueIn);
	}

	private static final String RECONSIDERED = """
			, held AS (
			    SELECT j.ctid AS tid
			    FROM next n
			    JOIN jobqueue_job j ON j.ctid = n.tid
			    WHERE j.admission IN ('ORDER', 'SLOT')
			    FOR UPDATE OF j SKIP LOCKED
			), reconsidered AS (
			    UPDATE jobqueue_job j SET admission = 'PENDING'
			    FROM held h
			    WHERE j.ctid = h.tid
			    RETURNING j.queue, j.priority
			)
			SELECT queue, priority, statement_timestamp() AS run_at, 0::bigint AS seq, 0 AS due_in_millis, true AS pending,
			       NULL::text AS last_key
			FROM reconsidered
			GROUP BY queue, priority
			""";

	private static final String SWEPT = RECONSIDERED + """
			UNION ALL
			SELECT queue, NULL, NULL, NULL, NULL, NULL, name FROM visited WHERE place = ?
			""";

	/**
	 * Makes the next jobs of released keys pending again: the first job of each ordering
	 * key, or all that have its number, and one waiting job for each released slot of a
	 * limit key.
	 */
	private static final String RECONSIDER = """
			WITH freed AS (
			    SELECT f.* FROM unnest(?::text[], ?::text[], ?::text[]) AS f (queue, ordering_key, limit_key)
			), next AS (
			    SELECT h.tid
			    FROM (SELECT DISTINCT queue, ordering_key FROM freed WHERE ordering_key IS NOT NULL) f
			    CROSS JOIN LATERAL (
			        SELECT j.ctid AS tid FROM jobqueue_job j
			        WHERE j.queue = f.queue AND j.ordering_key = f.ordering_key
			          AND (j.locked_by IS NULL AND j.expires_at <= statement_timestamp()) IS NOT TRUE
			        ORDER BY j.seq FETCH FIRST ROW WITH TIES) h
			    UNION
			    SELECT w.tid
			    FROM (
			        SELECT queue, limit_key, count(*) AS slots FROM freed
			        WHERE limit_key IS NOT NULL
			        GROUP BY queue, limit_key) f
			    CROSS JOIN LATERAL (
			        SELECT j.ctid AS tid FROM jobqueue_job j
			        WHERE j.queue = f.queue AND j.limit_key = f.limit_key AND j.admission = 'SLOT'
			          AND (j.expires_at <= statement_timestamp()) IS NOT TRUE
			        ORDER BY j.priority, j.due_at, j.seq LIMIT f.slots) w
			)""" + RECONSIDERED;

	/**
	 * Return the steps that release keys. They must be the last steps of a transaction:
	 * the holder of the lock must not wait for another lock.
	 */
	List<Step> releaseKeys(Collection<HeldKeys> freed, RowCallbackHandler reconsidered) {
		Step reconsider = new Step(RECONSIDER,
				(parameters) -> parameters.texts(freed, HeldKeys::queue)
					.texts(freed, HeldKeys::ordering)
					.texts(freed, HeldKeys::limit),
				reconsidered);
		return List.of(QueueLock.ADMISSION.of(queues(freed), this.transactions), reconsider);
	}

	/**
	 * Return the keys of the job of a row, {@code null} if it has neither an ordering nor
	 * a limit key to release.
	 */
	static @Nullable HeldKeys keys(ResultSet row) throws SQLException {
		HeldKeys keys = new HeldKeys(row.getString("queue"), row.getString("ordering_key"), row.getString("limit_key"));
		return (keys.ordering() != null || keys.limit() != null) ? keys : null;
	}

	private static Set<String> queues(Collection<HeldKeys> freed) {
		return freed.stream().map(HeldKeys::queue).collect(Collectors.toSet());
	}

	/**
	 * After a timeout, the next attempts do not wait for the lock longer than 10 ms.
	 */
	private static final String BEGIN_RELEASE_AT_ONCE = QueueTransaction.BEGIN
			+ ", set_config('lock_timeout', '10ms', true)";

	/**
	 * The lock is held for milliseconds unless the process of its holder is suspended.
	 */
	private static final String BEGIN_RELEASE = QueueTransaction.BEGIN + ", set_config('lock_timeout', '2s', true)";

	/**
	 * Release keys in a transaction of its own, after the end of their jobs was
	 * committed. A failure is logged and not thrown, because that commit remains valid.
	 */
	Collection<JobsAvailable> releaseKeys(Collection<HeldKeys> freed) {
		List<JobsAvailable> reconsidered = new ArrayList<>();
		if (freed.isEmpty()) {
			return reconsidered;
		}
		Set<String> queues = queues(freed);
		boolean closed = areClosed(queues);
		try {
			this.transactions.run(closed ? BEGIN_RELEASE_AT_ONCE : BEGIN_RELEASE,
					releaseKeys(freed, (row) -> reconsidered.add(Columns.jobsAvailable(row))));
			if (this.closed.keySet().removeAll(queues)) {
				logger.info("Ordering and limit keys of queues {} are released again", queues);
			}
		}
		catch (CannotAcquireLockException ex) {
			if (!closed) {
				queues.forEach((queue) -> this.closed.put(queue, System.nanoTime()));
			}
			left(closed ? Level.DEBUG : Level.WARN, ex);
		}
		catch (DataAccessException ex) {
			left(Level.WARN, ex);
		}
		return reconsidered;
	}

	private boolean areClosed(Set<String> queues) {
		long now = System.nanoTime();
		this.closed.values().removeIf((time) -> now - time > SHORT_WAIT_TIME.toNanos());
		return queues.stream().anyMatch(this.closed::containsKey);
	}

	private static void left(Level level, DataAccessException ex) {
		logger.atLevel(level)
			.log("Could not release the ordering and limit keys of ended jobs; the reaper admits the jobs that wait for them: {}",
					FailureText.of(ex));
		logger.debug("Could not release ordering and limit keys", ex);
	}

	/**
	 * Visits ordering keys after a given one for which jobs wait for their turn. The
	 * first job of a key becomes pending again if it waits although no job of the key is
	 * admitted: a preceding job was deleted by SQL of the application, or its worker
	 * stopped before it released the key.
	 */
	private static final String SWEEP_TURNS = """
			WITH RECURSIVE visited (queue, name, place) AS (
			    (SELECT j.queue, j.ordering_key, 1 FROM jobqueue_job j
			     WHERE j.admission = 'ORDER' AND (j.queue, j.ordering_key) > (?, ?)
			     ORDER BY j.queue, j.ordering_key LIMIT 1)
			    UNION ALL
			    SELECT n.queue, n.ordering_key, v.place + 1
			    FROM visited v
			    CROSS JOIN LATERAL (
			        SELECT j.queue, j.ordering_key FROM jobqueue_job j
			        WHERE j.admission = 'ORDER' AND (j.queue, j.ordering_key) > (v.queue, v.name)
			        ORDER BY j.queue, j.ordering_key LIMIT 1) n
			    WHERE v.place < ?
			), next AS (
			    SELECT h.tid
			    FROM visited v
			    CROSS JOIN LATERAL (
			        SELECT j.ctid AS tid, j.admission FROM jobqueue_job j
			        WHERE j.queue = v.queue AND j.ordering_key = v.name
			        ORDER BY j.seq FETCH FIRST ROW WITH TIES) h
			    WHERE h.admission = 'ORDER' AND NOT EXISTS (
			        SELECT 1 FROM jobqueue_job j
			        WHERE j.queue = v.queue AND j.ordering_key = v.name AND j.due_at IS NULL)
			)""" + SWEPT;

	KeyPass sweepTurns(@Nullable KeyPosition last, int limit) {
		return sweep(SWEEP_TURNS, last, limit);
	}

	/**
	 * Visits limit keys after a given one and makes the first job that waits for a slot
	 * of each pending again. The number of slots is not stored; only a node that serves
	 * the queue can evaluate whether one is free.
	 */
	private static final String SWEEP_SLOTS = """
			WITH RECURSIVE visited (queue, name, place, tid) AS (
			    (SELECT j.queue, j.limit_key, 1, j.ctid FROM jobqueue_job j
			     WHERE j.admission = 'SLOT' AND (j.queue, j.limit_key) > (?, ?)
			     ORDER BY j.queue, j.limit_key, j.priority, j.due_at, j.seq LIMIT 1)
			    UNION ALL
			    SELECT n.queue, n.limit_key, v.place + 1, n.tid
			    FROM visited v
			    CROSS JOIN LATERAL (
			        SELECT j.queue, j.limit_key, j.ctid AS tid FROM jobqueue_job j
			        WHERE j.admission = 'SLOT' AND (j.queue, j.limit_key) > (v.queue, v.name)
			        ORDER BY j.queue, j.limit_key, j.priority, j.due_at, j.seq LIMIT 1) n
			    WHERE v.place < ?
			), next AS (
			    SELECT tid FROM visited
			)""" + SWEPT;

	KeyPass sweepSlots(@Nullable KeyPosition last, int limit) {
		return sweep(SWEEP_SLOTS, last, limit);
	}

	private KeyPass sweep(String sql, @Nullable KeyPosition last, int limit) {
		return this.transactions.query(QueueTransaction.BEGIN, sql,
				(parameters) -> parameters.value((last != null) ? last.queue() : "")
					.value((last != null) ? last.key() : "")
					.value(limit)
					.value(limit),
				AdmissionControl::pass);
	}

	private static KeyPass pass(ResultSet rows) throws SQLException {
		List<JobsAvailable> reconsidered = new ArrayList<>();
		KeyPosition last = null;
		while (rows.next()) {
			String key = rows.getString("last_key");
			if (key != null) {
				last = new KeyPosition(rows.getString("queue"), key);
			}
			else {
				reconsidered.add(Columns.jobsAvailable(rows));
			}
		}
		return new KeyPass(reconsidered, last);
	}

}
