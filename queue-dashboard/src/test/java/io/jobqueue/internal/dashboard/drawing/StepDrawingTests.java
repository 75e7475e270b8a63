package io.jobqueue.internal.dashboard.drawing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobState;
import io.jobqueue.StepCondition;
import io.jobqueue.StepState;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowInfo.StepInfo;
import io.jobqueue.internal.dashboard.drawing.Drawing.Edge;
import io.jobqueue.internal.dashboard.drawing.Drawing.Node;
import io.jobqueue.internal.store.RelationStore.Related;

import static io.jobqueue.WorkflowDefinition.after;
import static io.jobqueue.WorkflowDefinition.afterAny;
import static io.jobqueue.WorkflowDefinition.afterFailure;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drawings of the steps of workflows.
 */
class StepDrawingTests {

	private final List<StepInfo> steps = new ArrayList<>();

	private UUID step(String name, StepState state, StepCondition... conditions) {
		UUID job = new UUID(0, this.steps.size());
		this.steps.add(new StepInfo(name, state, job, "orders", "Task", null, Instant.EPOCH, List.of(conditions)));
		return job;
	}

	private static Node node(Drawing drawing, String step) {
		return drawing.nodes().stream().filter((node) -> node.id().equals(step)).findFirst().orElseThrow();
	}

	private static Edge edge(Drawing drawing, String from, String to) {
		return drawing.edges()
			.stream()
			.filter((edge) -> edge.from().id().equals(from) && edge.to().id().equals(to))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void stepIsToTheRightOfThoseThatItFollows() {
		Drawing drawing = StepDrawing.of(WorkflowDefinition.named("fulfilment", String.class)
			.step("pay", (input) -> input)
			.step("ship", (input) -> input, after("pay").on("in-stock"))
			.step("pickUp", (input) -> input, after("pay").on("in-shop"))
			.step("tell", (input) -> input, afterAny("ship", "pickUp"))
			.step("refund", (input) -> input, afterFailure("tell"))
			.build());
		assertThat(node(drawing, "pay").x()).isLessThan(node(drawing, "ship").x());
		assertThat(node(drawing, "ship").x()).isEqualTo(node(drawing, "pickUp").x())
			.isLessThan(node(drawing, "tell").x());
		assertThat(node(drawing, "pay").y()).isEqualTo(node(drawing, "tell").y());
		assertThat(drawing.edges()).hasSize(5);
		assertThat(edge(drawing, "pay", "ship").relation()).extracting("words", "kind", "label")
			.containsExactly("must choose in-stock before", "after", "in-stock");
		assertThat(edge(drawing, "ship", "tell").relation()).extracting("words", "kind", "label")
			.containsExactly("is one of those that must succeed before", "any", "");
		assertThat(edge(drawing, "tell", "refund").relation()).extracting("words", "kind", "label")
			.containsExactly("must fail before", "failure", "failed");
		assertThat(node(drawing, "tell").shortState()).isEmpty();
	}

	/**
	 * The line from a to d would cross b and c in the same row.
	 */
	@Test
	void longLinePassesBetweenNodes() {
		step("a", StepState.SUCCEEDED);
		step("b", StepState.SUCCEEDED, after("a"));
		step("c", StepState.SUCCEEDED, after("b"));
		step("d", StepState.WAITING, after("a", "c"));
		Drawing drawing = StepDrawing.of(this.steps, Map.of(), null);
		String path = edge(drawing, "a", "d").path();
		assertThat(path.split("H")).hasSize(1 + 2);
		int passage = Integer.parseInt(path.replaceAll("^.*? (\\d+)H.*", "$1"));
		Node b = node(drawing, "b");
		assertThat(passage).isBetween(0, drawing.height())
			.satisfiesAnyOf((y) -> assertThat(y).isLessThan(b.y() - 8),
					(y) -> assertThat(y).isGreaterThan(b.y() + Node.HEIGHT + 8));
		assertThat(edge(drawing, "c", "d").path()).doesNotContain("H");
	}

	/**
	 * In the order of the definition, the lines would cross.
	 */
	@Test
	void nodesFollowTheOrderOfThoseBeforeThem() {
		step("a", StepState.SUCCEEDED);
		step("b", StepState.SUCCEEDED);
		step("afterB", StepState.WAITING, after("b"));
		step("afterA", StepState.WAITING, after("a"));
		Drawing drawing = StepDrawing.of(this.steps, Map.of(), null);
		assertThat(node(drawing, "afterA").y()).isEqualTo(node(drawing, "a").y())
			.isLessThan(node(drawing, "afterB").y());
	}

	@Test
	void lineHasTheLabelOfOneOfItsConditions() {
		step("a", StepState.SUCCEEDED);
		step("b", StepState.WAITING, after("a"), after("a").on("x"));
		assertThat(StepDrawing.of(this.steps, Map.of(), null).edges()).singleElement()
			.extracting((edge) -> edge.relation().label())
			.isEqualTo("x");
	}

	@Test
	void stepThatHasBegunHasTheStateOfItsJob() {
		UUID pay = step("pay", StepState.SUCCEEDED);
		UUID ship = step("ship", StepState.STARTED, after("pay"));
		UUID tell = step("tell", StepState.WAITING, after("ship"));
		Drawing drawing = StepDrawing.of(this.steps, Map.of(pay, new Related(pay, "orders", "Task", JobState.RUNNING),
				ship, new Related(ship, "orders", "Task", JobState.RETRYING)), ship);
		assertThat(drawing.nodes()).extracting(Node::kind).containsExactly("succeeded", "retrying", "waiting");
		assertThat(drawing.nodes()).extracting(Node::link).containsExactly("/jobs/" + pay, "/jobs/" + ship, null);
		assertThat(drawing.nodes()).extracting(Node::current).containsExactly(false, true, false);
		assertThat(node(drawing, "ship").title()).isEqualTo("ship, retrying, orders");
		assertThat(StepDrawing.jobs(this.steps)).containsExactly(pay, ship).doesNotContain(tell);
	}

	@Test
	void numberOfStepsIsLimitedAndIncludesThatOfTheJob() {
		UUID job = step("step-0", StepState.SUCCEEDED);
		for (int number = 1; number < 1_000; number++) {
			job = step("step-" + number, StepState.WAITING, after("step-" + (number - 1)));
		}
		assertThat(StepDrawing.of(this.steps, Map.of(), null).nodes()).hasSize(60)
			.extracting(Node::id)
			.contains("step-0");
		Drawing drawing = StepDrawing.of(this.steps, Map.of(), job);
		assertThat(drawing.nodes()).hasSize(60).filteredOn(Node::current).hasSize(1);
		assertThat(drawing.edges()).hasSize(59);
		assertThat(StepDrawing.of(this.steps, Map.of(), this.steps.get(500).job()).nodes()).extracting(Node::id)
			.contains("step-500", "step-510");
	}

}
