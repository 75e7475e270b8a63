package io.jobqueue.internal.dashboard.jobs;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowInfo.StepInfo;
import io.jobqueue.internal.dashboard.drawing.Drawing;
import io.jobqueue.internal.dashboard.drawing.StepDrawing;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.WorkflowSearchStore;

/**
 * The instance of a workflow of which a job is a step.
 *
 * @param workflow the instance
 * @param name the name of the step
 * @param drawing the steps, with that of the job marked
 */
public record StepOf(WorkflowInfo workflow, String name, Drawing drawing) {

	static @Nullable StepOf find(UUID job, WorkflowSearchStore workflows, RelationStore relations) {
		WorkflowInfo workflow = workflows.ofJob(job);
		if (workflow == null) {
			return null;
		}
		List<StepInfo> steps = workflow.steps();
		Map<UUID, Related> jobs = relations.find(StepDrawing.jobs(steps))
			.stream()
			.collect(Collectors.toMap(Related::id, Function.identity()));
		String name = steps.stream()
			.filter((step) -> step.job().equals(job))
			.map(StepInfo::name)
			.findFirst()
			.orElseThrow();
		return new StepOf(workflow, name, StepDrawing.of(steps, jobs, job));
	}

}
