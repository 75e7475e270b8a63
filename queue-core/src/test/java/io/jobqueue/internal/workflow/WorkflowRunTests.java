package io.jobqueue.internal.workflow;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.harness.QueueNode;

import static io.jobqueue.WorkflowDefinition.after;
import static io.jobqueue.WorkflowDefinition.afterAny;
import static io.jobqueue.WorkflowDefinition.afterFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Steps begin, once, when their conditions hold, and are skipped when these can no longer
 * hold.
 */
class WorkflowRunTests extends WorkflowTestBase {

	private static WorkflowDefinition.Builder<String> diamond() {
		WorkflowDefinition.Builder<String> steps = step(step(Tasks.workflow(), "pay"), "pack", after("pay"));
		return step(step(steps, "invoice", after("pay")), "ship", after("pack", "invoice"));
	}

	private static WorkflowDefinition.Builder<String> branches() {
		WorkflowDefinition.Builder<String> steps = step(step(Tasks.workflow(), "pay"), "ship",
				after("pay").on("in-stock"));
		steps = step(step(steps, "order", after("pay").on("sold-out")), "receive", after("order"));
		return step(steps, "tell", afterAny("ship", "receive"));
	}

	private static Object fail() {
		return JobResult.fail("broken");
	}

	@Test
	void stepThatJoinsRunsOnceAfterAllOthers() {
		QueueNode node = running(diamond());
		running(diamond());
		for (int instance = 0; instance < 20; instance++) {
			this.tasks.ran.clear();
			UUID workflow = start(node);
			awaitEnd(workflow, "SUCCEEDED");
			assertThat(this.tasks.ran).startsWith("pay")
				.endsWith("ship")
				.containsOnlyOnce("pay", "pack", "invoice", "ship");
			assertThat(steps(workflow)).containsExactly(entry("pay", "SUCCEEDED"), entry("pack", "SUCCEEDED"),
					entry("invoice", "SUCCEEDED"), entry("ship", "SUCCEEDED"));
		}
		assertThat(count("jobqueue_archive")).isEqualTo(80);
	}

	@Test
	void stepsOfOtherBranchesAreSkippedAtOnce() throws InterruptedException {
		CountDownLatch shipping = new CountDownLatch(1);
		this.tasks.on("pay", (job) -> JobResult.success().branch("in-stock")).on("ship", (job) -> {
			shipping.await();
			return null;
		});
		UUID workflow = start(running(branches()));
		await().until(() -> stepState(workflow, "ship").equals("STARTED"));
		assertThat(steps(workflow)).containsAllEntriesOf(
				Map.of("pay", "SUCCEEDED", "order", "SKIPPED", "receive", "SKIPPED", "tell", "WAITING"));
		shipping.countDown();
		awaitEnd(workflow, "SUCCEEDED");
		assertThat(this.tasks.ran).containsExactly("pay", "ship", "tell");
		assertThat(stepColumn("branch", workflow, "pay", String.class)).isEqualTo("in-stock");
	}

	@Test
	void branchThatNoStepNamesSkipsAll() {
		QueueNode node = running(branches());
		for (JobResult.Success lost : List.of(JobResult.success().branch("lost"), JobResult.success())) {
			this.tasks.on("pay", (job) -> lost);
			UUID workflow = start(node);
			awaitEnd(workflow, "SUCCEEDED");
			assertThat(steps(workflow)).containsExactly(entry("pay", "SUCCEEDED"), entry("ship", "SKIPPED"),
					entry("order", "SKIPPED"), entry("receive", "SKIPPED"), entry("tell", "SKIPPED"));
		}
		assertThat(count("jobqueue_archive")).isEqualTo(2);
	}

	@Test
	void stepAfterAnyBeginsWithTheFirstAndOnce() throws InterruptedException {
		CountDownLatch slow = new CountDownLatch(1);
		this.tasks.on("slow", (job) -> {
			slow.await();
			return null;
		});
		WorkflowDefinition.Builder<String> steps = step(step(step(Tasks.workflow(), "slow"), "fast"), "fails");
		UUID workflow = start(running(step(steps, "tell", afterAny("slow", "fast", "fails"))));
		this.tasks.on("fails", (job) -> fail());
		await().until(() -> this.tasks.ran.contains("tell"));
		slow.countDown();
		await().until(() -> !stateOf(workflow).equals("RUNNING"));
		assertThat(this.tasks.ran).containsOnlyOnce("tell", "slow", "fast");
	}

	@Test
	void failureIsFollowed() {
		this.tasks.on("ship", (job) -> fail());
		WorkflowDefinition.Builder<String> steps = step(step(step(Tasks.workflow(), "pay"), "ship", after("pay")),
				"tell", after("ship"));
		steps = step(step(steps, "refund", afterFailure("ship", "tell")), "thank", after("tell"));
		UUID workflow = start(running(step(steps, "complain", afterFailure("pay"))));
		awaitEnd(workflow, "FAILED");
		assertThat(steps(workflow)).containsAllEntriesOf(Map.of("pay", "SUCCEEDED", "ship", "FAILED", "tell", "SKIPPED",
				"refund", "SUCCEEDED", "thank", "SKIPPED", "complain", "SKIPPED"));
		assertThat(this.tasks.ran).containsExactly("pay", "ship", "refund");
	}

	@Test
	void stepIsSkippedWhileAnotherOneThatItWaitsForRuns() {
		this.tasks.on("ship", (job) -> fail());
		WorkflowDefinition.Builder<String> steps = step(step(Tasks.workflow(), "ship"), "remind",
				(request) -> request.delay(Duration.ofHours(1)));
		UUID workflow = start(running(step(steps, "tell", after("ship", "remind"))));
		await().until(() -> stepState(workflow, "ship").equals("FAILED"));
		assertThat(steps(workflow)).containsEntry("remind", "STARTED").containsEntry("tell", "SKIPPED");
	}

	@Test
	void cancelledJobCountsAsFailed() {
		QueueNode node = running(
				step(step(step(Tasks.workflow(), "pay", (request) -> request.delay(Duration.ofHours(1))), "ship",
						after("pay")), "refund", afterFailure("pay")));
		UUID workflow = start(node);
		node.operations().cancel(job(workflow, "pay"));
		awaitEnd(workflow, "FAILED");
		assertThat(steps(workflow)).containsExactly(entry("pay", "CANCELLED"), entry("ship", "SKIPPED"),
				entry("refund", "SUCCEEDED"));
	}

	/**
	 * Nothing of a step is left but its row.
	 */
	@Test
	void statesOutliveJobsThatAreNotKept() {
		this.tasks.on("ship", (job) -> fail());
		UUID workflow = start(running(step(step(Tasks.workflow(), "pay"), "ship", after("pay")),
				(settings) -> settings.keepSucceeded(Duration.ZERO).keepDead(Duration.ZERO)));
		awaitEnd(workflow, "FAILED");
		assertThat(steps(workflow)).containsExactly(entry("pay", "SUCCEEDED"), entry("ship", "FAILED"));
		assertThat(count("jobqueue_archive")).isZero();
	}

	@Test
	void operatorRetriesTheJobOfAFailedStep() {
		this.tasks.on("ship", (job) -> fail());
		QueueNode node = running(
				step(step(step(Tasks.workflow(), "ship"), "tell", after("ship")), "refund", afterFailure("ship")));
		UUID workflow = start(node);
		awaitEnd(workflow, "FAILED");
		this.tasks.on("ship", (job) -> null);
		node.operations().retry(job(workflow, "ship"));
		awaitEnd(workflow, "SUCCEEDED");
		assertThat(steps(workflow)).containsExactly(entry("ship", "SUCCEEDED"), entry("tell", "SUCCEEDED"),
				entry("refund", "SUCCEEDED"));
		assertThat(this.tasks.ran).containsExactly("ship", "refund", "ship", "tell");
	}

	@Test
	void delayAndExpiryCountFromTheBeginOfTheStep() {
		WorkflowDefinition.Builder<String> steps = step(step(Tasks.workflow(), "pay"), "remind",
				(request) -> request.delay(Duration.ofHours(2)).expiresAfter(Duration.ofHours(1)), after("pay"));
		UUID workflow = start(running(step(steps, "late",
				(request) -> request.runAt(Instant.EPOCH).expiresAfter(Duration.ofHours(1)), after("pay"))));
		await().until(() -> stepState(workflow, "late").equals("SUCCEEDED"));
		assertThat(this.sql.sql("""
				SELECT run_at - created_at = interval '2 hours' AND expires_at - run_at = interval '1 hour'
				       AND created_at > (SELECT min(finished_at) FROM jobqueue_archive)
				FROM jobqueue_job
				""").query(Boolean.class).single()).isTrue();
	}

	@Test
	void optionsOfTheRequestAreThoseOfTheJob() {
		UUID workflow = start(running(step(step(Tasks.workflow(), "pay"), "ship",
				(request) -> request.orderedBy("order-7")
					.group("orders")
					.header("tenant", "acme")
					.maxAttempts(3)
					.expiresAfter(Duration.ofHours(3)),
				after("pay"))));
		awaitEnd(workflow, "SUCCEEDED");
		UUID job = job(workflow, "ship");
		assertThat(column("ordering_key", job, String.class)).isEqualTo("order-7");
		assertThat(column("job_group", job, String.class)).isEqualTo("orders");
		assertThat(column("max_attempts", job, Integer.class)).isEqualTo(3);
		assertThat(column("(expires_at - run_at)::text", job, String.class)).isEqualTo("03:00:00");
		assertThat(column("headers::json ->> 'tenant'", job, String.class)).isEqualTo("acme");
		assertThat(column("payload", job, String.class)).contains("order 7");
	}

	@Test
	void instanceKeepsTheDefinitionThatItBeganWith() {
		QueueNode before = node(settings().bean(this.tasks)
			.workflow(step(step(Tasks.workflow(), "pay"), "ship", after("pay")).build()));
		UUID workflow = start(before);
		running(step(step(Tasks.workflow(), "pay"), "tell", after("pay")));
		awaitEnd(workflow, "SUCCEEDED");
		assertThat(this.tasks.ran).containsExactly("pay", "ship");
	}

	@Test
	void stepsBelongToTheFamilyOfTheJobThatHasStartedThem() {
		QueueNode node = running(step(step(Tasks.workflow(), "pay"), "ship", after("pay")));
		this.tasks.on("parent", (job) -> {
			start(node);
			return null;
		});
		UUID parent = node.queue().enqueue(JobRequest.of(new Tasks.Task("parent", ""))).id();
		await().until(() -> this.tasks.ran.contains("ship"));
		UUID workflow = this.sql.sql("SELECT id FROM jobqueue_workflow").query(UUID.class).single();
		awaitEnd(workflow, "SUCCEEDED");
		assertThat(column("root_id", job(workflow, "pay"), UUID.class)).isEqualTo(parent);
		assertThat(column("parent_id", job(workflow, "ship"), UUID.class)).isEqualTo(parent);
	}

}
