package io.jobqueue.internal.workflow;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.BeforeEach;

import io.jobqueue.JobRequest;
import io.jobqueue.StepCondition;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.workflow.Tasks.Task;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node that runs one workflow, and its rows.
 */
abstract class WorkflowTestBase extends NodeTestBase {

	final Tasks tasks = new Tasks();

	@BeforeEach
	void forget() {
		this.tasks.forget();
	}

	static WorkflowDefinition.Builder<String> step(WorkflowDefinition.Builder<String> steps, String name,
			StepCondition... conditions) {
		return steps.step(name, (input) -> new Task(name, input), conditions);
	}

	static WorkflowDefinition.Builder<String> step(WorkflowDefinition.Builder<String> steps, String name,
			UnaryOperator<JobRequest> options, StepCondition... conditions) {
		return steps.step(name, (input) -> options.apply(JobRequest.of(new Task(name, input))), conditions);
	}

	QueueNode running(WorkflowDefinition.Builder<String> steps) {
		return running(steps, UnaryOperator.identity());
	}

	QueueNode running(WorkflowDefinition.Builder<String> steps, UnaryOperator<TestNodeSettings> further) {
		return started((settings) -> further.apply(settings.bean(this.tasks).workflow(steps.build())));
	}

	static UUID start(QueueNode node) {
		return node.workflows().start("fulfilment", "order 7").id();
	}

	void awaitEnd(UUID workflow, String state) {
		await().untilAsserted(() -> assertThat(stateOf(workflow)).isEqualTo(state));
	}

	String stateOf(UUID workflow) {
		return this.sql.sql("SELECT state FROM jobqueue_workflow WHERE id = ?")
			.param(workflow)
			.query(String.class)
			.single();
	}

	String stepState(UUID workflow, String step) {
		return stepColumn("state", workflow, step, String.class);
	}

	UUID job(UUID workflow, String step) {
		return stepColumn("job_id", workflow, step, UUID.class);
	}

	<T> T stepColumn(String column, UUID workflow, String step, Class<T> type) {
		return this.sql
			.sql("SELECT %s FROM jobqueue_workflow_step WHERE workflow_id = ? AND name = ?".formatted(column))
			.params(workflow, step)
			.query(type)
			.single();
	}

	Map<String, String> steps(UUID workflow) {
		Map<String, String> states = new LinkedHashMap<>();
		this.sql.sql("SELECT name, state FROM jobqueue_workflow_step WHERE workflow_id = ? ORDER BY position")
			.param(workflow)
			.query((row) -> {
				states.put(row.getString("name"), row.getString("state"));
			});
		return states;
	}

}
