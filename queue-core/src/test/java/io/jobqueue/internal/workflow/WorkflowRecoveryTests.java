package io.jobqueue.internal.workflow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.WorkflowState;
import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.dependency.JobFollower.Followed;
import io.jobqueue.internal.maintenance.Purge;
import io.jobqueue.internal.operations.AuditLog;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OperationStore.ChangeResult;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.StepResult;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.ChangedWorkflow;
import io.jobqueue.internal.store.WorkflowStore.RetriedJobs;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.workflow.Tasks.Task;

import static io.jobqueue.WorkflowDefinition.after;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * What a JVM that stopped has not done is done by another one, once.
 */
class WorkflowRecoveryTests extends WorkflowTestBase {

	private final UUID worker = UUID.randomUUID();

	private PostgresStores stores;

	private WorkflowFollower follower;

	private QueueNode producer;

	private long claims;

	@BeforeEach
	void open() {
		DataSource unpooled = this.database.dataSource();
		this.stores = closeLater(PostgresStores.of(this.pool, unpooled, null));
		this.follower = new WorkflowFollower(this.stores.workflows(), new JobSignals(),
				() -> this.producer.operations());
		this.stores.workers()
			.checkIn(new WorkerBuilder(this.worker).queues(Tasks.QUEUE).timeout(Duration.ofMinutes(5)).build(), false);
		this.producer = node(settings().bean(this.tasks)
			.workflow(step(step(step(Tasks.workflow(), "a"), "b"), "c", after("a", "b")).build()));
	}

	private List<ClaimedJob> claim() {
		return claim(10);
	}

	private List<ClaimedJob> claim(int jobs) {
		return this.stores.jobs()
			.claim(this.worker,
					new ClaimRequestBuilder(++this.claims).queue(Tasks.QUEUE)
						.types("task")
						.free(jobs)
						.priorities(10, 10)
						.build())
			.jobs();
	}

	private CompletionResult complete(ClaimedJob job, UUID by) {
		Completed outcome = new Completed(job.id(), job.claim(), Duration.ZERO, null, job.isPlain(), null)
			.with(new StepResult(Encoded.ofText("\"done\""), "left"));
		return this.stores.jobs().recordOutcomes(by, List.of(outcome), Set.of(), CompletionEffects.NONE);
	}

	@Test
	void sweepBeginsWhatHasNotBegunAfterACompletion() {
		UUID workflow = start(this.producer);
		List<ClaimedJob> jobs = claim();
		assertThat(jobs).hasSize(2);
		assertThat(this.stores.maintenance().reap(null).dependent()).isTrue();
		CompletionResult unused = complete(jobs.get(0), this.worker);
		this.follower.sweep();
		assertThat(steps(workflow)).containsEntry("c", "WAITING").containsValue("SUCCEEDED");
		assertThat(complete(jobs.get(1), this.worker).predecessors()).containsExactly(jobs.get(1).id());
		this.follower.sweep();
		assertThat(steps(workflow)).containsExactly(entry("a", "SUCCEEDED"), entry("b", "SUCCEEDED"),
				entry("c", "STARTED"));
		this.follower.sweep();
		assertThat(count("jobqueue_job")).isOne();
		unused = complete(claim().get(0), this.worker);
		this.follower.sweep();
		assertThat(stateOf(workflow)).isEqualTo("SUCCEEDED");
	}

	@Test
	void resultOfALostClaimIsNotStored() {
		UUID workflow = start(this.producer);
		ClaimedJob job = claim().stream()
			.filter((each) -> each.id().equals(job(workflow, "a")))
			.findFirst()
			.orElseThrow();
		assertThat(complete(job, UUID.randomUUID()).jobs()).isEmpty();
		assertThat(stepColumn("coalesce(result, branch, 'none')", workflow, "a", String.class)).isEqualTo("none");
		assertThat(complete(job, this.worker).jobs()).containsExactly(job.id());
		assertThat(stepColumn("result || branch", workflow, "a", String.class)).isEqualTo("\"done\"left");
	}

	/**
	 * Two nodes have read the instance before either has changed it.
	 */
	@Test
	void stepBeginsOnceIfTwoNodesAdvanceAtTheSameTime() {
		UUID workflow = start(this.producer);
		List<UUID> ended = claim().stream().map((job) -> {
			CompletionResult unused = complete(job, this.worker);
			return job.id();
		}).toList();
		WorkflowStore store = this.stores.workflows();
		List<ChangedWorkflow> first = store.ofJobs(ended).workflows().stream().map(WorkflowProgress::of).toList();
		List<ChangedWorkflow> second = store.ofJobs(ended).workflows().stream().map(WorkflowProgress::of).toList();
		assertThat(store.advance(first).advanced()).containsExactly(workflow);
		assertThat(store.advance(second).advanced()).isEmpty();
		assertThat(count("jobqueue_job")).isOne();
		assertThat(this.follower.follow(ended).again()).isEmpty();
		assertThat(count("jobqueue_job")).isOne();
	}

	@Test
	void stepForWhichNoJobWaitsIsSettled() {
		start(this.producer);
		List<ClaimedJob> jobs = claim();
		UUID awaited = jobs.get(0).id();
		UUID other = this.producer.queue().enqueue(JobRequest.of(new Task("mail", "")).after(awaited)).id();
		assertThat(this.follower.follow(List.of(awaited, jobs.get(1).id(), other)).settled())
			.containsExactly(jobs.get(1).id());
	}

	@Test
	void lockedInstanceIsFollowedLater() {
		UUID workflow = start(this.producer);
		List<UUID> ended = claim().stream().map((job) -> {
			CompletionResult unused = complete(job, this.worker);
			return job.id();
		}).toList();
		try (OpenTransaction other = new OpenTransaction(this.database.dataSource())) {
			other.sql()
				.sql("SELECT true FROM jobqueue_workflow WHERE id = ? FOR UPDATE")
				.param(workflow)
				.query(Boolean.class)
				.single();
			assertThat(this.follower.follow(ended).again()).containsExactlyInAnyOrderElementsOf(ended);
			assertThat(count("jobqueue_job")).isZero();
			other.end(false);
		}
		assertThat(this.follower.follow(ended).again()).isEmpty();
		assertThat(count("jobqueue_job")).isOne();
	}

	/**
	 * What another node has read before an operation is not written after it.
	 */
	@Test
	void operationsChangeTheVersion() {
		UUID workflow = start(this.producer);
		List<ClaimedJob> jobs = claim();
		UUID dead = die(jobs.get(0)).id();
		CompletionResult unused = complete(jobs.get(1), this.worker);
		WorkflowStore store = this.stores.workflows();
		List<ChangedWorkflow> failure = changes(dead);
		this.stores.operations().revive(List.of(dead));
		assertThat(store.advance(failure).advanced()).isEmpty();
		RetriedJobs again = new RetriedJobs(Map.of(0, UUID.randomUUID(), 1, UUID.randomUUID()), List.of(), List.of());
		assertThat(store.retry(failure.get(0), again, operation("retry")).advanced()).isEmpty();
		assertThat(List.of(job(workflow, "a"), job(workflow, "b"))).containsExactlyInAnyOrder(dead, jobs.get(1).id());
		List<ChangedWorkflow> success = changes(jobs.get(1).id());
		assertThat(success).hasSize(1);
		assertThat(store.cancel(workflow, operation("cancel"))).isNotNull();
		assertThat(store.advance(success).advanced()).isEmpty();
	}

	private List<ChangedWorkflow> changes(UUID ended) {
		return this.stores.workflows().ofJobs(List.of(ended)).workflows().stream().map(WorkflowProgress::of).toList();
	}

	/**
	 * A sweep looks at 1,000 instances.
	 */
	@Test
	void sweepContinuesAndStartsOver() {
		UUID workflow = start(this.producer);
		this.sql.sql("""
				INSERT INTO jobqueue_workflow (id, created_at, state, name)
				SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), 'RUNNING', 'other'
				FROM generate_series(1, 1000) AS n
				""").update();
		completeAll();
		this.follower.sweep();
		assertThat(steps(workflow)).containsEntry("c", "WAITING");
		this.follower.sweep();
		assertThat(steps(workflow)).containsEntry("c", "STARTED");
		completeAll();
		this.follower.sweep();
		assertThat(stateOf(workflow)).isEqualTo("RUNNING");
		this.follower.sweep();
		assertThat(stateOf(workflow)).isEqualTo("SUCCEEDED");
	}

	private void completeAll() {
		for (ClaimedJob job : claim()) {
			CompletionResult unused = complete(job, this.worker);
		}
	}

	/**
	 * The JVM stopped between the cancellation of the instance and that of its jobs.
	 */
	@Test
	void sweepCancelsTheJobsOfACancelledInstance() {
		UUID workflow = start(this.producer);
		ClaimedJob running = claim(1).get(0);
		assertThat(this.stores.workflows().cancel(workflow, operation("cancel"))).hasSize(2);
		assertThat(count("jobqueue_job WHERE cancel_requested")).isZero();
		assertThat(steps(workflow)).containsEntry("c", "SKIPPED");
		this.follower.sweep();
		assertThat(column("cancel_requested", running.id(), Boolean.class)).isTrue();
		Followed unused = this.follower.follow(ended(workflow));
		assertThat(steps(workflow)).containsValues("STARTED", "CANCELLED", "SKIPPED");
		assertThat(count("jobqueue_operator_log WHERE operation = 'cancel'")).isEqualTo(3);
		this.follower.sweep();
		assertThat(count("jobqueue_operator_log WHERE operation = 'cancel'")).isEqualTo(3);
		this.stores.operations().revive(ended(workflow));
		assertThat(count("jobqueue_workflow WHERE cancel_requested")).isZero();
	}

	/**
	 * Another node, which cancels the instance, has not cancelled its jobs yet.
	 */
	@Test
	void cancelledInstanceIsRetriedAfterTheEndOfItsJobs() {
		UUID workflow = start(this.producer);
		List<UUID> jobs = Objects.requireNonNull(this.stores.workflows().cancel(workflow, operation("cancel")));
		assertThat(operations().retry(workflow)).isFalse();
		jobs.forEach(this.producer.operations()::cancel);
		this.follower.sweep();
		assertThat(stateOf(workflow)).isEqualTo("CANCELLED");
		assertThat(operations().retry(workflow)).isTrue();
		assertThat(steps(workflow)).containsExactly(entry("a", "STARTED"), entry("b", "STARTED"),
				entry("c", "WAITING"));
		assertThat(claim()).hasSize(2).extracting(ClaimedJob::id).doesNotContainAnyElementsOf(jobs);
	}

	/**
	 * The cancellation waits for a node that begins a step.
	 */
	@Test
	void stepThatBeginsMeanwhileIsCancelled() throws Exception {
		UUID workflow = start(this.producer);
		FutureTask<@Nullable List<UUID>> cancelled = new FutureTask<>(
				() -> this.stores.workflows().cancel(workflow, operation("cancel")));
		try (OpenTransaction other = new OpenTransaction(this.database.dataSource())) {
			other.sql().sql("UPDATE jobqueue_workflow SET version = version + 1").update();
			other.sql().sql("UPDATE jobqueue_workflow_step SET state = 'STARTED' WHERE name = 'c'").update();
			new Thread(cancelled).start();
			await().until(() -> count("pg_locks WHERE NOT granted") > 0);
			other.end(true);
		}
		assertThat(cancelled.get()).contains(job(workflow, "c"));
	}

	/**
	 * The JVM stopped after the transaction of the retry, while another step runs.
	 */
	@Test
	void retriedStepBeginsInTheTransactionOfTheRetry() {
		UUID workflow = start(this.producer);
		ClaimedJob dead = die(claim(1).get(0));
		Followed unused = this.follower.follow(List.of(dead.id()));
		assertThat(operations().retry(workflow)).isTrue();
		assertThat(steps(workflow)).containsExactly(entry("a", "STARTED"), entry("b", "STARTED"),
				entry("c", "WAITING"));
		assertThat(claim()).hasSize(2).extracting(ClaimedJob::id).contains(dead.id());
		assertThat(ended(workflow)).isEmpty();
	}

	private WorkflowOperations operations() {
		return new WorkflowOperations(this.stores.workflows(), this.follower, () -> this.producer.operations(),
				UUID::randomUUID, new AuditLog(() -> null));
	}

	/**
	 * The retry of the job has the lock of its row in the archive, but not yet that of
	 * the instance.
	 */
	@Test
	void retryChangesNothingIfTheDeadJobIsLockedOrTheInstanceHasChanged() {
		UUID workflow = start(this.producer);
		UUID dead = die(claim(1).get(0)).id();
		Followed unused = this.follower.follow(List.of(dead));
		Map<String, String> before = steps(workflow);
		try (OpenTransaction other = new OpenTransaction(this.database.dataSource())) {
			other.sql()
				.sql("SELECT true FROM jobqueue_archive WHERE id = ? FOR UPDATE")
				.param(dead)
				.query(Boolean.class)
				.single();
			assertThat(operations().retry(workflow)).isFalse();
			other.end(false);
		}
		ChangedWorkflow stale = new ChangedWorkflow(workflow, -1, WorkflowState.RUNNING, List.of());
		RetriedJobs jobs = new RetriedJobs(Map.of(), List.of(dead), List.of());
		assertThat(this.stores.workflows().retry(stale, jobs, operation("retry")).advanced()).isEmpty();
		assertThat(steps(workflow)).isEqualTo(before);
		assertThat(ended(workflow)).containsExactly(dead);
		assertThat(count("jobqueue_operator_log")).isZero();
		assertThat(operations().retry(workflow)).isTrue();
	}

	/**
	 * The JVM stopped after the retry of a dead job, and another one after its success,
	 * of which nothing is kept.
	 */
	@Test
	void retryOfADeadJobResumesItsInstance() {
		UUID workflow = start(this.producer);
		List<ClaimedJob> jobs = claim();
		UUID dead = die(jobs.get(0)).id();
		CompletionResult unused = complete(jobs.get(1), this.worker);
		this.follower.sweep();
		assertThat(stateOf(workflow)).isEqualTo("FAILED");
		ChangeResult revived = this.stores.operations().revive(List.of(dead));
		assertThat(revived.predecessors()).containsExactly(dead);
		assertThat(stateOf(workflow)).isEqualTo("RUNNING");
		assertThat(count("jobqueue_workflow WHERE finished_at IS NULL")).isOne();
		assertThat(steps(workflow)).containsValues("STARTED", "SUCCEEDED", "SKIPPED");
		unused = complete(claim().get(0), this.worker);
		this.follower.sweep();
		assertThat(steps(workflow)).containsExactly(entry("a", "SUCCEEDED"), entry("b", "SUCCEEDED"),
				entry("c", "STARTED"));
	}

	/**
	 * All nodes stopped before the failure was followed, and start again days later.
	 */
	@Test
	void failureIsKnownUntilItIsFollowed() {
		UUID workflow = start(this.producer);
		UUID dead = die(claim(1).get(0), Duration.ZERO).id();
		Purge purge = new Purge(this.stores.maintenance());
		this.sql.sql("UPDATE jobqueue_unarchived SET removed_at = removed_at - interval '25 hours'").update();
		purge.runOnce();
		this.follower.sweep();
		assertThat(steps(workflow)).containsEntry(nameOf(dead), "FAILED").containsEntry("c", "SKIPPED");
		purge.runOnce();
		assertThat(count("jobqueue_unarchived")).isZero();
	}

	private String nameOf(UUID job) {
		return this.sql.sql("SELECT name FROM jobqueue_workflow_step WHERE job_id = ?")
			.param(job)
			.query(String.class)
			.single();
	}

	/**
	 * The rest of what the sweep does is done.
	 */
	@Test
	@Tag("slow") // waits for a lock in vain
	void lockedJobOfACancelledInstanceIsLeftToALaterSweep() {
		UUID workflow = start(this.producer);
		assertThat(this.stores.workflows().cancel(workflow, operation("cancel"))).hasSize(2);
		try (OpenTransaction other = new OpenTransaction(this.database.dataSource())) {
			other.sql()
				.sql("SELECT true FROM jobqueue_job WHERE id = ? FOR UPDATE")
				.param(job(workflow, "a"))
				.query(Boolean.class)
				.single();
			this.follower.sweep();
			assertThat(ended(workflow)).containsExactly(job(workflow, "b"));
			other.end(false);
		}
		this.follower.sweep();
		assertThat(ended(workflow)).hasSize(2);
	}

	/**
	 * The retry holds the locks of the job while it waits for that of the instance.
	 */
	@Test
	void retryOfADeadJobWaitsForANodeThatBeginsAStep() throws Exception {
		UUID workflow = start(this.producer);
		UUID dead = die(claim(1).get(0)).id();
		Followed unused = this.follower.follow(List.of(dead));
		FutureTask<ChangeResult> revived = new FutureTask<>(() -> this.stores.operations().revive(List.of(dead)));
		try (OpenTransaction other = new OpenTransaction(this.database.dataSource())) {
			other.sql().sql("UPDATE jobqueue_workflow SET version = version + 1").update();
			new Thread(revived).start();
			await().until(() -> count("pg_locks WHERE NOT granted") > 0);
			other.sql().sql("UPDATE jobqueue_workflow_step SET state = 'STARTED' WHERE name = 'c'").update();
			other.sql()
				.sql("""
						INSERT INTO jobqueue_job (id, queue, type, payload, priority, run_at, created_at)
						SELECT job_id, queue, type, payload, priority, now(), now() FROM jobqueue_workflow_step WHERE name = 'c'
						""")
				.update();
			other.end(true);
		}
		assertThat(revived.get().jobs()).containsExactly(dead);
		assertThat(steps(workflow)).containsExactly(entry("a", "STARTED"), entry("b", "STARTED"),
				entry("c", "STARTED"));
	}

	private ClaimedJob die(ClaimedJob job) {
		return die(job, null);
	}

	private ClaimedJob die(ClaimedJob job, @Nullable Duration keep) {
		CompletionResult unused = this.stores.jobs()
			.recordOutcomes(this.worker, List.of(new Dead(job.id(), job.claim(), "broken", keep)), Set.of(),
					CompletionEffects.NONE);
		return job;
	}

	private List<UUID> ended(UUID workflow) {
		return this.sql.sql("""
				SELECT s.job_id FROM jobqueue_workflow_step s JOIN jobqueue_archive a ON a.id = s.job_id
				WHERE s.workflow_id = ?
				""").param(workflow).query(UUID.class).list();
	}

	private static LoggedOperation operation(String name) {
		return new LoggedOperation(UUID.randomUUID(), name, null, "workflow", null, null);
	}

}
