package io.jobqueue.internal.boot.endpoint;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.StepCondition;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowInfo.StepInfo;
import io.jobqueue.WorkflowPage;
import io.jobqueue.WorkflowQuery;
import io.jobqueue.Workflows;

/**
 * The paths of workflows: lists and draws definitions and instances, cancels and retries
 * the latter.
 */
final class WorkflowResource {

	private final Workflows workflows;

	WorkflowResource(Workflows workflows) {
		this.workflows = workflows;
	}

	Object list(RequestParameters parameters) {
		parameters.requireOnly();
		return ResponseBody.of("workflows",
				this.workflows.definitions().stream().map(WorkflowResource::describe).toList());
	}

	private static ResponseBody describe(WorkflowDefinition<?> definition) {
		return ResponseBody.of("name", definition.name())
			.with("input", definition.input().getName())
			.with("steps", definition.steps().stream().map((step) -> step(step.name(), step.conditions())).toList())
			.with("mermaid", definition.toMermaid());
	}

	private static ResponseBody step(String name, List<StepCondition> conditions) {
		return ResponseBody.of("name", name)
			.with("conditions", conditions.stream().map(StepCondition::toString).toList());
	}

	/**
	 * The subject is the id of an instance or the name of a workflow.
	 */
	Object show(String subject, RequestParameters parameters) {
		UUID id = id(subject);
		if (id == null) {
			return showInstances(subject, parameters);
		}
		parameters.requireOnly();
		return this.workflows.find(id).<Object>map(WorkflowResource::drawn).orElseGet(() -> unknown(subject));
	}

	/**
	 * Names may consist of five groups of few hexadecimal digits, which would be read as
	 * an id.
	 */
	private static @Nullable UUID id(String subject) {
		try {
			UUID id = UUID.fromString(subject);
			return id.toString().equalsIgnoreCase(subject) ? id : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Another application may define the workflow.
	 */
	private Object showInstances(String name, RequestParameters parameters) {
		parameters.requireOnly("state", "after", "limit");
		WorkflowQuery query = QueryParameters.with(WorkflowQuery.all().name(name),
				parameters.value("state", ParameterType.WORKFLOW_STATE), WorkflowQuery::state);
		query = QueryParameters.with(query, parameters.value("after", ParameterType.WORKFLOW_ID), WorkflowQuery::after);
		query = QueryParameters.with(query, parameters.value("limit", ParameterType.LIMIT), WorkflowQuery::limit);
		WorkflowPage page = this.workflows.list(query);
		Optional<ResponseBody> defined = this.workflows.definitions()
			.stream()
			.filter((each) -> each.name().equals(name))
			.findFirst()
			.map(WorkflowResource::describe);
		if (defined.isEmpty() && page.workflows().isEmpty()) {
			return unknown(name);
		}
		return defined.orElseGet(() -> ResponseBody.of("name", name))
			.with("instances", page.workflows().stream().map(WorkflowResource::summary).toList())
			.with("next", page.next());
	}

	private static ResponseBody summary(WorkflowInfo workflow) {
		return ResponseBody.of("id", workflow.id())
			.with("name", workflow.name())
			.with("state", workflow.state())
			.with("percent", workflow.percent())
			.with("startedAt", workflow.startedAt())
			.with("finishedAt", workflow.finishedAt());
	}

	private static ResponseBody drawn(WorkflowInfo workflow) {
		return summary(workflow).with("steps", workflow.steps().stream().map(WorkflowResource::describe).toList())
			.with("mermaid", workflow.toMermaid());
	}

	private static ResponseBody describe(StepInfo step) {
		return step(step.name(), step.conditions()).with("state", step.state())
			.with("job", step.job())
			.with("queue", step.queue())
			.with("type", step.type())
			.with("branch", step.branch())
			.with("changedAt", step.changedAt());
	}

	Object run(String operation, String id, RequestParameters parameters) {
		parameters.requireOnly();
		UUID workflow = id(id);
		boolean done = workflow != null && switch (operation) {
			case "cancel" -> this.workflows.cancel(workflow);
			case "retry" -> this.workflows.retry(workflow);
			default -> throw new IllegalArgumentException(
					"Unknown operation '%s' of a workflow: use one of cancel, retry".formatted(operation));
		};
		return done ? ResponseBody.of("operation", operation).with("workflow", workflow) : ErrorResponses.unknown(
				"There is no instance '%s' to %s: it does not exist, has finished, has no failed step, is still being cancelled, or has just changed"
					.formatted(id, operation));
	}

	private static Object unknown(String subject) {
		return ErrorResponses.unknown("There is no workflow '%s', and no instance with this id".formatted(subject));
	}

}
