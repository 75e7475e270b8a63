package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.BatchDetails;
import io.jobqueue.BatchInfo;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRejectedException;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.Origin;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.postgresql.transaction.CallerStatements;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * The {@link BatchStore} of a PostgreSQL database.
 */
public final class PostgresBatchStore implements BatchStore {

	private final JdbcTemplate jdbc;

	private final CallerStatements statements;

	private final JobInserts inserts;

	private final Schema schema;

	/**
	 * Create the store.
	 * @param callers runs statements in the transactions of callers
	 * @param schema the schema of the tables
	 */
	public PostgresBatchStore(JdbcTemplate callers, Schema schema) {
		this.jdbc = callers;
		this.statements = new CallerStatements(callers, schema);
		this.inserts = new JobInserts(this.jdbc, schema);
		this.schema = schema;
	}

	private static final String START = """
			INSERT INTO jobqueue_batch (id, then_id, failure_id, created_at, name)
			VALUES (?, ?, ?::uuid, statement_timestamp(), ?)
			""";

	@Override
	public EnqueueResult start(UUID batch, String name, List<NewJob> callbacks, @Nullable UUID parent) {
		Set<UUID> waiting = callbacks.stream().map(NewJob::id).collect(Collectors.toSet());
		EnqueueResult written = this.inserts.write(callbacks, waiting, new Origin(parent, null));
		UUID failure = (callbacks.size() > 1) ? callbacks.get(1).id() : null;
		this.jdbc.update(this.schema.in(START),
				(statement) -> new Parameters(statement).value(batch)
					.value(callbacks.get(0).id())
					.uuid(failure)
					.value(name));
		return written;
	}

	/**
	 * Write jobs and count those that are added as members.
	 * @param inserts writes the jobs
	 * @throws JobRejectedException if the batch is sealed or unknown, or if a job waits
	 * for one of its callbacks; nothing is written then
	 */
	EnqueueResult add(UUID batch, List<NewJob> jobs, Supplier<EnqueueResult> inserts) {
		check(jobs, lock(batch));
		EnqueueResult written = inserts.get();
		long added = written.jobs().stream().filter((job) -> job.receipt().outcome() == Outcome.ADDED).count();
		count(batch, added);
		return written.withPredecessors(and(batch, written.predecessors()));
	}

	private static Set<UUID> and(UUID batch, Set<UUID> predecessors) {
		Set<UUID> all = new HashSet<>(predecessors);
		all.add(batch);
		return all;
	}

	/**
	 * The shared lock lets others add members at the same time, and the seal wait.
	 */
	private static final String LOCK = """
			SELECT array_remove(ARRAY[then_id, failure_id], NULL) AS callbacks
			FROM jobqueue_batch
			WHERE id = ? AND sealed_at IS NULL
			FOR SHARE
			""";

	private Set<UUID> lock(UUID batch) {
		return this.statements
			.list(LOCK, (parameters) -> parameters.value(batch),
					(row, number) -> Set.of((UUID[]) row.getArray("callbacks").getArray()))
			.stream()
			.findFirst()
			.orElseThrow(() -> new JobRejectedException("batch", """
					%s is sealed or unknown: add members before the seal, in the same transaction as the start or \
					after its commit""".formatted(batch)));
	}

	private static void check(List<NewJob> jobs, Set<UUID> callbacks) {
		for (NewJob job : jobs) {
			for (UUID predecessor : job.predecessors().ids()) {
				if (callbacks.contains(predecessor)) {
					throw new JobRejectedException("after",
							"names %s, which follows this batch and would wait for the job as well"
								.formatted(predecessor));
				}
			}
		}
	}

	private static final String COUNT = """
			INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled) VALUES (?, ?, 0, 0, 0)
			""";

	private void count(UUID batch, long added) {
		this.jdbc.update(this.schema.in(COUNT), (statement) -> new Parameters(statement).value(batch).value(added));
	}

	/**
	 * Does not lock a batch that is sealed already, which may be about to finish.
	 */
	private static final String SEAL = """
			UPDATE jobqueue_batch SET sealed_at = statement_timestamp() WHERE id = ? AND sealed_at IS NULL
			""";

	@Override
	public boolean seal(UUID batch) {
		return this.statements.update(SEAL, (parameters) -> parameters.value(batch)) > 0 || find(batch) != null;
	}

	/**
	 * The counts of a finished batch are in its row; its remaining tallies do not count.
	 */
	private static final String FIND = """
			SELECT b.id, b.name, b.created_at, b.sealed_at, b.finished_at, b.total + t.total AS total,
			       b.succeeded + t.succeeded AS succeeded, b.dead + t.dead AS dead, b.cancelled + t.cancelled AS cancelled
			FROM jobqueue_batch b
			CROSS JOIN LATERAL (
			"""
			+ BatchTallies.SUM + """
					      AND b.finished_at IS NULL) t
					""";

	private static final String FIND_BY_ID = FIND + "WHERE b.id = ?";

	@Override
	public @Nullable BatchDetails find(UUID batch) {
		return first(FIND_BY_ID, (parameters) -> parameters.value(batch));
	}

	private static final String FIND_BY_JOB = FIND + """
			WHERE b.id = (
			    SELECT batch_id FROM jobqueue_job WHERE id = ? AND batch_id IS NOT NULL
			    UNION ALL
			    SELECT id FROM jobqueue_batch WHERE then_id = ?
			    UNION ALL
			    SELECT id FROM jobqueue_batch WHERE failure_id = ?
			    LIMIT 1)
			""";

	@Override
	public @Nullable BatchInfo findByJob(UUID job) {
		BatchDetails found = first(FIND_BY_JOB, (parameters) -> parameters.value(job).value(job).value(job));
		return (found != null) ? found.info() : null;
	}

	private static final String UNFINISHED = FIND + "WHERE b.finished_at IS NULL ORDER BY b.id DESC LIMIT ?";

	@Override
	public List<BatchDetails> unfinished(int limit) {
		return this.statements.list(UNFINISHED, (parameters) -> parameters.value(limit), (row, number) -> details(row));
	}

	private static final String FINISHED = FIND + "WHERE b.finished_at IS NOT NULL ORDER BY b.finished_at DESC LIMIT ?";

	@Override
	public List<BatchDetails> finished(int limit) {
		return this.statements.list(FINISHED, (parameters) -> parameters.value(limit), (row, number) -> details(row));
	}

	private static final String CALLBACKS = """
			SELECT then_id, failure_id FROM jobqueue_batch WHERE id = ?
			""";

	@Override
	public @Nullable Callbacks callbacks(UUID batch) {
		return this.statements
			.list(CALLBACKS, (parameters) -> parameters.value(batch),
					(row, number) -> new Callbacks(row.getObject("then_id", UUID.class),
							row.getObject("failure_id", UUID.class)))
			.stream()
			.findFirst()
			.orElse(null);
	}

	private @Nullable BatchDetails first(String sql, Parameters.Setter parameters) {
		List<BatchDetails> found = this.statements.list(sql, parameters, (row, number) -> details(row));
		return found.isEmpty() ? null : found.get(0);
	}

	private static BatchDetails details(ResultSet row) throws SQLException {
		BatchInfo info = new BatchInfo(row.getLong("total"), row.getLong("succeeded"), row.getLong("dead"),
				row.getLong("cancelled"));
		return new BatchDetails(row.getObject("id", UUID.class), row.getString("name"),
				Columns.instant(row, "created_at"), Columns.nullableInstant(row, "sealed_at"),
				Columns.nullableInstant(row, "finished_at"), info);
	}

}
