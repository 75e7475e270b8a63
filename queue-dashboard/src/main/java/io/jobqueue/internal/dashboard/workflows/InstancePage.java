package io.jobqueue.internal.dashboard.workflows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.StepCondition;
import io.jobqueue.StepState;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowInfo.StepInfo;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.drawing.Drawing;
import io.jobqueue.internal.dashboard.drawing.StepDrawing;
import io.jobqueue.internal.dashboard.jobs.PayloadView;
import io.jobqueue.internal.dashboard.view.UrlQuery;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.WorkflowSearchStore.ResultBeginning;

/**
 * An instance and its steps.
 *
 * @param workflow the instance
 * @param drawing its steps with their states
 * @param steps its steps
 * @param shown whether results are shown
 */
public record InstancePage(WorkflowInfo workflow, Drawing drawing, List<Step> steps, boolean shown) {

	static InstancePage of(WorkflowInfo workflow, List<Related> found, List<ResultBeginning> results,
			ValueSanitizer sanitizer) {
		Map<UUID, Related> jobs = found.stream().collect(Collectors.toMap(Related::id, Function.identity()));
		Map<String, PayloadView> views = results.stream()
			.collect(Collectors.toMap(ResultBeginning::step,
					(result) -> PayloadView.of(sanitizer.payload(result.result()), sanitizer.shown())));
		List<Step> steps = workflow.steps()
			.stream()
			.map((step) -> new Step(step, jobs.get(step.job()), views.get(step.name())))
			.toList();
		return new InstancePage(workflow, StepDrawing.of(workflow.steps(), jobs, null), steps, sanitizer.shown());
	}

	/**
	 * Return the address of the list of all instances of the workflow.
	 * @return the path with its parameter
	 */
	public String instances() {
		return "/workflows?" + UrlQuery.of("name", this.workflow.name());
	}

	/**
	 * Return the progress in words.
	 * @return such as {@code 3 of 5 steps have ended, 60 %}
	 */
	public String progress() {
		long ended = this.workflow.steps().stream().filter((step) -> step.state().isFinal()).count();
		return "%s of %s steps have ended, %s %%".formatted(ended, this.workflow.steps().size(),
				this.workflow.percent());
	}

	/**
	 * Return how long an instance took.
	 * @param workflow the instance
	 * @return such as {@code 3s 20ms}, without text while it runs
	 */
	public static String took(WorkflowInfo workflow) {
		return (workflow.finishedAt() != null)
				? DurationText.of(Duration.between(workflow.startedAt(), workflow.finishedAt())) : "";
	}

	/**
	 * Return whether the instance can be cancelled.
	 * @return whether it runs
	 */
	public boolean isRunning() {
		return this.workflow.state() == WorkflowState.RUNNING;
	}

	/**
	 * Return whether there is something to retry.
	 * @return whether the instance was cancelled, or a step has failed
	 */
	public boolean isRetryable() {
		return this.workflow.state() == WorkflowState.CANCELLED
				|| this.workflow.steps().stream().anyMatch((step) -> step.state().isFailure());
	}

	/**
	 * A step.
	 *
	 * @param info the step
	 * @param job its job, {@code null} if it does not exist
	 * @param result its result, {@code null} for none
	 */
	public record Step(StepInfo info, @Nullable Related job, @Nullable PayloadView result) {

		/**
		 * Return the conditions for the begin of the step.
		 * @return such as {@code after(pay).on(in-stock)}, without text for none
		 */
		public String conditions() {
			return this.info.conditions().stream().map(StepCondition::toString).collect(Collectors.joining(", "));
		}

		/**
		 * Return why the step has no job.
		 * @return a text
		 */
		public String withoutJob() {
			return (this.info.state() == StepState.WAITING || this.info.state() == StepState.SKIPPED) ? "not begun"
					: "no longer stored";
		}

	}

}
