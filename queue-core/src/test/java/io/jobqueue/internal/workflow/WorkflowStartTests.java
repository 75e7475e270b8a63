package io.jobqueue.internal.workflow;

import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowReceipt;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.workflow.Tasks.Task;

import static io.jobqueue.WorkflowDefinition.after;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * An instance starts in the caller's transaction, by one statement.
 */
class WorkflowStartTests extends WorkflowTestBase {

	private static final WorkflowDefinition<String> TWO = step(step(Tasks.workflow(), "pay"), "ship", after("pay"))
		.build();

	private QueueNode producer(WorkflowDefinition<?> definition) {
		return node(settings().bean(this.tasks).workflow(definition));
	}

	private void assertRejected(ThrowingCallable start, String property, String reason) {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(start).satisfies((ex) -> {
			assertThat(ex.property()).isEqualTo(property);
			assertThat(ex.reason()).isEqualTo(reason);
		});
		assertThat(count("jobqueue_workflow")).isZero();
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void startJoinsTheTransactionOfTheCaller() {
		QueueNode producer = producer(TWO);
		producer.transaction().executeWithoutResult((status) -> {
			start(producer);
			status.setRollbackOnly();
		});
		assertThat(count("jobqueue_workflow") + count("jobqueue_workflow_step") + count("jobqueue_job")).isZero();
		UUID workflow = producer.transaction().execute((status) -> {
			UUID id = start(producer);
			assertThat(count("jobqueue_workflow")).isZero();
			return id;
		});
		assertThat(steps(workflow)).containsEntry("pay", "STARTED").containsEntry("ship", "WAITING");
		assertThat(count("jobqueue_job")).isOne();
		assertThat(state(job(workflow, "pay"))).isEqualTo("READY");
	}

	@Test
	void startIsOneStatement() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		QueueNode producer = node(settings(counting).bean(this.tasks).workflow(TWO));
		producer.transaction().executeWithoutResult((status) -> {
			int before = counting.sent().size();
			start(producer);
			assertThat(counting.sent().subList(before, counting.sent().size())).hasSize(1);
		});
	}

	@Test
	void receiptNamesTheInstance() {
		WorkflowReceipt receipt = producer(TWO).workflows().start("fulfilment", "order 7");
		assertThat(receipt.name()).isEqualTo("fulfilment");
		assertThat(receipt.id().version()).isEqualTo(7);
		assertThat(this.sql.sql("SELECT name FROM jobqueue_workflow WHERE id = ?")
			.param(receipt.id())
			.query(String.class)
			.single()).isEqualTo("fulfilment");
	}

	@Test
	void whatCannotBeAStepIsRejected() {
		assertRejected(() -> producer(TWO).workflows().start("fulfillment", "order"), "workflow",
				"is 'fulfillment', which no bean of type WorkflowDefinition has as its name; the names are [fulfilment]");
		assertRejected(() -> producer(TWO).workflows().start("fulfilment", 7), "input",
				"is of type java.lang.Integer, but the workflow 'fulfilment' takes java.lang.String");
		assertRejected(() -> start(producer(Tasks.workflow().step("pay", (input) -> null).build())),
				"payload of step 'pay' of workflow 'fulfilment'", "must not be null");
		assertRejected(() -> start(withOptions((request) -> request.key("k"))), "key",
				"is 'k' in the payload of step 'pay' of workflow 'fulfilment', which has a job of its own in each instance: omit the key");
		UUID other = UUID.randomUUID();
		assertRejected(() -> start(withOptions((request) -> request.after(other))), "after",
				"names jobs in the payload of step 'pay' of workflow 'fulfilment', which only waits for other steps: use a condition, or start the workflow in a job that follows them");
	}

	private QueueNode withOptions(UnaryOperator<JobRequest> options) {
		return producer(step(Tasks.workflow(), "pay", options).build());
	}

	@Test
	void exceptionOfAPayloadFunctionIsThrown() {
		QueueNode producer = producer(step(Tasks.workflow(), "pay", (request) -> {
			throw new IllegalStateException("no such order");
		}).build());
		assertThatIllegalStateException().isThrownBy(() -> start(producer)).withMessage("no such order");
		assertThat(count("jobqueue_workflow")).isZero();
	}

	@Test
	void interceptorsSeeTheJobsOfAllSteps() {
		QueueNode producer = node(settings().bean(this.tasks).workflow(TWO).bean(new NamingInterceptor()));
		UUID workflow = start(producer);
		assertThat(stepColumn("headers::json ->> 'tenant'", workflow, "ship", String.class)).isEqualTo("ship");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void interceptorMustPassOnTheSteps(int count) {
		QueueNode producer = node(settings().bean(this.tasks).workflow(TWO).bean(new PassingInterceptor(count)));
		assertRejected(() -> start(producer), "workflow",
				"'fulfilment' has 2 steps, but interceptors have passed on " + count);
	}

	/**
	 * Passes on another number of requests.
	 *
	 * @param count the number
	 */
	record PassingInterceptor(int count) implements JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			return next.apply(Collections.nCopies(this.count, requests.get(0)));
		}

	}

	/**
	 * Adds the name of the step to each request.
	 */
	static class NamingInterceptor implements JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			return next.apply(requests.stream()
				.map((request) -> request.header("tenant", ((Task) request.payload()).step()))
				.toList());
		}

	}

}
