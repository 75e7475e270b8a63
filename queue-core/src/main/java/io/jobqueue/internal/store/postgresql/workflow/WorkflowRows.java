package io.jobqueue.internal.store.postgresql.workflow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import io.jobqueue.StepState;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowInfo.StepInfo;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.store.WorkflowStore.StoredStep;
import io.jobqueue.internal.store.WorkflowStore.StoredWorkflow;
import io.jobqueue.internal.store.postgresql.transaction.Columns;

/**
 * Reads instances from rows of their steps, in which each has the columns of its
 * instance.
 */
final class WorkflowRows {

	private WorkflowRows() {
	}

	static List<StoredWorkflow> stored(ResultSet rows) throws SQLException {
		return grouped(rows, WorkflowRows::storedStep, WorkflowRows::storedWorkflow);
	}

	private static Function<List<StoredStep>, StoredWorkflow> storedWorkflow(ResultSet row) throws SQLException {
		UUID id = id(row);
		long version = row.getLong("version");
		WorkflowState state = state(row);
		boolean cancelled = row.getBoolean("cancel_requested");
		return (steps) -> new StoredWorkflow(id, version, state, cancelled, steps);
	}

	private static StoredStep storedStep(ResultSet row) throws SQLException {
		String archived = row.getString("archived");
		return new StoredStep(row.getString("name"), StoredConditions.of(row), row.getString("branch"),
				StepState.valueOf(row.getString("stored")), StepState.valueOf(row.getString("state")),
				row.getObject("job_id", UUID.class), (archived != null) ? StepState.valueOf(archived) : null);
	}

	static List<WorkflowInfo> infos(ResultSet rows) throws SQLException {
		return grouped(rows, WorkflowRows::stepInfo, WorkflowRows::info);
	}

	private static Function<List<StepInfo>, WorkflowInfo> info(ResultSet row) throws SQLException {
		UUID id = id(row);
		String name = row.getString("workflow");
		WorkflowState state = state(row);
		Instant startedAt = Columns.instant(row, "created_at");
		Instant finishedAt = Columns.nullableInstant(row, "finished_at");
		return (steps) -> new WorkflowInfo(id, name, state, startedAt, finishedAt, steps);
	}

	private static StepInfo stepInfo(ResultSet row) throws SQLException {
		return new StepInfo(row.getString("name"), StepState.valueOf(row.getString("state")),
				row.getObject("job_id", UUID.class), row.getString("queue"), row.getString("type"),
				row.getString("branch"), Columns.instant(row, "changed_at"), StoredConditions.of(row));
	}

	private static UUID id(ResultSet row) throws SQLException {
		return row.getObject("id", UUID.class);
	}

	private static WorkflowState state(ResultSet row) throws SQLException {
		return WorkflowState.valueOf(row.getString("workflow_state"));
	}

	/**
	 * The rows of an instance follow one another.
	 */
	private static <S, W> List<W> grouped(ResultSet rows, Reader<S> step, Reader<Function<List<S>, W>> workflow)
			throws SQLException {
		List<W> workflows = new ArrayList<>();
		boolean more = rows.next();
		while (more) {
			UUID id = id(rows);
			Function<List<S>, W> read = workflow.read(rows);
			List<S> steps = new ArrayList<>();
			do {
				steps.add(step.read(rows));
				more = rows.next();
			}
			while (more && id.equals(id(rows)));
			workflows.add(read.apply(steps));
		}
		return workflows;
	}

	/**
	 * Reads something of a row.
	 */
	private interface Reader<T> {

		T read(ResultSet row) throws SQLException;

	}

}
