package io.jobqueue.internal.workflow;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobState;
import io.jobqueue.StepState;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowInfo.StepInfo;
import io.jobqueue.WorkflowPage;
import io.jobqueue.WorkflowQuery;
import io.jobqueue.WorkflowState;
import io.jobqueue.Workflows;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.maintenance.WorkflowRetention;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.workflow.Tasks.Task;

import static io.jobqueue.WorkflowDefinition.after;
import static io.jobqueue.WorkflowDefinition.afterAny;
import static io.jobqueue.WorkflowDefinition.afterFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Instances are found, listed, drawn, cancelled, retried from the failed step, and
 * deleted after their retention.
 */
class WorkflowOperationTests extends WorkflowTestBase {

	private static WorkflowDefinition.Builder<String> refundable() {
		WorkflowDefinition.Builder<String> steps = step(step(step(Tasks.workflow(), "pay"), "ship", after("pay")),
				"tell", after("ship"));
		return step(steps, "refund", afterFailure("ship"));
	}

	private List<String> logged() {
		return this.sql.sql(
				"SELECT operation || ' ' || subject || coalesce(', ' || reason, '') FROM jobqueue_operator_log ORDER BY at")
			.query(String.class)
			.list();
	}

	@Test
	void failedStepIsRetriedWithANewJob() {
		this.tasks.on("ship", (job) -> JobResult.fail("broken"));
		QueueNode node = running(refundable(), (settings) -> settings.keepDead(Duration.ZERO));
		UUID workflow = start(node);
		awaitEnd(workflow, "FAILED");
		UUID dead = job(workflow, "ship");
		this.tasks.on("ship", (job) -> null);
		assertThat(node.workflows().because("the van is repaired").retry(workflow)).isTrue();
		awaitEnd(workflow, "SUCCEEDED");
		assertThat(steps(workflow)).containsExactly(entry("pay", "SUCCEEDED"), entry("ship", "SUCCEEDED"),
				entry("tell", "SUCCEEDED"), entry("refund", "SUCCEEDED"));
		assertThat(this.tasks.ran).containsExactly("pay", "ship", "refund", "ship", "tell");
		assertThat(job(workflow, "ship")).isNotEqualTo(dead);
		assertThat(logged()).containsExactly("retry-workflow " + workflow + ", the van is repaired");
		assertThat(node.workflows().retry(workflow)).isFalse();
		assertThat(node.workflows().retry(UUID.randomUUID())).isFalse();
		assertThat(logged()).hasSize(1);
	}

	/**
	 * The job of the step that waits again is deleted, and releases its key. A later
	 * retry of all dead jobs finds none.
	 */
	@Test
	void deadJobRunsAgainInItsInstanceBeforeTheOthersOfItsKey() {
		WorkflowDefinition.Builder<String> steps = step(Tasks.workflow(), "ship", (request) -> request.orderedBy("a"));
		QueueNode node = running(step(steps, "refund", (request) -> request.orderedBy("b"), afterFailure("ship")),
				(settings) -> settings.keys(new AdmissionRules(null, true)).reaperInterval(Duration.ofHours(1)));
		this.tasks.on("ship", (job) -> JobResult.fail("broken")).on("refund", (job) -> JobResult.fail("no money"));
		UUID workflow = start(node);
		awaitEnd(workflow, "FAILED");
		UUID ship = job(workflow, "ship");
		UUID next = node.queue().enqueue(JobRequest.of(new Task("next", "")).orderedBy("a")).id();
		UUID other = node.queue().enqueue(JobRequest.of(new Task("other", "")).orderedBy("b")).id();
		awaitState(next, "BLOCKED");
		awaitState(other, "BLOCKED");
		this.tasks.forget();
		assertThat(node.workflows().retry(workflow)).isTrue();
		awaitEnd(workflow, "SUCCEEDED");
		awaitState(next, "SUCCEEDED");
		awaitState(other, "SUCCEEDED");
		assertThat(job(workflow, "ship")).isEqualTo(ship);
		assertThat(steps(workflow)).containsExactly(entry("ship", "SUCCEEDED"), entry("refund", "SKIPPED"));
		assertThat(node.operations().bulk().retry(JobQuery.all().states(JobState.DEAD, JobState.CANCELLED))).isZero();
		assertThat(this.tasks.ran).containsExactlyInAnyOrder("ship", "next", "other")
			.containsSubsequence("ship", "next");
	}

	@Test
	void cancelledInstanceBeginsNoFurtherStep() {
		WorkflowDefinition.Builder<String> steps = step(step(Tasks.workflow(), "pay"), "wait",
				(request) -> request.delay(Duration.ofHours(1)));
		QueueNode node = running(step(step(steps, "ship", after("wait")), "refund", afterFailure("wait")));
		UUID workflow = start(node);
		await().until(() -> stepState(workflow, "pay").equals("SUCCEEDED"));
		assertThat(node.workflows().because("a mistake").cancel(workflow)).isTrue();
		awaitEnd(workflow, "CANCELLED");
		assertThat(steps(workflow)).containsExactly(entry("pay", "SUCCEEDED"), entry("wait", "CANCELLED"),
				entry("ship", "SKIPPED"), entry("refund", "SKIPPED"));
		assertThat(this.tasks.ran).containsExactly("pay");
		assertThat(logged()).contains("cancel-workflow " + workflow + ", a mistake",
				"cancel " + job(workflow, "wait") + ", a mistake");
		assertThat(node.workflows().cancel(workflow)).isFalse();
		assertThat(node.workflows().cancel(UUID.randomUUID())).isFalse();
		UUID replaced = job(workflow, "wait");
		assertThat(node.workflows().retry(workflow)).isTrue();
		assertThat(state(job(workflow, "wait"))).isEqualTo("SCHEDULED");
		assertThat(count("jobqueue_archive WHERE id = '%s'".formatted(replaced))).isZero();
	}

	@Test
	void runningHandlerOfACancelledInstanceMaySucceed() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch cancelled = new CountDownLatch(1);
		this.tasks.on("pay", (job) -> {
			begun.countDown();
			cancelled.await();
			return null;
		});
		QueueNode node = running(refundable());
		UUID workflow = start(node);
		begun.await();
		assertThat(node.workflows().cancel(workflow)).isTrue();
		assertThat(stateOf(workflow)).isEqualTo("RUNNING");
		cancelled.countDown();
		awaitEnd(workflow, "CANCELLED");
		assertThat(steps(workflow)).containsEntry("pay", "SUCCEEDED").containsEntry("ship", "SKIPPED");
		assertThat(node.workflows().retry(workflow)).isTrue();
		awaitEnd(workflow, "SUCCEEDED");
		assertThat(this.tasks.ran).containsExactly("pay", "ship", "tell");
	}

	@Test
	void pauseOfTheQueueHoldsAnInstance() {
		QueueNode node = running(refundable());
		this.tasks.on("pay", (job) -> {
			node.operations().pause(Tasks.QUEUE);
			return null;
		});
		UUID workflow = start(node);
		await().until(() -> stepState(workflow, "ship").equals("STARTED"));
		assertThat(state(job(workflow, "ship"))).isEqualTo("READY");
		node.operations().resume(Tasks.QUEUE);
		awaitEnd(workflow, "SUCCEEDED");
	}

	@Test
	void instanceIsFoundAndDrawn() {
		this.tasks.on("pay", (job) -> JobResult.success().branch("in-stock"));
		WorkflowDefinition.Builder<String> steps = step(step(Tasks.workflow(), "pay"), "ship",
				after("pay").on("in-stock"));
		steps = step(step(steps, "end", after("pay").on("sold-out")), "tell", afterAny("ship", "end"));
		QueueNode node = running(step(steps, "refund", afterFailure("pay", "ship")));
		UUID workflow = start(node);
		awaitEnd(workflow, "SUCCEEDED");
		WorkflowInfo found = node.workflows().find(workflow).orElseThrow();
		assertThat(found.name()).isEqualTo("fulfilment");
		assertThat(found.state()).isEqualTo(WorkflowState.SUCCEEDED);
		assertThat(found.percent()).isEqualTo(100);
		assertThat(found.finishedAt()).isAfter(found.startedAt());
		StepInfo ship = found.steps().get(1);
		assertThat(ship.name()).isEqualTo("ship");
		assertThat(ship.state()).isEqualTo(StepState.SUCCEEDED);
		assertThat(ship.job()).isEqualTo(job(workflow, "ship"));
		assertThat(ship.queue()).isEqualTo(Tasks.QUEUE);
		assertThat(ship.type()).isEqualTo("task");
		assertThat(ship.conditions()).containsExactly(after("pay").on("in-stock"));
		assertThat(found.steps().get(0).branch()).isEqualTo("in-stock");
		String definition = node.workflows().definitions().get(0).toMermaid();
		assertThat(definition).isEqualTo("""
				flowchart LR
				    s0["pay"]
				    s1["ship"]
				    s0 -->|in-stock| s1
				    s2["end"]
				    s0 -->|sold-out| s2
				    s3["tell"]
				    s1 -.-> s3
				    s2 -.-> s3
				    s4["refund"]
				    s0 -.->|failed| s4
				    s1 -.->|failed| s4
				""");
		assertThat(found.toMermaid()).contains("    s1[\"ship: SUCCEEDED\"]:::succeeded\n    s0 -->|in-stock| s1\n",
				"    s2[\"end: SKIPPED\"]:::skipped\n", "classDef skipped ");
		assertThat(node.workflows().find(UUID.randomUUID())).isEmpty();
	}

	@Test
	void instancesAreDeletedAfterTheirRetention() {
		QueueNode node = node(settings().bean(this.tasks).workflow(refundable().build()));
		List<UUID> started = List.of(start(node), start(node), start(node));
		finish(started.get(0), Duration.ofHours(25));
		finish(started.get(1), Duration.ofHours(23));
		PostgresStores stores = closeLater(PostgresStores.of(this.pool, null, null));
		new WorkflowRetention(stores.workflows(), Duration.ofDays(1)).runOnce();
		assertThat(node.workflows().list(WorkflowQuery.all()).workflows()).extracting(WorkflowInfo::id)
			.containsExactly(started.get(2), started.get(1));
		assertThat(steps(started.get(0))).isEmpty();
	}

	private void finish(UUID workflow, Duration ago) {
		this.sql.sql("UPDATE jobqueue_workflow SET finished_at = now() - ?::interval WHERE id = ?")
			.params(ago.toString(), workflow)
			.update();
	}

	@Test
	void instancesAreListedByPages() {
		QueueNode node = node(settings().bean(this.tasks).workflow(refundable().build()));
		List<UUID> started = List.of(start(node), start(node), start(node));
		this.sql.sql("UPDATE jobqueue_workflow SET name = 'other' WHERE id = ?").param(started.get(1)).update();
		this.sql.sql("UPDATE jobqueue_workflow SET state = 'FAILED' WHERE id = ?").param(started.get(0)).update();
		Workflows workflows = node.workflows();
		WorkflowPage first = workflows.list(WorkflowQuery.all().limit(2));
		assertThat(first.workflows()).extracting(WorkflowInfo::id).containsExactly(started.get(2), started.get(1));
		assertThat(workflows.list(WorkflowQuery.all().limit(2).after(first.next())).workflows())
			.extracting(WorkflowInfo::id)
			.containsExactly(started.get(0));
		assertThat(workflows.list(WorkflowQuery.all().name("fulfilment")).workflows()).extracting(WorkflowInfo::id)
			.containsExactly(started.get(2), started.get(0));
		assertThat(workflows.list(WorkflowQuery.all().name("fulfilment").state(WorkflowState.RUNNING)).workflows())
			.extracting(WorkflowInfo::id)
			.containsExactly(started.get(2));
		WorkflowInfo running = workflows.find(started.get(2)).orElseThrow();
		assertThat(running.percent()).isZero();
		assertThat(running.finishedAt()).isNull();
		assertThat(workflows.list(WorkflowQuery.all()).next()).isNull();
	}

}
