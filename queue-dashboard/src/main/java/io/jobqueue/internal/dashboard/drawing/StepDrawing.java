package io.jobqueue.internal.dashboard.drawing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.StepCondition;
import io.jobqueue.StepCondition.Kind;
import io.jobqueue.StepState;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowInfo.StepInfo;
import io.jobqueue.internal.dashboard.drawing.Drawing.Node;
import io.jobqueue.internal.dashboard.drawing.Drawing.Relation;
import io.jobqueue.internal.store.RelationStore.Related;

/**
 * Draws the steps of a workflow: each in the column after those that its conditions name.
 */
public final class StepDrawing {

	/**
	 * The maximum number of steps that are drawn.
	 */
	public static final int MAX_STEPS = 60;

	private final Map<String, Integer> columns = new HashMap<>();

	private final Map<Node, Integer> nodes = new LinkedHashMap<>();

	private final Map<List<String>, Relation> relations = new LinkedHashMap<>();

	private StepDrawing() {
	}

	/**
	 * Draw a definition.
	 * @param definition the definition
	 * @return a drawing of its first 60 steps
	 */
	public static Drawing of(WorkflowDefinition<?> definition) {
		StepDrawing drawing = new StepDrawing();
		definition.steps()
			.stream()
			.limit(MAX_STEPS)
			.forEach((step) -> drawing.add(new Node(step.name(), step.name(), "", "", "step", null, false),
					step.conditions()));
		return drawing.drawing();
	}

	/**
	 * Draw the steps of an instance. One that has begun has the state of its job.
	 * @param steps the steps, each after all that its conditions name
	 * @param jobs their jobs that exist, by their ids
	 * @param job the job that the page is about, {@code null} for none
	 * @return a drawing of 60 steps at most, among them that of the job
	 */
	public static Drawing of(List<StepInfo> steps, Map<UUID, Related> jobs, @Nullable UUID job) {
		StepDrawing drawing = new StepDrawing();
		around(steps, job).forEach(
				(step) -> drawing.add(node(step, jobs.get(step.job()), step.job().equals(job)), step.conditions()));
		return drawing.drawing();
	}

	/**
	 * Return the jobs that steps have or had.
	 * @param steps the steps
	 * @return the ids of the jobs of those that have begun
	 */
	public static List<UUID> jobs(List<StepInfo> steps) {
		return steps.stream()
			.filter((step) -> step.state() != StepState.WAITING && step.state() != StepState.SKIPPED)
			.map(StepInfo::job)
			.toList();
	}

	private static List<StepInfo> around(List<StepInfo> steps, @Nullable UUID job) {
		int position = steps.stream().map(StepInfo::job).toList().indexOf(job);
		int end = Math.min(steps.size(), Math.max(MAX_STEPS, position + MAX_STEPS / 2));
		return steps.subList(Math.max(0, end - MAX_STEPS), end);
	}

	private static Node node(StepInfo step, @Nullable Related job, boolean current) {
		String state = state(step, job);
		return new Node(step.name(), step.name(), state, step.queue(), state,
				(job != null) ? "/jobs/" + step.job() : null, current);
	}

	/**
	 * Return the state of a step in words.
	 * @param step the step
	 * @param job its job, {@code null} if it does not exist
	 * @return the state of the job if the step has begun and not ended, else that of the
	 * step
	 */
	public static String state(StepInfo step, @Nullable Related job) {
		JobState state = (job != null && !step.state().isFinal()) ? job.state() : null;
		return ((state != null) ? state.name() : step.state().name()).toLowerCase(Locale.ROOT);
	}

	private void add(Node node, List<StepCondition> conditions) {
		int column = 0;
		for (StepCondition condition : conditions) {
			for (String step : condition.steps()) {
				Integer before = this.columns.get(step);
				if (before != null) {
					column = Math.max(column, before + 1);
					relate(step, node.id(), condition);
				}
			}
		}
		this.columns.put(node.id(), column);
		this.nodes.put(node, column);
	}

	/**
	 * Of several conditions that name the same step, the first one with a label is drawn.
	 */
	private void relate(String from, String to, StepCondition condition) {
		Relation relation = new Relation(from, to, words(condition), kind(condition.kind()), label(condition));
		this.relations.merge(List.of(from, to), relation, (first, second) -> first.label().isEmpty() ? second : first);
	}

	private static String words(StepCondition condition) {
		String end = switch (condition.kind()) {
			case AFTER, AFTER_ANY ->
				(condition.branch() != null) ? "must choose " + condition.branch() : "must succeed";
			case AFTER_FAILURE -> "must fail";
		};
		boolean any = condition.kind() != Kind.AFTER && condition.steps().size() > 1;
		return any ? "is one of those that " + end + " before" : end + " before";
	}

	private static String kind(Kind kind) {
		return switch (kind) {
			case AFTER -> "after";
			case AFTER_ANY -> "any";
			case AFTER_FAILURE -> "failure";
		};
	}

	private static String label(StepCondition condition) {
		if (condition.kind() == Kind.AFTER_FAILURE) {
			return "failed";
		}
		return (condition.branch() != null) ? condition.branch() : "";
	}

	private Drawing drawing() {
		return Drawing.of(this.nodes, new ArrayList<>(this.relations.values()));
	}

}
