package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.util.Assert;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimRequest.AttemptLimits;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.ObstacleStore.Allowance;
import io.jobqueue.internal.store.StorableDuration;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Claims due jobs of a queue, within its limits over all workers.
 */
final class JobClaims {

	private static final Logger logger = LoggerFactory.getLogger(JobClaims.class);

	private final QueueTransaction transactions;

	JobClaims(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	static final String NOTE_CLAIM = """
			INSERT INTO jobqueue_claim (worker_id, claim, expires_at, keep_dead_millis, max_attempts, limited_types,
			                            type_max_attempts, queue, job_ids, limited, claimed_at)
			SELECT d.worker, d.claim, c.expires_at, d.keep_dead_millis, d.max_attempts, d.limited_types,
			       d.type_max_attempts, d.queue, c.job_ids, d.limited, statement_timestamp()
			FROM request d
			CROSS JOIN (
			    SELECT min(lease_until) AS expires_at, array_agg(id) AS job_ids
			    FROM claimed
			    HAVING count(*) > 0) c""";

	/**
	 * Reads the given priorities of a queue, the most urgent first, each from its cursor
	 * position on, so that jobs of a more urgent priority that are due later and dead
	 * rows of finished jobs are not read. {@code place} decides whether a handler is free
	 * for the job; without one, a job on its last attempt is not claimed. Locked rows
	 * keep their {@code ctid}, which is the cheapest way to update them. The lease is 2 s
	 * longer than the maximum run time, so that the worker ends the attempt first. Sizes
	 * are those before compression: {@code octet_length} reads them without detoasting
	 * the value.
	 */
	private static final String CLAIM = """
			WITH request AS (
			    SELECT w.id AS worker, ?::text AS queue, ?::text[] AS types, ?::text[] AS once_types, ?::bigint AS claim,
			           ?::integer AS free,
			           least(?::integer, nullif(current_setting('jobqueue.quota', true), '')::integer) AS quota, ?::bigint AS bytes,
			           ?::integer AS max_attempts, ?::bigint AS max_run_millis, ?::bigint AS keep_dead_millis, ?::smallint[] AS priorities, ?::bigint[] AS run_at_micros,
			           ?::bigint[] AS seqs, ?::text[] AS limited_types, ?::integer[] AS type_max_attempts,
			           ?::bigint[] AS type_max_run_millis,
			           nullif(current_setting('jobqueue.quota', true), '') IS NOT NULL AS limited
			    FROM jobqueue_worker w
			    WHERE w.id = ?
			      AND w.last_active_at > statement_timestamp() - w.timeout_millis * interval '1 millisecond'
			), due AS (
			    SELECT j.*
			    FROM request d
			    CROSS JOIN LATERAL (
			        SELECT j.*
			        FROM unnest(d.priorities, d.run_at_micros, d.seqs) AS t (priority, run_at_micros, seq)
			        CROSS JOIN LATERAL (
			            SELECT j.ctid AS tid, j.priority, j.run_at, j.seq,
			                   j.attempts - coalesce(j.expected_failures, 0) AS counted_attempts,
			                   coalesce(j.max_attempts, d.type_max_attempts[array_position(d.limited_types, j.type)],
			                            d.max_attempts) AS max_attempts,
			                   coalesce(j.max_run_millis, d.type_max_run_millis[array_position(d.limited_types, j.type)],
			                            d.max_run_millis) AS run_limit_millis,
			                   j.type = ANY (d.once_types) AS once,
			                   coalesce(octet_length(j.payload), octet_length(j.payload_bytes), 0)
			                       + coalesce(octet_length(j.headers), 0) AS bytes
			            FROM jobqueue_job j
			            WHERE j.queue = d.queue AND j.priority = t.priority
			              AND (j.run_at, j.seq)
			                  >= ('epoch'::timestamptz + t.run_at_micros * interval '1 microsecond', t.seq)
			              AND j.run_at <= statement_timestamp() AND j.locked_by IS NULL AND %s
			              AND NOT j.cancel_requested AND (j.expires_at <= statement_timestamp()) IS NOT TRUE
			            ORDER BY j.run_at, j.seq
			            LIMIT d.quota
			            FOR UPDATE SKIP LOCKED) j
			        LIMIT d.quota) j
			), placed AS (
			    SELECT p.*, (p.place = 1 OR p.total_bytes <= d.bytes)
			               AND (p.place <= d.free
			                    OR NOT p.once AND (p.max_attempts = 0 OR p.counted_attempts + 1 < p.max_attempts)) AS wanted
			    FROM request d CROSS JOIN (
			        SELECT due.*, row_number() OVER w AS place, sum(bytes) OVER w AS total_bytes
			        FROM due
			        WINDOW w AS (ORDER BY priority, run_at, seq ROWS UNBOUNDED PRECEDING)) p
			), claimed AS (
			    UPDATE jobqueue_job j
			    SET locked_by = d.worker, claim = d.claim, attempts = least(j.attempts + 1, 1000000000), at_most_once = p.once,
			        lease_until = statement_timestamp() + interval '2 seconds' + p.run_limit_millis * interval '1 millisecond'
			    FROM request d CROSS JOIN placed p
			    WHERE j.ctid = p.tid AND p.wanted
			    RETURNING j.*, p.max_attempts AS attempts_limit, p.run_limit_millis
			), noted AS (
			%s
			), found AS (
			    SELECT priority, run_at, seq, id, type, payload, payload_bytes, attempts, expected_failures, attempts_limit,
			           run_limit_millis, created_at, headers, unique_key, ordering_key, limit_key, at_most_once,
			           batch_id, history, releases
			    FROM claimed
			    UNION ALL
			    SELECT priority, run_at, seq, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
			           NULL, NULL, NULL, NULL
			    FROM placed
			    WHERE NOT wanted
			), summary AS (
			    SELECT c.due_jobs, d.quota, CASE WHEN c.due_jobs < d.quota THEN (
			        SELECT date_part('epoch', min(n.run_at) - statement_timestamp()) * 1000
			        FROM unnest(d.priorities) AS t (priority)
			        CROSS JOIN LATERAL (
			            SELECT j.run_at FROM jobqueue_job j
			            WHERE j.queue = d.queue AND j.priority = t.priority AND j.run_at > statement_timestamp()
			              AND j.run_at < 'infinity'
			            ORDER BY j.run_at LIMIT 1) n) END AS due_in_millis
			    FROM request d CROSS JOIN (SELECT count(*) AS due_jobs FROM due) c
			)
			SELECT %s, l.* FROM summary l LEFT JOIN found c ON true
			"""
		.formatted(TypeFilter.of("j.type", "d.types"), NOTE_CLAIM, ClaimRows.COLUMNS);

	/**
	 * A claim of a job that is delivered at most once must survive a crash of the server,
	 * even if the server's default is an asynchronous commit.
	 */
	static final String BEGIN_DURABLE = QueueTransaction.BEGIN + """
			, set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), true)""";

	/**
	 * Claims within limits over all workers are serialised by a lock, which each holds
	 * for milliseconds.
	 */
	private static final String BEGIN_LIMITED = BEGIN_DURABLE + ", set_config('lock_timeout', '100ms', true)";

	/**
	 * Claims within limits are durable: a limit would not count a claim that a crash of
	 * the server has lost. A worker that does not get the lock within 100 ms serves other
	 * queues meanwhile.
	 */
	ClaimResult claim(UUID worker, ClaimRequest request) {
		Answer<ClaimResult> claimed = Answer.ofRows(new ClaimRows(request));
		Step claiming = new Step(CLAIM, (parameters) -> setClaim(parameters, worker, request), claimed);
		String begin = request.onceTypes().isEmpty() ? QueueTransaction.BEGIN_ASYNCHRONOUS : BEGIN_DURABLE;
		try {
			return claim(worker, request, List.of(claiming), claimed,
					(steps) -> this.transactions.run(request.limits().isNone() ? begin : BEGIN_LIMITED, steps));
		}
		catch (CannotAcquireLockException ex) {
			logger.debug("Claim lock of queue {} is held by another worker; retrying", request.queue(), ex);
			return ClaimResult.none(QueueLock.TRY_AGAIN_IN);
		}
	}

	/**
	 * Claim with the given steps and transaction, within the limits of the request.
	 */
	ClaimResult claim(UUID worker, ClaimRequest request, List<Step> claiming, Answer<ClaimResult> claimed,
			Consumer<List<Step>> transaction) {
		Answer<Optional<Duration>> untilAllowed = Answer.ofRows(JobClaims::untilAllowed);
		transaction.accept(withinLimits(worker, request, claiming, untilAllowed));
		return request.limits().isNone() ? claimed.get()
				: untilAllowed.get().map(claimed.get()::withNextDueIn).orElseGet(claimed::get);
	}

	private List<Step> withinLimits(UUID worker, ClaimRequest request, List<Step> claiming, Answer<?> untilAllowed) {
		if (request.limits().isNone()) {
			return claiming;
		}
		List<Step> steps = new ArrayList<>(List.of(QueueLock.LIMITS.of(Set.of(request.queue()), this.transactions),
				computeQuota(request.queue(), request.limits(), untilAllowed)));
		steps.addAll(claiming);
		Rate rate = request.limits().rate();
		if (rate != null) {
			steps.add(recordRate(worker, request, rate));
		}
		return steps;
	}

	/**
	 * Computes how many jobs the limits allow this claim. The concurrency counts jobs
	 * that are claimed now; the rate counts the claims of the last period. If the clock
	 * of the database was set back, earlier claims lie in the future: those more than a
	 * period ahead do not count, the others count until they are a period old.
	 */
	private static final String ALLOW = """
			WITH limits AS (
			    SELECT ?::text AS queue, ?::integer AS concurrency, ?::integer AS rate,
			           statement_timestamp() - p.period AS since, statement_timestamp() + p.period AS until
			    FROM (SELECT ?::bigint * interval '1 millisecond' AS period) p
			), alive AS (
			    SELECT count(*) AS jobs
			    FROM limits l
			    JOIN jobqueue_claim c ON c.queue = l.queue AND c.limited
			    JOIN jobqueue_job j ON j.id = ANY (c.job_ids) AND j.claim = c.claim AND j.locked_by = c.worker_id
			    WHERE l.concurrency IS NOT NULL
			), recent AS (
			    SELECT coalesce(sum(r.jobs), 0) AS jobs, min(r.ended_at) AS first_at
			    FROM limits l JOIN jobqueue_rate r ON r.queue = l.queue AND r.ended_at > l.since AND r.ended_at <= l.until
			), allowed AS (
			    SELECT greatest(0, least(l.concurrency - a.jobs, l.rate - r.jobs)) AS quota,
			           CASE WHEN r.jobs >= l.rate THEN date_part('epoch', r.first_at - l.since) * 1000 END AS due_in_millis
			    FROM limits l CROSS JOIN alive a CROSS JOIN recent r
			)
			SELECT due_in_millis, set_config('jobqueue.quota', quota::text, true) AS quota FROM allowed
			""";

	static Step computeQuota(String queue, ClusterLimits limits, Answer<?> answer) {
		Rate rate = limits.rate();
		return new Step(ALLOW,
				(parameters) -> parameters.value(queue)
					.number(limits.concurrency())
					.number((rate != null) ? rate.limit() : null)
					.number((rate != null) ? Columns.millis(rate.period()) : null),
				answer);
	}

	static Allowance allowance(ResultSet rows) throws SQLException {
		boolean found = rows.next();
		Assert.state(found, "The limits have no row");
		return new Allowance(rows.getInt("quota"), Columns.dueIn(rows));
	}

	private static Optional<Duration> untilAllowed(ResultSet rows) throws SQLException {
		return rows.next() ? Optional.ofNullable(Columns.dueIn(rows)) : Optional.empty();
	}

	private static void setClaim(Parameters parameters, UUID worker, ClaimRequest request) throws SQLException {
		parameters.value(request.queue())
			.texts(request.types())
			.texts(request.onceTypes())
			.value(request.claim())
			.value(request.free())
			.value(request.quota())
			.value(request.bytes())
			.value(request.maxAttempts())
			.number(Columns.ofDuration(request.maxRunTime()))
			.number(Columns.ofDuration(request.keepDead()));
		positions(parameters, request.positions().entrySet());
		typeLimits(parameters, request.typeLimits());
		parameters.value(worker);
	}

	static void typeLimits(Parameters parameters, Map<String, AttemptLimits> limits) throws SQLException {
		if (limits.isEmpty()) {
			parameters.noArray().noArray().noArray();
		}
		else {
			parameters.texts(limits.keySet())
				.integers(limits.values(), AttemptLimits::maxAttempts)
				.bigints(limits.values(), (limit) -> Columns.ofDuration(limit.maxRunTime()));
		}
	}

	private static void positions(Parameters parameters, Collection<Map.Entry<Tier, JobPosition>> positions)
			throws SQLException {
		parameters.smallints(positions, (position) -> position.getKey().priority())
			.bigints(positions, (position) -> Columns.ofInstant(position.getValue().runAt()))
			.bigints(positions, (position) -> position.getValue().seq());
	}

	/**
	 * Adds up the claims of each hundredth of the period in one row, so that about 100
	 * rows per queue are counted.
	 */
	private static final String NOTE = """
			WITH limits AS (
			    SELECT ?::text AS queue, ?::bigint * interval '1 millisecond' AS period
			), outdated AS (
			    DELETE FROM jobqueue_rate r USING limits l
			    WHERE r.queue = l.queue AND (r.ended_at <= statement_timestamp() - l.period
			                                 OR r.ended_at > statement_timestamp() + l.period)
			), claimed AS (
			    SELECT cardinality(job_ids) AS jobs FROM jobqueue_claim WHERE worker_id = ? AND claim = ?
			), added AS (
			    UPDATE jobqueue_rate r
			    SET ended_at = statement_timestamp(), jobs = r.jobs + c.jobs
			    FROM limits l CROSS JOIN claimed c
			    WHERE r.queue = l.queue AND r.began_at > statement_timestamp() - l.period / 100
			      AND r.began_at <= statement_timestamp() AND r.ended_at <= statement_timestamp() + l.period
			    RETURNING r.began_at
			)
			INSERT INTO jobqueue_rate (queue, began_at, ended_at, jobs)
			SELECT l.queue, statement_timestamp(), statement_timestamp(), c.jobs
			FROM limits l CROSS JOIN claimed c
			WHERE NOT EXISTS (SELECT 1 FROM added)
			""";

	private static Step recordRate(UUID worker, ClaimRequest request, Rate rate) {
		return new Step(NOTE,
				(parameters) -> parameters.value(request.queue())
					.value(Columns.millis(rate.period()))
					.value(worker)
					.value(request.claim()));
	}

	/**
	 * Reads the rows of a claim. Each has the time of the claim, and a claimed job, the
	 * position of a withheld job, or neither.
	 */
	static final class ClaimRows implements ResultSetExtractor<ClaimResult> {

		/**
		 * The columns of a claimed job but its id and its type, and the time of the
		 * claim. Times are numbers: the driver builds other ones from their calendar
		 * fields. SQL of the application may have set {@code created_at} to infinity.
		 */
		static final String JOB_COLUMNS = """
				c.priority, (extract(epoch FROM c.run_at) * 1000000)::bigint AS run_at_micros, c.seq, c.payload, c.payload_bytes,
				       c.attempts, c.expected_failures, c.attempts_limit, c.run_limit_millis,
				       (extract(epoch FROM CASE WHEN isfinite(c.created_at) THEN c.created_at ELSE c.run_at END)
				        * 1000000)::bigint AS created_at_micros, c.headers, c.unique_key, c.ordering_key, c.limit_key, c.at_most_once,
				       c.batch_id IS NOT NULL OR c.history IS NOT NULL AS involved, c.releases,
				       (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS at_micros""";

		static final String COLUMNS = "c.id, c.type, " + JOB_COLUMNS;

		private final ClaimRequest request;

		ClaimRows(ClaimRequest request) {
			this.request = request;
		}

		@Override
		public ClaimResult extractData(ResultSet rows) throws SQLException {
			List<ClaimedJob> jobs = new ArrayList<>();
			List<JobsAvailable> withheld = new ArrayList<>();
			Instant at = null;
			Duration nextDueIn = null;
			int due = 0;
			int quota = 0;
			while (rows.next()) {
				if (at == null) {
					at = at(rows);
					nextDueIn = Columns.dueIn(rows);
					due = rows.getInt("due_jobs");
					quota = rows.getInt("quota");
				}
				read(rows, jobs, withheld);
			}
			return new ClaimResult(jobs, withheld, quota, due > jobs.size() + withheld.size(), at == null, at,
					nextDueIn);
		}

		private void read(ResultSet row, List<ClaimedJob> jobs, List<JobsAvailable> withheld) throws SQLException {
			UUID id = row.getObject("id", UUID.class);
			if (id != null) {
				jobs.add(job(id, this.request.claim(), this.request.queue(), row.getString("type"), row));
			}
			else if (row.getObject("seq") != null) {
				withheld.add(new JobsAvailable(new Tier(this.request.queue(), row.getInt("priority")),
						new JobPosition(micros(row, "run_at_micros"), row.getLong("seq")), Duration.ZERO));
			}
		}

		static ClaimedJob job(UUID id, long claim, String queue, String type, ResultSet row) throws SQLException {
			return new ClaimedJob(id, claim, queue, type,
					new Encoded(row.getString("payload"), row.getBytes("payload_bytes")), row.getInt("priority"),
					micros(row, "run_at_micros"), row.getLong("seq"), row.getInt("attempts"),
					row.getInt("expected_failures"), row.getInt("attempts_limit"),
					runTime(row.getLong("run_limit_millis")), micros(row, "created_at_micros"),
					row.getString("headers"), row.getString("unique_key"), row.getString("ordering_key"),
					row.getString("limit_key"), row.getBoolean("at_most_once"), row.getBoolean("involved"),
					row.getInt("releases"));
		}

		/**
		 * Return the time of the claim.
		 */
		static Instant at(ResultSet row) throws SQLException {
			return micros(row, "at_micros");
		}

		private static Instant micros(ResultSet row, String column) throws SQLException {
			return Columns.instant(row.getLong(column));
		}

		/**
		 * The value is bounded because SQL of the application may have written it.
		 */
		private static Duration runTime(long millis) {
			return StorableDuration.shortened(Duration.ofMillis(millis));
		}

	}

}
