package io.jobqueue.internal.workflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.StepCondition;
import io.jobqueue.StepCondition.Kind;
import io.jobqueue.StepState;
import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Cancelled;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.StepResult;
import io.jobqueue.internal.store.WorkflowStore.StoredResult;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.workflow.RandomWorkflow.End;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In random workflows of up to 12 steps, with branches, joins, alternatives and failures,
 * exactly the steps begin whose conditions hold, none before that, each succeeds once,
 * and its result is there for the steps after it. Half of the workflows have no sweep:
 * nothing is lost there without it. {@code -Dworkflow.instances=10000} runs more of them,
 * {@code -Dworkflow.seed} starts with another one.
 */
class WorkflowModelTests extends WorkflowTestBase {

	private static final Logger logger = LoggerFactory.getLogger(WorkflowModelTests.class);

	private static final int INSTANCES = Integer.getInteger("workflow.instances", 60);

	private static final int FEW = 10;

	private static final long SEED = Long.getLong("workflow.seed", System.nanoTime());

	private static final int WORKERS = 2;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicLong claims = new AtomicLong();

	private PostgresStores stores;

	@BeforeEach
	void open() {
		DataSource unpooled = this.database.dataSource();
		this.stores = closeLater(PostgresStores.of(this.pool, unpooled, null));
	}

	@AfterAll
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	@Tag("slow") // 60 instances
	@Timeout(value = 60, unit = TimeUnit.MINUTES)
	void stepsBeginIfTheirConditionsHold() throws Exception {
		run(INSTANCES);
	}

	@Test
	void stepsBeginIfTheirConditionsHoldInAFewWorkflows() throws Exception {
		run(FEW);
	}

	private void run(int instances) throws Exception {
		logger.info("Running {} workflows from seed {}", instances, SEED);
		for (int number = 0; number < instances; number++) {
			RandomWorkflow workflow = RandomWorkflow.of(SEED + number);
			try {
				new Run(workflow).run();
			}
			catch (AssertionError ex) {
				throw new AssertionError("With -Dworkflow.seed=%d: %s".formatted(workflow.seed(), workflow), ex);
			}
		}
	}

	/**
	 * An instance that two workers run.
	 */
	private final class Run {

		private final RandomWorkflow workflow;

		private final JobStore jobs = WorkflowModelTests.this.stores.jobs();

		private final WorkflowFollower follower = new WorkflowFollower(WorkflowModelTests.this.stores.workflows(),
				new JobSignals(), () -> {
					throw new IllegalStateException("No instance is cancelled");
				});

		private final UUID id;

		private final Set<String> ended = ConcurrentHashMap.newKeySet();

		Run(RandomWorkflow workflow) {
			this.workflow = workflow;
			this.id = start(node(settings().bean(WorkflowModelTests.this.tasks).workflow(workflow.definition())));
		}

		void run() throws Exception {
			List<Callable<Boolean>> workers = new ArrayList<>();
			for (int worker = 0; worker < WORKERS; worker++) {
				Random random = new Random(this.workflow.seed() * 31 + worker);
				workers.add(() -> work(random));
			}
			for (Future<Boolean> worker : WorkflowModelTests.this.threads.invokeAll(workers, 60, TimeUnit.SECONDS)) {
				assertThat(worker.isCancelled()).as("%s in %s", steps(this.id), stateOf(this.id)).isFalse();
				assertThat(worker.get()).isTrue();
			}
			check();
		}

		private void check() {
			Map<String, String> states = steps(this.id);
			states.replaceAll((step, state) -> known(state));
			Map<String, String> expected = new HashMap<>();
			states.keySet().forEach((step) -> expected.put(step, known(this.workflow.state(step).name())));
			assertThat(states).isEqualTo(expected);
			assertThat(this.ended).containsExactlyInAnyOrderElementsOf(this.workflow.begun());
			boolean failed = expected.containsValue("FAILED") || expected.containsValue("CANCELLED");
			assertThat(stateOf(this.id)).isEqualTo(failed ? "FAILED" : "SUCCEEDED");
			assertThat(count("jobqueue_job")).isZero();
		}

		/**
		 * Of a job that is not kept, or no longer, only its failure is known.
		 */
		private String known(String state) {
			return (state.equals("CANCELLED") && this.workflow.retention() != null) ? "FAILED" : state;
		}

		private boolean work(Random random) {
			UUID worker = register();
			while (stateOf(this.id).equals("RUNNING")) {
				List<ClaimedJob> claimed = claim(worker);
				if (this.workflow.kills() && random.nextInt(6) == 0) {
					kill(worker);
					worker = register();
				}
				else {
					for (ClaimedJob job : claimed) {
						end(job, worker, random);
					}
				}
				if (this.workflow.kills() && random.nextInt(3) == 0) {
					maintain();
				}
			}
			return true;
		}

		private UUID register() {
			UUID worker = UUID.randomUUID();
			WorkflowModelTests.this.stores.workers()
				.checkIn(new WorkerBuilder(worker).queues(Tasks.QUEUE).timeout(Duration.ofMinutes(5)).build(), false);
			return worker;
		}

		private void kill(UUID worker) {
			WorkflowModelTests.this.sql
				.sql("UPDATE jobqueue_worker SET last_active_at = last_active_at - interval '1 hour' WHERE id = ?")
				.param(worker)
				.update();
		}

		private void maintain() {
			WorkflowModelTests.this.stores.maintenance().reap(null);
			WorkflowModelTests.this.stores.maintenance().purge(100);
			this.follower.sweep();
		}

		private List<ClaimedJob> claim(UUID worker) {
			return this.jobs
				.claim(worker,
						new ClaimRequestBuilder(WorkflowModelTests.this.claims.incrementAndGet()).queue(Tasks.QUEUE)
							.types("task")
							.free(3)
							.priorities(10, 10)
							.build())
				.jobs();
		}

		private void end(ClaimedJob job, UUID worker, Random random) {
			String step = String.valueOf(job.payload().text()).replaceFirst(".*\"step\":\"(s\\d+)\".*", "$1");
			this.workflow.step(step).conditions().forEach(this::assertHolds);
			boolean retried = random.nextInt(5) == 0;
			Outcome outcome = retried ? new RetryLater(job.id(), job.claim(), Duration.ZERO, "once more", false)
					: outcome(job, step);
			CompletionResult written = this.jobs.recordOutcomes(worker, List.of(outcome), Set.of(),
					CompletionEffects.NONE);
			if (!retried && written.jobs().contains(job.id())) {
				assertThat(this.ended.add(step)).as("%s ended twice", step).isTrue();
			}
			if (!this.workflow.kills() || random.nextInt(5) > 0) {
				follow(written.predecessors());
			}
		}

		private Outcome outcome(ClaimedJob job, String step) {
			End end = this.workflow.ends().get(step);
			Duration retention = this.workflow.retention();
			if (end.state() == StepState.SUCCEEDED) {
				return new Completed(job.id(), job.claim(), retention, null, job.isPlain(), null)
					.with(new StepResult(Encoded.ofText(result(step)), end.branch()));
			}
			if (end.state() == StepState.FAILED) {
				return new Dead(job.id(), job.claim(), "broken", retention);
			}
			Map<UUID, @Nullable Duration> cancelled = new HashMap<>();
			cancelled.put(job.id(), retention);
			WorkflowModelTests.this.stores.operations().cancel(cancelled);
			return new Cancelled(job.id(), job.claim(), null);
		}

		private void follow(Collection<UUID> ended) {
			Collection<UUID> locked = ended;
			while (!locked.isEmpty()) {
				locked = this.follower.follow(locked).again();
			}
		}

		private void assertHolds(StepCondition condition) {
			if (condition.kind() == Kind.AFTER) {
				assertThat(condition.steps()).allMatch((step) -> satisfies(step, condition));
			}
			else {
				assertThat(condition.steps()).anyMatch((step) -> satisfies(step, condition));
			}
		}

		/**
		 * The result is written with the end of the job.
		 */
		private boolean satisfies(String step, StepCondition condition) {
			if (condition.kind() == Kind.AFTER_FAILURE) {
				return stepState(this.id, step).matches("FAILED|CANCELLED");
			}
			StoredResult result = WorkflowModelTests.this.stores.workflows().result(this.id, step);
			return result != null && Encoded.ofText(result(step)).equals(result.value()) && (condition.branch() == null
					|| condition.branch().equals(stepColumn("coalesce(branch, '')", this.id, step, String.class)));
		}

		private static String result(String step) {
			return "\"result of %s\"".formatted(step);
		}

	}

}
