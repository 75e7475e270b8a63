package io.jobqueue.benchmark.drain;

import java.util.UUID;
import java.util.function.IntConsumer;

import org.springframework.context.annotation.Bean;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.WorkflowDefinition;

import static io.jobqueue.WorkflowDefinition.after;

/**
 * A diamond of four steps, as a workflow, and as transactional handlers that enqueue
 * their successors.
 */
class Diamonds {

	static final String NAME = "diamond";

	static final int STEPS = 4;

	private final JobQueue jobQueue;

	private volatile IntConsumer listener = (jobs) -> {
	};

	Diamonds(JobQueue jobQueue) {
		this.jobQueue = jobQueue;
	}

	@Bean
	static WorkflowDefinition<Long> diamond() {
		return WorkflowDefinition.named(NAME, Long.class)
			.step("top", Step::new)
			.step("left", Step::new, after("top"))
			.step("right", Step::new, after("top"))
			.step("bottom", Step::new, after("left", "right"))
			.build();
	}

	/**
	 * Replace the listener.
	 * @param listener gets the number of jobs that have been handled, 1
	 */
	void onJob(IntConsumer listener) {
		this.listener = listener;
	}

	@JobHandler
	void handle(Step step) {
		this.listener.accept(1);
	}

	@JobHandler(delivery = Delivery.TRANSACTIONAL)
	void handle(Top top) {
		UUID left = this.jobQueue.enqueue(new Side(top.value())).id();
		UUID right = this.jobQueue.enqueue(new Side(top.value())).id();
		this.jobQueue.enqueue(JobRequest.of(new Bottom(top.value())).after(left, right));
		this.listener.accept(1);
	}

	@JobHandler
	void handle(Side side) {
		this.listener.accept(1);
	}

	@JobHandler
	void handle(Bottom bottom) {
		this.listener.accept(1);
	}

	/**
	 * The payload of each step of the workflow.
	 *
	 * @param value a number
	 */
	@JobType(queue = "steps")
	record Step(long value) {
	}

	/**
	 * The payload of the first job.
	 *
	 * @param value a number
	 */
	@JobType(queue = "chained")
	record Top(long value) {
	}

	/**
	 * The payload of the two jobs that it enqueues.
	 *
	 * @param value a number
	 */
	@JobType(queue = "chained")
	record Side(long value) {
	}

	/**
	 * The payload of the job that waits for both.
	 *
	 * @param value a number
	 */
	@JobType(queue = "chained")
	record Bottom(long value) {
	}

}
