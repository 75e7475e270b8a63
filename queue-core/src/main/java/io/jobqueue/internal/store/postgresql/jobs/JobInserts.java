package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.EnqueuedJob;
import io.jobqueue.internal.store.JobStore.Origin;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.JobFamily;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * Inserts jobs without unique keys in the caller's transaction.
 */
final class JobInserts {

	private static final int MAX_JOBS = 1_000;

	private static final long MAX_LENGTH = 4_000_000;

	private final JdbcTemplate jdbc;

	private final Schema schema;

	JobInserts(JdbcTemplate jdbc, Schema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	/**
	 * @param waiting the ids of the jobs among them that wait for predecessors
	 */
	EnqueueResult write(List<NewJob> jobs, Set<UUID> waiting, Origin origin) {
		List<EnqueuedJob> written = new ArrayList<>(jobs.size());
		List<JobsAvailable> available = new ArrayList<>();
		for (List<NewJob> portion : portions(jobs)) {
			boolean alone = portion.size() == 1 && hasFewColumns(portion.get(0), waiting, origin);
			Instant at = alone ? writeOne(portion.get(0), origin.parent()) : writeAll(portion, waiting, origin);
			portion.forEach((job) -> written.add(added(job, waiting.contains(job.id()), at)));
			available.addAll(alone ? List.of(available(portion.get(0), at)) : available(portion, waiting, at));
		}
		return new EnqueueResult(written, available);
	}

	/**
	 * Divide jobs into portions for single statements, of at most 1,000 jobs and about 4
	 * million characters or bytes of payloads and headers, to bound the memory of client
	 * and server.
	 */
	static List<List<NewJob>> portions(List<NewJob> jobs) {
		List<List<NewJob>> portions = new ArrayList<>();
		int start = 0;
		long length = 0;
		for (int index = 0; index < jobs.size(); index++) {
			length += length(jobs.get(index));
			if (index > start && (index - start == MAX_JOBS || length > MAX_LENGTH)) {
				portions.add(jobs.subList(start, index));
				start = index;
				length = length(jobs.get(index));
			}
		}
		portions.add(jobs.subList(start, jobs.size()));
		return portions;
	}

	private static long length(NewJob job) {
		String text = job.payload().text();
		byte[] bytes = job.payload().bytes();
		long length = (text != null) ? text.length() : 0;
		length += (bytes != null) ? bytes.length : 0;
		return length + ((job.headers() != null) ? job.headers().length() : 0);
	}

	private static EnqueuedJob added(NewJob job, boolean blocked, Instant at) {
		return new EnqueuedJob(new JobReceipt(job.id(), Outcome.ADDED), blocked, 0, at, at);
	}

	/**
	 * The statement for a job without keys and expiry is cheaper because it sets fewer
	 * columns.
	 */
	private static boolean hasFewColumns(NewJob job, Set<UUID> waiting, Origin origin) {
		return job.keys().equals(JobKeys.NONE) && job.expiresAfter() == null && !waiting.contains(job.id())
				&& origin.batch() == null;
	}

	private static String insertOne(String columns, String values) {
		return """
				INSERT INTO jobqueue_job (id, queue, type, payload, payload_bytes, priority, run_at, created_at,
				                          max_attempts, max_run_millis, headers%s)
				VALUES (?, ?, ?, ?, ?, ?,
				        greatest(statement_timestamp(), coalesce(
				            'epoch'::timestamptz + ?::bigint * interval '1 microsecond',
				            statement_timestamp() + ?::bigint * interval '1 millisecond')),
				        statement_timestamp(), ?::integer, ?, ?%s)
				RETURNING date_part('epoch', created_at) AS at_seconds
				""".formatted(columns, values);
	}

	private static final String INSERT_ONE = insertOne("", "");

	private static final String INSERT_CHILD = insertOne(", parent_id, root_id", ", ?::uuid, " + JobFamily.ROOT);

	private Instant writeOne(NewJob job, @Nullable UUID parent) {
		return (parent == null) ? write(INSERT_ONE, (parameters) -> set(parameters, job)) : write(INSERT_CHILD,
				(parameters) -> set(parameters, job).value(parent).value(parent).value(parent).value(parent));
	}

	private static Parameters set(Parameters parameters, NewJob job) throws SQLException {
		return parameters.value(job.id())
			.value(job.queue())
			.value(job.type())
			.text(job.payload().text())
			.bytes(job.payload().bytes())
			.value(job.priority())
			.number(Columns.ofInstant(job.runAt()))
			.number(Columns.millis(job.delay()))
			.number(job.maxAttempts())
			.number(Columns.ofDuration(job.maxRunTime()))
			.text(job.headers());
	}

	/**
	 * The family and the batch of all jobs of a statement. Without a parent, the server
	 * reads nothing.
	 */
	static final String ORIGIN = "SELECT ?::uuid AS parent_id, " + JobFamily.ROOT + " AS root_id, ?::uuid AS batch_id";

	static Parameters setOrigin(Parameters parameters, Origin origin) throws SQLException {
		return parameters.uuid(origin.parent())
			.uuid(origin.parent())
			.uuid(origin.parent())
			.uuid(origin.parent())
			.uuid(origin.batch());
	}

	/**
	 * The types and names of the columns that all jobs of a statement have, except for
	 * the unique key.
	 */
	static final String TYPES = """
			?::uuid[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::smallint[], ?::bigint[], ?::bigint[], ?::integer[],
			?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::bigint[]""";

	static final String NAMES = """
			id, queue, type, payload, payload_bytes, priority, run_at_micros, delay_millis, max_attempts, max_run_millis,
			headers, ordering_key, limit_key, job_group, waits, expires_millis""";

	static final String DUE_AT = """
			greatest(statement_timestamp(), coalesce('epoch'::timestamptz + n.run_at_micros * interval '1 microsecond',
			                                         statement_timestamp() + n.delay_millis * interval '1 millisecond'))""";

	/**
	 * For one job, this costs the server twice as much as the statement above; for many,
	 * far less. Sequence numbers follow the order of the arrays, in which unnest returns
	 * the rows. Jobs with an ordering or a limit key become pending unless they wait for
	 * predecessors.
	 */
	private static final String INSERT = """
			WITH origin AS (
			    %s
			), written AS (
			    INSERT INTO jobqueue_job (id, queue, type, payload, payload_bytes, priority, run_at, created_at,
			                              max_attempts, max_run_millis, headers, ordering_key, limit_key, job_group,
			                              due_at, admission, parent_id, root_id, batch_id, expires_at)
			    SELECT n.id, n.queue, n.type, n.payload, n.payload_bytes, n.priority,
			           CASE WHEN g.pending THEN 'infinity' ELSE d.due_at END,
			           statement_timestamp(), n.max_attempts, n.max_run_millis, n.headers,
			           n.ordering_key, n.limit_key, n.job_group,
			           CASE WHEN g.pending THEN d.due_at END,
			           CASE WHEN n.waits THEN 'PREDECESSORS' WHEN g.pending THEN 'PENDING' END, y.parent_id, y.root_id,
			           y.batch_id, d.due_at + n.expires_millis * interval '1 millisecond'
			    FROM unnest(%s) AS n (%s)
			    CROSS JOIN LATERAL (
			        SELECT n.ordering_key IS NOT NULL OR n.limit_key IS NOT NULL OR n.waits IS TRUE AS pending) g
			    CROSS JOIN LATERAL (SELECT %s AS due_at) d
			    CROSS JOIN origin y
			)
			SELECT date_part('epoch', statement_timestamp()) AS at_seconds
			""".formatted(ORIGIN, TYPES, NAMES, DUE_AT);

	private Instant writeAll(List<NewJob> jobs, Set<UUID> waiting, Origin origin) {
		return write(INSERT, (parameters) -> set(setOrigin(parameters, origin), jobs, waiting));
	}

	private Instant write(String sql, Parameters.Setter parameters) {
		return this.jdbc
			.query(this.schema.in(sql), (statement) -> parameters.set(new Parameters(statement)),
					(row, number) -> Columns.instantOfSeconds(row.getDouble("at_seconds")))
			.get(0);
	}

	/**
	 * Set the parameters of {@link #TYPES}.
	 */
	static void set(Parameters parameters, List<NewJob> jobs, Set<UUID> waiting) throws SQLException {
		parameters.uuids(jobs, NewJob::id)
			.texts(jobs, NewJob::queue)
			.texts(jobs, NewJob::type)
			.texts(jobs, (job) -> job.payload().text())
			.bytes(jobs, (job) -> job.payload().bytes())
			.smallints(jobs, NewJob::priority)
			.bigints(jobs, (job) -> Columns.ofInstant(job.runAt()))
			.bigints(jobs, (job) -> Columns.millis(job.delay()))
			.integers(jobs, NewJob::maxAttempts)
			.bigints(jobs, (job) -> Columns.ofDuration(job.maxRunTime()))
			.texts(jobs, NewJob::headers)
			.texts(jobs, (job) -> job.keys().ordering())
			.texts(jobs, (job) -> job.keys().limit())
			.texts(jobs, (job) -> job.keys().group())
			.booleans(jobs, (job) -> waiting.contains(job.id()) ? Boolean.TRUE : null)
			.bigints(jobs, (job) -> Columns.ofDuration(job.expiresAfter()));
	}

	/**
	 * Return one wake-up for each tier, for its first job.
	 * @param jobs the jobs
	 * @param waiting the ids of the jobs among them that wait for predecessors
	 * @param at the time of the insert by the database's clock
	 */
	static Collection<JobsAvailable> available(List<NewJob> jobs, Set<UUID> waiting, Instant at) {
		Map<Tier, JobsAvailable> available = new TreeMap<>();
		for (NewJob job : jobs) {
			if (!waiting.contains(job.id())) {
				JobsAvailable each = available(job, at);
				available.merge(each.tier(), each, JobsAvailable::and);
			}
		}
		return available.values();
	}

	private static JobsAvailable available(NewJob job, Instant at) {
		Instant wanted = (job.runAt() != null) ? job.runAt() : at.plus(job.delay());
		Instant runAt = wanted.isAfter(at) ? wanted : at;
		return new JobsAvailable(new Tier(job.queue(), job.priority()), JobPosition.at(runAt),
				Duration.between(at, runAt), job.keys().needAdmission());
	}

}
