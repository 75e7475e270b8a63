package io.jobqueue.internal.workflow;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.CompletionEffects;
import io.jobqueue.internal.store.JobStore.CompletionResult;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.StepResult;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.ChangedWorkflow;
import io.jobqueue.internal.store.postgresql.PostgresStores;

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
		this.follower = new WorkflowFollower(this.stores.workflows(), new JobSignals());
		this.stores.workers()
			.checkIn(new WorkerBuilder(this.worker).queues(Tasks.QUEUE).timeout(Duration.ofMinutes(5)).build(), false);
		this.producer = node(settings().bean(this.tasks)
			.workflow(step(step(step(Tasks.workflow(), "a"), "b"), "c", after("a", "b")).build()));
	}

	private List<ClaimedJob> claim() {
		return this.stores.jobs()
			.claim(this.worker,
					new ClaimRequestBuilder(++this.claims).queue(Tasks.QUEUE)
						.types("task")
						.free(10)
						.priorities(10, 10)
						.build())
			.jobs();
	}

	private CompletionResult complete(ClaimedJob job, UUID by) {
		Completed outcome = new Completed(job.id(), job.claim(), null, null, job.isPlain(), null)
			.with(new StepResult(Encoded.ofText("\"done\""), "left"));
		return this.stores.jobs().recordOutcomes(by, List.of(outcome), Set.of(), CompletionEffects.NONE);
	}

	@Test
	void sweepBeginsWhatHasNotBegunAfterACompletion() {
		UUID workflow = start(this.producer);
		List<ClaimedJob> jobs = claim();
		assertThat(jobs).hasSize(2);
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
		List<ChangedWorkflow> first = store.ofJobs(ended).stream().map(WorkflowProgress::of).toList();
		List<ChangedWorkflow> second = store.ofJobs(ended).stream().map(WorkflowProgress::of).toList();
		assertThat(store.advance(first).advanced()).containsExactly(workflow);
		assertThat(store.advance(second).advanced()).isEmpty();
		assertThat(count("jobqueue_job")).isOne();
		assertThat(this.follower.follow(ended)).isEmpty();
		assertThat(count("jobqueue_job")).isOne();
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
			assertThat(this.follower.follow(ended)).containsExactlyInAnyOrderElementsOf(ended);
			assertThat(count("jobqueue_job")).isZero();
		}
		assertThat(this.follower.follow(ended)).isEmpty();
		assertThat(count("jobqueue_job")).isOne();
	}

}
