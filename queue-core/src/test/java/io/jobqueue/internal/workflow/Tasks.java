package io.jobqueue.internal.workflow;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobType;
import io.jobqueue.WorkflowDefinition;

/**
 * A handler of steps, and what it does for each.
 */
public class Tasks {

	static final String QUEUE = "tasks";

	final List<String> ran = new CopyOnWriteArrayList<>();

	private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();

	static WorkflowDefinition.Builder<String> workflow() {
		return WorkflowDefinition.named("fulfilment", String.class);
	}

	Tasks on(String step, Behaviour behaviour) {
		this.behaviours.put(step, behaviour);
		return this;
	}

	void forget() {
		this.ran.clear();
		this.behaviours.clear();
	}

	@JobHandler(queue = QUEUE)
	@Nullable Object handle(Task task, JobContext job) throws Exception {
		Behaviour behaviour = this.behaviours.get(task.step());
		Object result = (behaviour != null) ? behaviour.run(job) : null;
		this.ran.add(task.step());
		return result;
	}

	/**
	 * What a step does.
	 */
	@FunctionalInterface
	interface Behaviour {

		@Nullable Object run(JobContext job) throws Exception;

	}

	/**
	 * The payload of a step.
	 *
	 * @param step the name of the step
	 * @param input the input of the instance
	 */
	@JobType("task")
	public record Task(String step, String input) {
	}

}
