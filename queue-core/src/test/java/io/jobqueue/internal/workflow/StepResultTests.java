package io.jobqueue.internal.workflow;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;
import io.jobqueue.PayloadCodec;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.payload.JacksonPayloadCodec;

import static io.jobqueue.WorkflowDefinition.after;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the handler of a step returns is stored with its completion, and later steps read
 * it.
 */
class StepResultTests extends WorkflowTestBase {

	private final List<@Nullable Object> read = new CopyOnWriteArrayList<>();

	@BeforeEach
	void forgetResults() {
		this.read.clear();
	}

	private static WorkflowDefinition.Builder<String> steps() {
		return step(step(Tasks.workflow(), "pay"), "ship", after("pay"));
	}

	private Object read(JobContext job, String step, Class<?> type) {
		this.read.add(job.result(step, type));
		return "shipped";
	}

	private String lastError(UUID job) {
		return column("last_error", job, String.class);
	}

	@Test
	void laterStepReadsTheResult() {
		this.tasks.on("pay", (job) -> new Payment(7, List.of("a", "b"))).on("ship", (job) -> {
			read(job, "pay", Payment.class);
			read(job, "pay", Map.class);
			return read(job, "ship", String.class);
		});
		awaitEnd(start(running(steps())), "SUCCEEDED");
		assertThat(this.read).containsExactly(new Payment(7, List.of("a", "b")),
				Map.of("amount", 7, "parts", List.of("a", "b")), null);
	}

	@Test
	void resultAndBranchAreReturnedTogether() {
		this.tasks.on("pay", (job) -> JobResult.success("paid").branch("in-stock"))
			.on("ship", (job) -> read(job, "pay", String.class));
		UUID workflow = start(running(step(step(Tasks.workflow(), "pay"), "ship", after("pay").on("in-stock"))));
		awaitEnd(workflow, "SUCCEEDED");
		assertThat(this.read).containsExactly("paid");
		assertThat(stepColumn("result", workflow, "ship", String.class)).isEqualTo("\"shipped\"");
	}

	@Test
	void stepThatReturnsNothingHasNoResult() {
		this.tasks.on("ship", (job) -> read(job, "pay", String.class));
		awaitEnd(start(running(steps())), "SUCCEEDED");
		assertThat(this.read).containsOnlyNulls().hasSize(1);
	}

	@Test
	void retriedStepStoresTheResultOfItsSuccess() {
		this.tasks.on("pay", (job) -> {
			if (job.attempt() == 1) {
				throw new IllegalStateException("once more");
			}
			return job.attempt();
		}).on("ship", (job) -> {
			read(job, "pay", int.class);
			return read(job, "pay", Integer.class);
		});
		awaitEnd(start(running(steps())), "SUCCEEDED");
		assertThat(this.read).containsExactly(2, 2);
	}

	@Test
	void resultOfAnotherClassIsRefused() {
		this.tasks.on("pay", (job) -> "paid").on("ship", (job) -> read(job, "pay", Payment.class));
		UUID workflow = start(running(steps(), (settings) -> settings.maxAttempts(1)));
		awaitEnd(workflow, "FAILED");
		assertThat(lastError(job(workflow, "ship"))).contains("UnreadablePayloadException",
				"its result is no io.jobqueue.internal.workflow.StepResultTests$Payment");
	}

	@Test
	void unknownStepIsRefused() {
		this.tasks.on("ship", (job) -> read(job, "pack", String.class));
		UUID workflow = start(running(steps(), (settings) -> settings.maxAttempts(1)));
		awaitEnd(workflow, "FAILED");
		assertThat(lastError(job(workflow, "ship"))).contains("has no step 'pack', or its instance " + workflow);
	}

	@Test
	void jobOutsideWorkflowsHasNoResults() {
		this.tasks.on("pay", (job) -> read(job, "pay", String.class));
		QueueNode node = running(steps(), (settings) -> settings.maxAttempts(1));
		UUID job = node.queue().enqueue(new Tasks.Task("pay", "")).id();
		awaitState(job, "DEAD");
		assertThat(lastError(job)).contains("is no step of a workflow and has no results of others");
	}

	@Test
	void largeResultFailsTheAttempt() {
		this.tasks.on("pay", (job) -> "x".repeat(200));
		UUID workflow = start(running(steps(), (settings) -> settings.maxAttempts(1).maxPayloadSize(200)));
		awaitEnd(workflow, "FAILED");
		assertThat(lastError(job(workflow, "pay"))).contains(
				"has 202 bytes, more than the 200 that jobqueue.producer.max-payload-size allows: store it elsewhere, and return its id");
	}

	@Test
	void resultMayHaveTheMaximumSize() {
		this.tasks.on("pay", (job) -> "x".repeat(198));
		awaitEnd(start(running(steps(), (settings) -> settings.maxPayloadSize(200))), "SUCCEEDED");
	}

	@Test
	void resultOfACodecIsChecked() {
		this.tasks.on("pay", (job) -> new byte[201]);
		QueueNode node = running(steps(),
				(settings) -> settings.maxAttempts(1).maxPayloadSize(200).codec(new ResultCodec()));
		UUID large = start(node);
		awaitEnd(large, "FAILED");
		assertThat(lastError(job(large, "pay"))).contains("has 201 bytes, more than the 200");
		this.tasks.on("pay", (job) -> "a\0b");
		UUID unstorable = start(node);
		awaitEnd(unstorable, "FAILED");
		assertThat(lastError(job(unstorable, "pay"))).contains("contains the character NUL");
	}

	@Test
	void resultThatCannotBeStoredFailsTheAttempt() {
		this.tasks.on("pay", (job) -> new Broken());
		QueueNode node = running(steps(), (settings) -> settings.maxAttempts(1));
		UUID workflow = start(node);
		awaitEnd(workflow, "FAILED");
		assertThat(lastError(job(workflow, "pay"))).contains("StepResultTests$Broken, cannot be serialized");
		awaitState(node.queue().enqueue(new Tasks.Task("pay", "outside workflows")).id(), "SUCCEEDED");
	}

	/**
	 * A transactional handler is completed by the last statement of its transaction, and
	 * several jobs of a call together.
	 */
	@Test
	void resultsOfAllKindsOfHandlersAreStored() {
		Kinds kinds = new Kinds(1);
		WorkflowDefinition<String> definition = Tasks.workflow()
			.step("alone", (input) -> new Alone(input))
			.step("many", (input) -> new Many(input))
			.step("each", (input) -> JobRequest.of(new Each(input)), after("alone", "many"))
			.build();
		UUID workflow = start(started((settings) -> settings.bean(kinds).workflow(definition)));
		awaitEnd(workflow, "SUCCEEDED");
		assertThat(stepColumn("result", workflow, "alone", String.class)).isEqualTo("\"alone order 7\"");
		assertThat(stepColumn("result", workflow, "many", String.class)).isEqualTo("\"many order 7\"");
		assertThat(stepColumn("branch", workflow, "many", String.class)).isEqualTo("all");
		assertThat(stepColumn("result", workflow, "each", String.class))
			.isEqualTo("\"alone order 7 and many order 7\"");
	}

	@Test
	void largeResultOfATransactionalHandlerRollsBack() {
		WorkflowDefinition<String> definition = Tasks.workflow().step("alone", (input) -> new Alone(input)).build();
		UUID workflow = start(started(
				(settings) -> settings.bean(new Kinds(5)).workflow(definition).maxAttempts(1).maxPayloadSize(40)));
		awaitEnd(workflow, "FAILED");
		assertThat(lastError(job(workflow, "alone"))).contains("has 43 bytes, more than the 40");
	}

	/**
	 * Stores bytes and texts as they are.
	 */
	static class ResultCodec implements PayloadCodec {

		private final PayloadCodec json = new JacksonPayloadCodec();

		@Override
		public Encoded encode(Object value) {
			if (value instanceof byte[] bytes) {
				return Encoded.ofBytes(bytes);
			}
			return (value instanceof String text) ? Encoded.ofText(text) : this.json.encode(value);
		}

		@Override
		public Object decode(Encoded encoded, Type type) {
			return this.json.decode(encoded, type);
		}

	}

	/**
	 * A result.
	 */
	record Payment(int amount, List<String> parts) {
	}

	/**
	 * A result that cannot be serialized.
	 */
	static class Broken {

		public String getName() {
			throw new IllegalStateException("closed");
		}

	}

	@JobType("alone")
	record Alone(String input) {
	}

	@JobType("many")
	record Many(String input) {
	}

	@JobType("each")
	record Each(String input) {
	}

	/**
	 * Handlers of other kinds.
	 */
	static class Kinds {

		private final int times;

		Kinds(int times) {
			this.times = times;
		}

		@JobHandler(queue = "kinds", delivery = Delivery.TRANSACTIONAL)
		String handle(Alone alone) {
			return "alone " + alone.input().repeat(this.times);
		}

		@JobHandler(queue = "many", batchSize = 10, delivery = Delivery.TRANSACTIONAL)
		List<JobResult> handle(List<Many> many) {
			return many.stream()
				.map((each) -> (JobResult) JobResult.success("many " + each.input()).branch("all"))
				.toList();
		}

		@JobHandler(queue = "each", batchSize = 10)
		void handle(JobBatch<Each> batch) {
			batch.items()
				.forEach((item) -> batch.complete(item, JobResult.success(
						item.job().result("alone", String.class) + " and " + item.job().result("many", String.class))));
		}

	}

}
