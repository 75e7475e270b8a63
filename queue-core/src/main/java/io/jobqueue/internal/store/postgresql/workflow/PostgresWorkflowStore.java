package io.jobqueue.internal.store.postgresql.workflow;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowQuery;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.EnqueuedJob;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresOperationStore;
import io.jobqueue.internal.store.postgresql.jobs.PostgresOperationStore.ArchiveChange;
import io.jobqueue.internal.store.postgresql.transaction.CallerStatements;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.JobFamily;
import io.jobqueue.internal.store.postgresql.transaction.OperatorLog;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link WorkflowStore} of a PostgreSQL database.
 */
public final class PostgresWorkflowStore implements WorkflowStore {

	static final UUID HIGHEST_ID = new UUID(-1, -1);

	private final CallerStatements callers;

	private final QueueTransaction transactions;

	private final PostgresOperationStore operations;

	/**
	 * Create the store.
	 * @param callers runs statements in the transactions of callers
	 * @param transactions runs transactions of the queue
	 * @param operations changes archived jobs within them
	 */
	public PostgresWorkflowStore(JdbcTemplate callers, QueueTransaction transactions,
			PostgresOperationStore operations) {
		this.callers = new CallerStatements(callers, transactions.schema());
		this.transactions = transactions;
		this.operations = operations;
	}

	private static final String START = """
			WITH workflow AS (
			    INSERT INTO jobqueue_workflow (id, created_at, parent_id, root_id, state, name)
			    SELECT ?, statement_timestamp(), ?::uuid, %s, 'RUNNING', ?
			    RETURNING id, parent_id, root_id
			), step AS (
			    INSERT INTO jobqueue_workflow_step (workflow_id, job_id, changed_at, run_at, delay_millis, expires_millis,
			                                        max_run_millis, max_attempts, priority, position, state, name, conditions,
			                                        queue, type, payload, payload_bytes, headers, ordering_key, limit_key, job_group)
			    SELECT w.id, n.job_id, statement_timestamp(), 'epoch'::timestamptz + n.run_at_micros * interval '1 microsecond',
			           n.delay_millis, n.expires_millis, n.max_run_millis, n.max_attempts, n.priority, n.place - 1,
			           CASE WHEN n.conditions = '' THEN 'STARTED' ELSE 'WAITING' END, n.name,
			           string_to_array(n.conditions, '%s'), n.queue, n.type, n.payload, n.payload_bytes, n.headers, n.ordering_key,
			           n.limit_key, n.job_group
			    FROM unnest(?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::smallint[],
			                ?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::bigint[], ?::text[], ?::text[], ?::text[],
			                ?::text[])
			        WITH ORDINALITY AS n (name, conditions, job_id, queue, type, payload, payload_bytes, priority,
			                              run_at_micros, delay_millis, expires_millis, max_attempts, max_run_millis, headers,
			                              ordering_key, limit_key, job_group, place)
			    CROSS JOIN workflow w
			    RETURNING *
			), beginning AS (
			    SELECT s.*, w.parent_id, w.root_id FROM step s CROSS JOIN workflow w WHERE s.state = 'STARTED'
			), begun AS (
			%s
			)
			SELECT %s, date_part('epoch', statement_timestamp()) AS at_seconds FROM begun
			"""
		.formatted(JobFamily.ROOT, StoredConditions.SEPARATOR, BegunJobs.BEGIN, BegunJobs.COLUMNS);

	@Override
	public EnqueueResult start(NewWorkflow workflow, @Nullable UUID parent) {
		BegunJobs begun = new BegunJobs();
		List<Instant> times = this.callers.list(START, (parameters) -> {
			parameters.value(workflow.id()).uuid(parent).uuid(parent).uuid(parent).uuid(parent).value(workflow.name());
			set(parameters, workflow.steps());
		}, (row, number) -> {
			begun.add(row);
			return Columns.instantOfSeconds(row.getDouble("at_seconds"));
		});
		Instant at = times.get(0);
		List<EnqueuedJob> jobs = workflow.steps()
			.stream()
			.map((step) -> new EnqueuedJob(new JobReceipt(step.job().id(), Outcome.ADDED), !step.begins(), 0, at, at))
			.toList();
		return new EnqueueResult(jobs, begun.all());
	}

	private static void set(Parameters parameters, List<NewStep> steps) throws SQLException {
		parameters.texts(steps, NewStep::name)
			.texts(steps, (step) -> StoredConditions.encode(step.conditions()))
			.uuids(steps, (step) -> step.job().id())
			.texts(steps, (step) -> step.job().queue())
			.texts(steps, (step) -> step.job().type())
			.texts(steps, (step) -> step.job().payload().text())
			.bytes(steps, (step) -> step.job().payload().bytes())
			.smallints(steps, (step) -> step.job().priority())
			.bigints(steps, (step) -> Columns.ofInstant(step.job().runAt()))
			.bigints(steps, (step) -> Columns.millis(step.job().delay()))
			.bigints(steps, (step) -> Columns.ofDuration(step.job().expiresAfter()))
			.integers(steps, (step) -> step.job().maxAttempts())
			.bigints(steps, (step) -> Columns.ofDuration(step.job().maxRunTime()))
			.texts(steps, (step) -> step.job().headers())
			.texts(steps, (step) -> step.job().keys().ordering())
			.texts(steps, (step) -> step.job().keys().limit())
			.texts(steps, (step) -> step.job().keys().group());
	}

	private static final String RESULT = """
			SELECT s.queue, s.type, s.result, s.result_bytes
			FROM jobqueue_workflow_step s
			WHERE s.workflow_id = ? AND s.name = ?
			""";

	@Override
	public @Nullable StoredResult result(UUID workflow, String step) {
		return this.callers
			.list(RESULT, (parameters) -> parameters.value(workflow).value(step),
					(row, number) -> new StoredResult(row.getString("queue"), row.getString("type"), encoded(row)))
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static @Nullable Encoded encoded(ResultSet row) throws SQLException {
		String text = row.getString("result");
		byte[] bytes = row.getBytes("result_bytes");
		if (text != null) {
			return Encoded.ofText(text);
		}
		return (bytes != null) ? Encoded.ofBytes(bytes) : null;
	}

	/**
	 * Joins instances with their steps, by an index for each: of a plain join, the
	 * planner expects so many rows that it reads whole tables.
	 */
	private static final String STEPS = """
			CROSS JOIN LATERAL (SELECT w.* FROM jobqueue_workflow w WHERE w.id = i.id LIMIT 1) w
			CROSS JOIN LATERAL (
			    SELECT s.* FROM jobqueue_workflow_step s WHERE s.workflow_id = i.id ORDER BY s.position LIMIT 1000) s
			""";

	/**
	 * The state of a step that has begun is that of its job, from one snapshot of all
	 * tables. A job that is neither live nor archived and has not failed counts as
	 * succeeded. The retry of a job also changes the state of its step.
	 */
	private static final String STATES = """
			SELECT w.id, w.version, w.state AS workflow_state, w.cancel_requested, s.name, s.conditions, s.branch,
			       s.state AS stored, s.job_id, a.state AS archived,
			       CASE WHEN s.state <> 'STARTED' THEN s.state
			            WHEN j.id IS NOT NULL THEN 'STARTED'
			            WHEN a.state IS NOT NULL THEN a.state
			            WHEN u.id IS NOT NULL THEN 'FAILED'
			            ELSE 'SUCCEEDED' END AS state
			FROM instance i
			""" + STEPS
			+ """
					LEFT JOIN LATERAL (SELECT j.id FROM jobqueue_job j WHERE s.state = 'STARTED' AND j.id = s.job_id LIMIT 1) j ON true
					LEFT JOIN LATERAL (
					    SELECT replace(a.state, 'DEAD', 'FAILED') AS state FROM jobqueue_archive a
					    WHERE s.state IN ('STARTED', 'FAILED', 'CANCELLED') AND a.id = s.job_id LIMIT 1) a ON true
					LEFT JOIN LATERAL (SELECT u.id FROM jobqueue_unarchived u WHERE s.state = 'STARTED' AND u.id = s.job_id LIMIT 1) u ON true
					ORDER BY w.id, s.position
					""";

	private static final String OF_JOBS = """
			WITH instance AS (
			    SELECT DISTINCT s.workflow_id AS id
			    FROM unnest(?::uuid[]) AS e (id)
			    CROSS JOIN LATERAL (SELECT s.workflow_id FROM jobqueue_workflow_step s WHERE s.job_id = e.id LIMIT 1) s
			)
			""" + STATES;

	/**
	 * Jobs that are enqueued after this statement has begun resolve their predecessors
	 * themselves.
	 */
	private static final String SETTLED = """
			SELECT e.id
			FROM unnest(?::uuid[]) AS e (id)
			CROSS JOIN LATERAL (SELECT 1 FROM jobqueue_workflow_step s WHERE s.job_id = e.id LIMIT 1) s
			LEFT JOIN LATERAL (SELECT d.job_id FROM jobqueue_dependency d WHERE d.predecessor_id = e.id LIMIT 1) d ON true
			WHERE d.job_id IS NULL
			""";

	@Override
	public StepOwners ofJobs(Collection<UUID> jobs) {
		Setter ids = (parameters) -> parameters.uuids(jobs, (id) -> id);
		Answer<List<StoredWorkflow>> workflows = Answer.ofRows(WorkflowRows::stored);
		Set<UUID> settled = new HashSet<>();
		this.transactions.run(QueueTransaction.BEGIN, List.of(new Step(OF_JOBS, ids, workflows),
				new Step(SETTLED, ids, (row) -> settled.add(row.getObject("id", UUID.class)))));
		return new StepOwners(workflows.get(), settled);
	}

	private static final String FIND = "WITH instance AS (SELECT * FROM unnest(?::uuid[]) AS i (id))\n" + STATES;

	@Override
	public List<StoredWorkflow> find(Collection<UUID> workflows) {
		return this.transactions.query(QueueTransaction.BEGIN, FIND,
				(parameters) -> parameters.uuids(workflows, (id) -> id), WorkflowRows::stored);
	}

	private static final String ADVANCE = """
			WITH mine AS (
			    SELECT w.ctid AS tid, o.state
			    FROM unnest(?::uuid[], ?::bigint[], ?::text[]) AS o (id, version, state)
			    JOIN jobqueue_workflow w ON w.id BETWEEN o.id AND o.id AND w.version = o.version
			    FOR UPDATE OF w SKIP LOCKED
			), advanced AS (
			    UPDATE jobqueue_workflow w
			    SET version = w.version + 1, state = m.state,
			        finished_at = CASE WHEN m.state <> 'RUNNING' THEN statement_timestamp() END
			    FROM mine m
			    WHERE w.ctid = m.tid
			    RETURNING w.id, w.parent_id, w.root_id
			), changed AS (
			    UPDATE jobqueue_workflow_step s
			    SET state = c.state, changed_at = statement_timestamp()
			    FROM unnest(?::uuid[], ?::smallint[], ?::text[], ?::boolean[]) AS c (workflow_id, position, state, begins)
			    JOIN advanced w ON w.id = c.workflow_id
			    WHERE s.workflow_id BETWEEN c.workflow_id AND c.workflow_id AND s.position BETWEEN c.position AND c.position
			    RETURNING s.*, c.begins, w.parent_id, w.root_id
			), beginning AS (
			    SELECT * FROM changed WHERE begins
			), begun AS (
			%s
			)
			SELECT %s, NULL::uuid AS workflow_id FROM begun
			UNION ALL
			SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, id FROM advanced
			"""
		.formatted(BegunJobs.BEGIN, BegunJobs.COLUMNS);

	@Override
	public Advance advance(Collection<ChangedWorkflow> changes) {
		AdvancedRows rows = new AdvancedRows();
		this.transactions.run(QueueTransaction.BEGIN_ASYNCHRONOUS, List.of(rows.step(changes)));
		return rows.result();
	}

	private static void set(Parameters parameters, Collection<ChangedWorkflow> changes) throws SQLException {
		List<Row> rows = changes.stream()
			.flatMap((workflow) -> workflow.steps().stream().map((step) -> new Row(workflow.id(), step)))
			.toList();
		parameters.uuids(changes, ChangedWorkflow::id)
			.bigints(changes, ChangedWorkflow::version)
			.texts(changes, (workflow) -> workflow.state().name())
			.uuids(rows, Row::workflow)
			.smallints(rows, (row) -> row.step().position())
			.texts(rows, (row) -> row.step().state().name())
			.booleans(rows, (row) -> row.step().begins());
	}

	/**
	 * A running instance has a step with a live job. All live jobs of a cancelled one
	 * have a cancel request.
	 */
	private static final String SWEEP = """
			WITH looked_at AS (
			    SELECT w.id, w.cancel_requested FROM jobqueue_workflow w
			    WHERE w.finished_at IS NULL AND w.id > ?
			    ORDER BY w.id
			    LIMIT ?
			)
			SELECT l.id, coalesce((
			           SELECT bool_or(NOT EXISTS (SELECT 1 FROM jobqueue_job j WHERE j.id = s.job_id))
			           FROM jobqueue_workflow_step s
			           WHERE s.workflow_id = l.id AND s.state = 'STARTED'), true) AS ended,
			       CASE WHEN l.cancel_requested THEN ARRAY(
			           SELECT s.job_id
			           FROM jobqueue_workflow_step s
			           CROSS JOIN LATERAL (
			               SELECT 1 FROM jobqueue_job j WHERE j.id = s.job_id AND NOT j.cancel_requested LIMIT 1) j
			           WHERE s.workflow_id = l.id AND s.state = 'STARTED') END AS uncancelled
			FROM looked_at l
			ORDER BY l.id
			""";

	@Override
	public Sweep sweep(@Nullable UUID last, int limit) {
		List<UUID> ended = new ArrayList<>();
		List<UUID> uncancelled = new ArrayList<>();
		List<UUID> all = this.transactions.list(QueueTransaction.BEGIN, SWEEP,
				(parameters) -> parameters.value((last != null) ? last : Columns.LOWEST_ID).value(limit),
				(row, number) -> {
					UUID id = row.getObject("id", UUID.class);
					if (row.getBoolean("ended")) {
						ended.add(id);
					}
					Array jobs = row.getArray("uncancelled");
					if (jobs != null) {
						uncancelled.addAll(List.of((UUID[]) jobs.getArray()));
					}
					return id;
				});
		return new Sweep(ended, uncancelled, (all.size() == limit) ? all.get(limit - 1) : null);
	}

	/**
	 * Reads the instances in the relation {@code instance}.
	 */
	static final String INFO = """
			SELECT w.id, w.name AS workflow, w.state AS workflow_state, w.created_at, w.finished_at, s.name, s.state, s.job_id,
			       s.queue, s.type, s.branch, s.changed_at, s.conditions
			FROM instance i
			"""
			+ STEPS + """
					ORDER BY w.id DESC, s.position
					""";

	private static final String INFO_OF_ONE = "WITH instance AS (SELECT ?::uuid AS id)\n" + INFO;

	@Override
	public @Nullable WorkflowInfo info(UUID workflow) {
		return this.transactions
			.query(QueueTransaction.BEGIN_MONITORING, INFO_OF_ONE, (parameters) -> parameters.value(workflow),
					WorkflowRows::infos)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static final String LIST = """
			WITH instance AS (
			    SELECT w.id FROM jobqueue_workflow w
			    WHERE w.id < ? %s
			    ORDER BY w.id DESC
			    LIMIT ?
			)
			""" + INFO;

	private static final String LIST_ALL = LIST.formatted("AND (?::text IS NULL OR w.state = ?)");

	private static final String LIST_NAME = LIST.formatted("AND (?::text IS NULL OR w.state = ?) AND w.name = ?");

	@Override
	public List<WorkflowInfo> list(WorkflowQuery query) {
		String state = query.state().map(Enum::name).orElse(null);
		String name = query.name().orElse(null);
		return this.transactions.query(QueueTransaction.BEGIN_MONITORING, (name != null) ? LIST_NAME : LIST_ALL,
				(parameters) -> {
					parameters.value(query.after().orElse(HIGHEST_ID)).text(state).text(state);
					if (name != null) {
						parameters.value(name);
					}
					parameters.value(query.limit());
				}, WorkflowRows::infos);
	}

	private static final String CANCEL = """
			WITH cancelled AS (
			    UPDATE jobqueue_workflow
			    SET cancel_requested = true, version = version + 1
			    WHERE id = ? AND finished_at IS NULL
			    RETURNING id
			), skipped AS (
			    UPDATE jobqueue_workflow_step s
			    SET state = 'SKIPPED', changed_at = statement_timestamp()
			    FROM cancelled c
			    WHERE s.workflow_id BETWEEN c.id AND c.id AND s.state = 'WAITING'
			)
			SELECT id FROM cancelled
			""";

	/**
	 * Follows the statement above, so that it sees what another node has begun while that
	 * one waited for the lock of the instance.
	 */
	private static final String BEGUN = """
			SELECT s.job_id FROM jobqueue_workflow_step s WHERE s.workflow_id = ? AND s.state = 'STARTED'
			""";

	@Override
	public @Nullable List<UUID> cancel(UUID workflow, LoggedOperation operation) {
		Setter id = (parameters) -> parameters.value(workflow);
		Answer<Boolean> cancelled = Answer.ofRows(ResultSet::next);
		List<UUID> jobs = new ArrayList<>();
		this.transactions.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT,
				List.of(OperatorLog.logging(new Step(CANCEL, id, cancelled), operation, "cancelled"),
						new Step(BEGUN, id, (row) -> jobs.add(row.getObject("job_id", UUID.class)))));
		return cancelled.get() ? jobs : null;
	}

	/**
	 * The steps begin, and the version changes, by the last statement. A failed step has
	 * neither a branch nor a result.
	 */
	private static final String RETRY = """
			WITH retried AS (
			    UPDATE jobqueue_workflow SET cancel_requested = false WHERE id = ? AND version = ? RETURNING id
			), reset AS (
			    UPDATE jobqueue_workflow_step s
			    SET state = 'WAITING', job_id = n.job_id, changed_at = statement_timestamp()
			    FROM retried r
			    CROSS JOIN unnest(?::smallint[], ?::uuid[]) AS n (position, job_id)
			    WHERE s.workflow_id BETWEEN r.id AND r.id AND s.position BETWEEN n.position AND n.position
			)
			SELECT id FROM retried
			""";

	/**
	 * The retry of a job locks its row in the archive before the instance, which is
	 * locked first here: rows of the archive that are locked are not waited for.
	 */
	@Override
	public Advance retry(ChangedWorkflow next, RetriedJobs jobs, LoggedOperation operation) {
		ArchiveChange archive = this.operations.change(jobs.revived(), jobs.deleted());
		AdvancedRows rows = new AdvancedRows();
		List<Step> steps = new ArrayList<>(archive.steps());
		steps.add(0, OperatorLog.logging(retry(next, jobs.added()), operation, "retried"));
		steps.add(rows.step(List.of(next)));
		BooleanSupplier complete = () -> !rows.advanced.isEmpty() && archive.isComplete();
		this.transactions.runAndKeepIf(complete, QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, steps);
		return complete.getAsBoolean() ? rows.resultWith(archive.releaseKeys())
				: new Advance(List.of(), List.of(), List.of());
	}

	private static Step retry(ChangedWorkflow next, Map<Integer, UUID> jobs) {
		return new Step(RETRY,
				(parameters) -> parameters.value(next.id())
					.value(next.version())
					.smallints(jobs.entrySet(), Map.Entry::getKey)
					.uuids(jobs.entrySet(), Map.Entry::getValue));
	}

	private static final String PURGE = """
			WITH purged AS (
			    DELETE FROM jobqueue_workflow
			    WHERE id = ANY (ARRAY(
			        SELECT w.id FROM jobqueue_workflow w
			        WHERE w.finished_at <= statement_timestamp() - ?::bigint * interval '1 millisecond'
			        ORDER BY w.finished_at
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED))
			    RETURNING id
			), steps AS (
			    DELETE FROM jobqueue_workflow_step s USING purged p WHERE s.workflow_id BETWEEN p.id AND p.id
			)
			SELECT count(*) AS purged FROM purged
			""";

	@Override
	public int purge(Duration retention, int limit) {
		return this.transactions
			.list(QueueTransaction.BEGIN, PURGE, (parameters) -> parameters.value(retention.toMillis()).value(limit),
					(row, number) -> row.getInt("purged"))
			.get(0);
	}

	/**
	 * Collects the changed instances, and the jobs of the steps that begin.
	 */
	private static final class AdvancedRows {

		private final List<UUID> advanced = new ArrayList<>();

		private final BegunJobs begun = new BegunJobs();

		Step step(Collection<ChangedWorkflow> changes) {
			return new Step(ADVANCE, (parameters) -> set(parameters, changes), this::add);
		}

		private void add(ResultSet row) throws SQLException {
			UUID workflow = row.getObject("workflow_id", UUID.class);
			if (workflow != null) {
				this.advanced.add(workflow);
			}
			else {
				this.begun.add(row);
			}
		}

		Advance result() {
			return resultWith(List.of());
		}

		Advance resultWith(Collection<JobsAvailable> others) {
			List<JobsAvailable> available = new ArrayList<>(this.begun.available());
			available.addAll(others);
			return new Advance(this.advanced, this.begun.due(), available);
		}

	}

	/**
	 * A changed step and its instance.
	 */
	private record Row(UUID workflow, ChangedStep step) {
	}

}
