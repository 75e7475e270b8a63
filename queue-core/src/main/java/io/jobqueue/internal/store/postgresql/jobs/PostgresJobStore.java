package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.AttemptStore.ProgressReport;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.NewJobRequest;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.JobStore.SingleClaimResult;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.JobStore.TierBacklog.UnknownJobs;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.CallerStatements;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * The {@link JobStore} of a PostgreSQL database.
 */
public final class PostgresJobStore implements JobStore {

	private final JdbcTemplate jdbc;

	private final JobInserts inserts;

	private final UniqueJobInserts uniqueInserts;

	private final DependencyInserts dependencies;

	private final PostgresBatchStore batches;

	private final JobClaims claims;

	private final NewJobClaim newJobClaim;

	private final SingleJobClaim singleJobClaim;

	private final QueueTransaction transactions;

	private final AdmissionControl admissionControl;

	private final ProbedRetries probedRetries;

	/**
	 * Create the store.
	 * @param callers runs statements in the transactions of callers
	 * @param transactions runs transactions of the queue
	 */
	public PostgresJobStore(JdbcTemplate callers, QueueTransaction transactions) {
		Schema schema = transactions.schema();
		this.jdbc = callers;
		this.inserts = new JobInserts(this.jdbc, schema);
		this.uniqueInserts = new UniqueJobInserts(this.jdbc, schema);
		this.dependencies = new DependencyInserts(new CallerStatements(this.jdbc, schema));
		this.batches = new PostgresBatchStore(this.jdbc, schema);
		this.transactions = transactions;
		this.admissionControl = new AdmissionControl(this.transactions);
		this.claims = new JobClaims(this.transactions);
		this.newJobClaim = new NewJobClaim(this.transactions);
		this.singleJobClaim = new SingleJobClaim(this.transactions, this.admissionControl, this.claims);
		this.probedRetries = new ProbedRetries(this.transactions);
	}

	@Override
	public EnqueueResult enqueue(List<NewJob> jobs, Origin origin) {
		UUID batch = origin.batch();
		return (batch != null) ? this.batches.add(batch, jobs, () -> write(jobs, origin)) : write(jobs, origin);
	}

	private EnqueueResult write(List<NewJob> jobs, Origin origin) {
		return isAny(jobs, (job) -> !job.predecessors().ids().isEmpty())
				? this.dependencies.write(jobs, (all, waiting) -> write(all, waiting, origin))
				: write(jobs, Set.of(), origin);
	}

	private EnqueueResult write(List<NewJob> jobs, Set<UUID> waiting, Origin origin) {
		return isAny(jobs, (job) -> job.keys().unique() != null) ? this.uniqueInserts.write(jobs, waiting, origin)
				: this.inserts.write(jobs, waiting, origin);
	}

	/**
	 * A loop, because a stream would add 3 % to the bytes that an enqueue allocates.
	 */
	private static boolean isAny(List<NewJob> jobs, Predicate<NewJob> condition) {
		for (NewJob job : jobs) {
			if (condition.test(job)) {
				return true;
			}
		}
		return false;
	}

	private static final String END_IF_SUSPENDED = "SELECT set_config('idle_in_transaction_session_timeout', ?, true)";

	@Override
	public void endIfSuspended(Duration limit) {
		this.jdbc.queryForObject(END_IF_SUSPENDED, String.class, Long.toString(limit.toMillis()));
	}

	@Override
	public ClaimResult claim(UUID worker, ClaimRequest request) {
		return this.claims.claim(worker, request);
	}

	@Override
	public ClaimResult claimNew(UUID worker, NewJobRequest request) {
		return this.newJobClaim.claim(worker, request);
	}

	@Override
	public SingleClaimResult claimOne(UUID worker, UUID job, ClaimRequest request, @Nullable AdmissionRules keys) {
		return this.singleJobClaim.claim(worker, job, request, keys);
	}

	@Override
	public AdmissionResult admit(String queue, AdmissionRules rules) {
		return this.admissionControl.admit(queue, rules);
	}

	private static final String RELEASE = """
			WITH unseen AS (
			    DELETE FROM jobqueue_claim
			    WHERE worker_id = ? AND claim = ANY (?::bigint[])
			    RETURNING worker_id, claim, job_ids
			)
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1
			FROM unseen u
			WHERE j.id = ANY (u.job_ids) AND j.claim = u.claim AND j.locked_by = u.worker_id
			RETURNING j.queue, j.priority, j.run_at, j.seq, false AS pending, 0 AS due_in_millis
			""";

	@Override
	public Collection<JobsAvailable> release(UUID worker, Collection<Long> claims) {
		return this.transactions.list(QueueTransaction.BEGIN, RELEASE,
				(parameters) -> parameters.value(worker).bigints(claims, (claim) -> claim),
				(row, number) -> Columns.jobsAvailable(row));
	}

	/**
	 * Reads each priority of a queue. Jobs without a handler in this worker collect among
	 * the first due jobs, so that the first 200 are enough to find them in a queue of any
	 * length.
	 */
	private static final String SCAN = """
			WITH RECURSIVE served AS (
			    SELECT s.queue, s.best, s.worst, string_to_array(s.names, chr(10)) AS types
			    FROM unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[]) AS s (queue, names, best, worst)
			), tier (queue, worst, types, priority) AS (
			    SELECT s.queue, s.worst, s.types, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = s.queue AND j.priority >= s.best
			        ORDER BY j.priority LIMIT 1)
			    FROM served s
			    UNION ALL
			    SELECT t.queue, t.worst, t.types, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.priority > t.priority
			        ORDER BY j.priority LIMIT 1)
			    FROM tier t
			    WHERE t.priority < t.worst
			)
			SELECT t.queue, t.priority, coalesce(h.run_at, f.run_at, statement_timestamp()) AS run_at,
			       coalesce(h.seq, f.seq, 0) AS seq, h.unknown_type, h.unknown_jobs,
			       CASE WHEN coalesce(h.seq, f.seq) IS NOT NULL THEN 0 ELSE (
			           SELECT date_part('epoch', j.run_at - statement_timestamp()) * 1000
			           FROM jobqueue_job j
			           WHERE j.queue = t.queue AND j.priority = t.priority AND j.run_at > statement_timestamp()
			             AND j.run_at < 'infinity'
			           ORDER BY j.run_at LIMIT 1) END AS due_in_millis, (
			           SELECT date_part('epoch', j.due_at - statement_timestamp()) * 1000
			           FROM jobqueue_job j
			           WHERE j.queue = t.queue AND j.priority = t.priority AND j.admission = 'PENDING'
			           ORDER BY j.due_at LIMIT 1) AS admit_in_millis
			FROM tier t
			CROSS JOIN LATERAL (
			    SELECT count(*) AS jobs, min(w.type) FILTER (WHERE NOT w.served) AS unknown_type,
			           count(*) FILTER (WHERE NOT w.served) AS unknown_jobs,
			           (array_agg(w.run_at ORDER BY w.run_at, w.seq) FILTER (WHERE w.served))[1] AS run_at,
			           (array_agg(w.seq ORDER BY w.run_at, w.seq) FILTER (WHERE w.served))[1] AS seq
			    FROM (
			        SELECT j.run_at, j.seq, j.type, %1$s AS served
			        FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.priority = t.priority AND j.run_at <= statement_timestamp()
			          AND j.locked_by IS NULL
			        ORDER BY j.run_at, j.seq LIMIT 200) w) h
			LEFT JOIN LATERAL (
			    SELECT j.run_at, j.seq
			    FROM jobqueue_job j
			    WHERE h.jobs = 200 AND h.seq IS NULL
			      AND j.queue = t.queue AND j.priority = t.priority AND j.run_at <= statement_timestamp()
			      AND j.locked_by IS NULL AND %1$s
			    ORDER BY j.run_at, j.seq LIMIT 1) f ON true
			WHERE t.priority <= t.worst
			""".formatted(TypeFilter.of("j.type", "t.types"));

	@Override
	public List<TierBacklog> scanBacklog(Collection<ServedQueue> queues) {
		return this.transactions.list(QueueTransaction.BEGIN, SCAN, (parameters) -> {
			parameters.texts(queues, ServedQueue::queue)
				.texts(queues, (queue) -> names(queue.types()))
				.smallints(queues, ServedQueue::minPriority)
				.smallints(queues, ServedQueue::maxPriority);
		}, (row, number) -> new TierBacklog(Columns.tier(row), Columns.position(row), Columns.dueIn(row), unknown(row),
				Columns.fromNow(row, "admit_in_millis")));
	}

	private static @Nullable UnknownJobs unknown(ResultSet row) throws SQLException {
		String type = row.getString("unknown_type");
		return (type != null) ? new UnknownJobs(type, row.getLong("unknown_jobs")) : null;
	}

	/**
	 * Type names contain no line break.
	 */
	private static String names(Set<String> types) {
		return String.join("\n", types);
	}

	/**
	 * Finds jobs by a range of one id, as {@link JobCompletions} does.
	 */
	private static final String EXTEND_LEASES = """
			UPDATE jobqueue_job j
			SET lease_until = statement_timestamp() + interval '2 seconds' + ? * interval '1 millisecond'
			FROM unnest(?::uuid[], ?::bigint[]) AS o (id, claim)
			WHERE j.id BETWEEN o.id AND o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id
			""";

	@Override
	public Set<UUID> extendLeases(UUID worker, Collection<ClaimedJob> jobs, Duration duration) {
		return Set.copyOf(this.transactions.list(QueueTransaction.BEGIN, EXTEND_LEASES,
				(parameters) -> parameters.value(Columns.millis(duration))
					.uuids(jobs, ClaimedJob::id)
					.bigints(jobs, ClaimedJob::claim)
					.value(worker),
				(row, number) -> row.getObject("id", UUID.class)));
	}

	/**
	 * Finds jobs by a range of one id, as {@link JobCompletions} does.
	 */
	private static final String REPORT = """
			WITH reported AS (
			    SELECT j.ctid AS tid, o.percent, o.message
			    FROM unnest(?::uuid[], ?::bigint[], ?::integer[], ?::text[]) AS o (id, claim, percent, message)
			    JOIN jobqueue_job j ON j.id BETWEEN o.id AND o.id AND j.claim = o.claim AND j.locked_by = ?
			    FOR UPDATE OF j SKIP LOCKED
			)
			UPDATE jobqueue_job j SET progress_percent = r.percent, progress_message = r.message
			FROM reported r
			WHERE j.ctid = r.tid
			RETURNING j.id
			""";

	@Override
	public Set<UUID> report(UUID worker, Collection<ProgressReport> reports) {
		return Set.copyOf(this.transactions.list(QueueTransaction.BEGIN_ASYNCHRONOUS, REPORT,
				(parameters) -> parameters.uuids(reports, ProgressReport::id)
					.bigints(reports, ProgressReport::claim)
					.integers(reports, ProgressReport::percent)
					.replacedTexts(reports, ProgressReport::message)
					.value(worker),
				(row, number) -> row.getObject("id", UUID.class)));
	}

	@Override
	public CompletionResult complete(UUID worker, Completed outcome) {
		return completeAll(worker, List.of(outcome));
	}

	@Override
	public CompletionResult completeAll(UUID worker, List<Completed> outcomes) {
		return completions(worker).complete(outcomes, this.jdbc);
	}

	private static final String RENEW_SAVEPOINT = """
			RELEASE SAVEPOINT "%1$s";
			SAVEPOINT "%1$s"
			""";

	/**
	 * The driver prepares the statement on the server, unlike one without parameters that
	 * is executed directly.
	 */
	@Override
	public void renewSavepoint(String name) {
		Boolean unused = this.jdbc.execute(RENEW_SAVEPOINT.formatted(name),
				(PreparedStatementCallback<Boolean>) PreparedStatement::execute);
	}

	@Override
	public CompletionResult completeAndCommit(UUID worker, Completed outcome) {
		return (outcome.plain() && outcome.result() == null) ? completions(worker).completeAndCommit(outcome, this.jdbc)
				: complete(worker, outcome);
	}

	@Override
	public CompletionResult recordOutcomes(UUID worker, Collection<? extends Outcome> outcomes,
			Collection<Long> endedClaims, CompletionEffects effects) {
		return completions(worker).recordOutcomes(outcomes, endedClaims, effects);
	}

	private JobCompletions completions(UUID worker) {
		return new JobCompletions(this.transactions, this.admissionControl, this.probedRetries, worker);
	}

	/**
	 * Locks the unlocked jobs until the end of this transaction.
	 */
	private static final String LOCKED = """
			WITH free AS (
			    SELECT id FROM jobqueue_job WHERE id = ANY (?::uuid[]) FOR UPDATE SKIP LOCKED
			)
			SELECT j.id
			FROM jobqueue_job j
			WHERE j.id = ANY (?::uuid[]) AND NOT EXISTS (SELECT 1 FROM free f WHERE f.id = j.id)
			""";

	@Override
	public Set<UUID> locked(Collection<UUID> jobs) {
		return Set.copyOf(this.transactions.list(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, LOCKED,
				(parameters) -> parameters.uuids(jobs, (job) -> job).uuids(jobs, (job) -> job),
				(row, number) -> row.getObject("id", UUID.class)));
	}

	/**
	 * Updates the claim only, because its jobs may be locked.
	 */
	private static final String EXTEND_CLAIMS = """
			UPDATE jobqueue_claim c
			SET expires_at = greatest(c.expires_at, statement_timestamp() + ? * interval '1 millisecond')
			FROM (
			    SELECT ctid AS tid FROM jobqueue_claim
			    WHERE worker_id = ? AND claim = ANY (?::bigint[])
			    FOR UPDATE SKIP LOCKED) f
			WHERE c.ctid = f.tid
			RETURNING c.claim
			""";

	@Override
	public Set<Long> extendClaims(UUID worker, Collection<Long> claims, Duration time) {
		return Set.copyOf(this.transactions.list(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, EXTEND_CLAIMS,
				(parameters) -> parameters.value(time.toMillis()).value(worker).bigints(claims, (claim) -> claim),
				(row, number) -> row.getLong("claim")));
	}

	@Override
	public Collection<JobsAvailable> releaseRetries(Collection<String> queues) {
		return this.probedRetries.releaseAll(queues);
	}

}
