package io.jobqueue.internal.store.postgresql.workflow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobPayload;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.store.WorkflowSearchStore;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;

/**
 * The {@link WorkflowSearchStore} of a PostgreSQL database.
 */
public final class PostgresWorkflowSearchStore implements WorkflowSearchStore {

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresWorkflowSearchStore(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * Finds each name by the index after the one before it. The workflows share five
	 * times the maximum number of instances. The order by name and id excludes the
	 * primary key, by which the instances of other workflows would be read as well.
	 */
	private static final String COUNT = """
			WITH RECURSIVE following (name) AS (
			    (SELECT w.name FROM jobqueue_workflow w ORDER BY w.name, w.id LIMIT 1)
			    UNION ALL
			    SELECT (SELECT w.name FROM jobqueue_workflow w WHERE w.name > f.name ORDER BY w.name, w.id LIMIT 1)
			    FROM following f
			    WHERE f.name IS NOT NULL
			), workflow AS MATERIALIZED (
			    SELECT f.name FROM following f WHERE f.name IS NOT NULL LIMIT %1$s
			), share AS MATERIALIZED (
			    SELECT least(%2$s, 5 * %2$s / greatest(count(*), 1)) AS instances FROM workflow
			), running AS MATERIALIZED (
			    SELECT i.name FROM jobqueue_workflow i WHERE i.finished_at IS NULL ORDER BY i.id DESC LIMIT %2$s
			), named AS MATERIALIZED (
			    SELECT r.name, count(*) AS instances FROM running r GROUP BY r.name
			)
			SELECT w.name, c.state, c.instances, c.capped
			FROM workflow w
			CROSS JOIN share s
			CROSS JOIN LATERAL (
			    SELECT 'RUNNING' AS state, coalesce((SELECT n.instances FROM named n WHERE n.name = w.name), 0) AS instances,
			           (SELECT count(*) = %2$s FROM running) AS capped
			    UNION ALL
			    SELECT 'SUCCEEDED', count(*) FILTER (WHERE l.state = 'SUCCEEDED'), count(*) = s.instances
			    FROM (SELECT i.state FROM jobqueue_workflow i WHERE i.name BETWEEN w.name AND w.name
			          ORDER BY i.name DESC, i.id DESC LIMIT s.instances) l
			    UNION ALL
			    SELECT o.state, count(*) FILTER (WHERE f.state = o.state), count(*) = s.instances
			    FROM (SELECT i.state FROM jobqueue_workflow i
			          WHERE i.name BETWEEN w.name AND w.name AND i.state IN ('FAILED', 'CANCELLED')
			          ORDER BY i.name DESC, i.id DESC LIMIT s.instances) f
			    RIGHT JOIN (VALUES ('FAILED'), ('CANCELLED')) AS o (state) ON true
			    GROUP BY o.state) c
			ORDER BY w.name
			"""
		.formatted(MAX_WORKFLOWS, MAX_EXAMINED);

	@Override
	public List<InstanceCount> count() {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, COUNT, (parameters) -> {
		}, (row, number) -> new InstanceCount(row.getString("name"), WorkflowState.valueOf(row.getString("state")),
				row.getLong("instances"), row.getBoolean("capped")));
	}

	/**
	 * The row that is not found is the last one that was examined, if there may be more.
	 */
	private static final String FIND = """
			WITH wanted AS (
			    SELECT ?::uuid AS after, ?::text AS name, ?::text AS state
			), examined AS MATERIALIZED (
			    SELECT w.id, w.name, w.state
			    FROM wanted n
			    CROSS JOIN LATERAL (
			        SELECT * FROM jobqueue_workflow w
			        WHERE %1$s
			        LIMIT %2$s) w
			), found AS MATERIALIZED (
			    SELECT e.id FROM wanted n JOIN examined e ON e.name = n.name AND e.state = n.state ORDER BY e.id DESC LIMIT ?
			)
			SELECT f.id, true AS found FROM found f
			UNION ALL
			SELECT (SELECT e.id FROM examined e ORDER BY e.id LIMIT 1), false FROM examined HAVING count(*) = %2$s
			ORDER BY found DESC, id DESC
			""";

	private static final String FIND_RUNNING = FIND
		.formatted("w.finished_at IS NULL AND w.id < n.after ORDER BY w.id DESC", MAX_EXAMINED);

	private static final String OF_NAME = "(w.name, w.id) < (n.name, n.after) AND w.name >= n.name %s ORDER BY w.name DESC, w.id DESC";

	private static final String FIND_FAILED = FIND
		.formatted(OF_NAME.formatted("AND w.state IN ('FAILED', 'CANCELLED')"), MAX_EXAMINED);

	private static final String FIND_SUCCEEDED = FIND.formatted(OF_NAME.formatted(""), MAX_EXAMINED);

	@Override
	public FoundInstances find(String name, WorkflowState state, @Nullable UUID after, int limit) {
		List<UUID> ids = new ArrayList<>();
		List<UUID> last = new ArrayList<>();
		this.transactions.list(QueueTransaction.BEGIN_MONITORING, find(state), (parameters) -> {
			parameters.value((after != null) ? after : PostgresWorkflowStore.HIGHEST_ID)
				.value(name)
				.value(state.name())
				.value(limit);
		}, (row, number) -> (row.getBoolean("found") ? ids : last).add(row.getObject("id", UUID.class)));
		if (ids.size() == limit) {
			return new FoundInstances(ids, ids.get(limit - 1), false);
		}
		return new FoundInstances(ids, last.isEmpty() ? null : last.get(0), !last.isEmpty());
	}

	private static String find(WorkflowState state) {
		return switch (state) {
			case RUNNING -> FIND_RUNNING;
			case FAILED, CANCELLED -> FIND_FAILED;
			case SUCCEEDED -> FIND_SUCCEEDED;
		};
	}

	private static final String READ = "WITH instance AS (SELECT * FROM unnest(?::uuid[]) AS i (id))\n"
			+ PostgresWorkflowStore.INFO;

	@Override
	public List<WorkflowInfo> read(Collection<UUID> ids) {
		return this.transactions.query(QueueTransaction.BEGIN_MONITORING, READ,
				(parameters) -> parameters.uuids(ids, Function.identity()), WorkflowRows::infos);
	}

	private static final String OF_JOB = """
			WITH instance AS (SELECT s.workflow_id AS id FROM jobqueue_workflow_step s WHERE s.job_id = ? LIMIT 1)
			""" + PostgresWorkflowStore.INFO;

	@Override
	public @Nullable WorkflowInfo ofJob(UUID job) {
		return this.transactions
			.query(QueueTransaction.BEGIN_MONITORING, OF_JOB, (parameters) -> parameters.value(job),
					WorkflowRows::infos)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static final String RESULTS = """
			SELECT s.name, left(s.result, ?) AS first_text, substring(s.result_bytes FOR ?) AS first_bytes,
			       coalesce(length(s.result), octet_length(s.result_bytes)) AS size
			FROM jobqueue_workflow_step s
			WHERE s.workflow_id = ? AND (s.result IS NOT NULL OR s.result_bytes IS NOT NULL)
			ORDER BY s.position
			LIMIT %s
			""".formatted(MAX_RESULTS);

	@Override
	public List<ResultBeginning> results(UUID workflow, int atMost) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, RESULTS,
				(parameters) -> parameters.value(atMost).value(atMost).value(workflow),
				(row, number) -> new ResultBeginning(row.getString("name"), result(row)));
	}

	private static JobPayload result(ResultSet row) throws SQLException {
		byte[] bytes = row.getBytes("first_bytes");
		return (bytes != null) ? new JobPayload(Base64.getEncoder().encodeToString(bytes), true, row.getLong("size"))
				: new JobPayload(row.getString("first_text"), false, row.getLong("size"));
	}

}
