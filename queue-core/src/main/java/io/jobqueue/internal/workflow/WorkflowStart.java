package io.jobqueue.internal.workflow;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowDefinition.Step;
import io.jobqueue.WorkflowReceipt;
import io.jobqueue.internal.context.CurrentJob;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;
import io.jobqueue.internal.store.WorkflowStore;
import io.jobqueue.internal.store.WorkflowStore.NewStep;
import io.jobqueue.internal.store.WorkflowStore.NewWorkflow;

/**
 * Starts instances: the jobs of all steps pass through the outbox, those that wait as
 * blocked ones.
 */
final class WorkflowStart {

	private final WorkflowCatalog catalog;

	private final BiConsumer<String, List<NewStep>> listener;

	private final Supplier<Outbox> outbox;

	private final RequestReader reader;

	private final WorkflowStore store;

	WorkflowStart(WorkflowCatalog catalog, BiConsumer<String, List<NewStep>> listener, Supplier<Outbox> outbox,
			RequestReader reader, WorkflowStore store) {
		this.catalog = catalog;
		this.listener = listener;
		this.outbox = outbox;
		this.reader = reader;
		this.store = store;
	}

	WorkflowReceipt start(String name, @Nullable Object input) {
		WorkflowDefinition<?> definition = (name != null) ? this.catalog.find(name) : null;
		if (definition == null) {
			throw new JobRejectedException("workflow",
					"is '%s', which no bean of type WorkflowDefinition has as its name; the names are %s"
						.formatted(name, this.catalog.names()));
		}
		return start(definition, input);
	}

	private <I> WorkflowReceipt start(WorkflowDefinition<I> definition, @Nullable Object input) {
		if (!definition.input().isInstance(input)) {
			throw new JobRejectedException("input",
					"is %s, but the workflow '%s' takes %s".formatted(
							(input != null) ? "of type " + input.getClass().getName() : "null", definition.name(),
							definition.input().getName()));
		}
		UUID id = this.reader.newId();
		List<JobReceipt> unused = this.outbox.get()
			.enqueue(requests(definition, definition.input().cast(input)), (jobs) -> {
				List<NewStep> steps = steps(id, definition, jobs);
				this.listener.accept(definition.name(), steps);
				return this.store.start(new NewWorkflow(id, definition.name(), steps), CurrentJob.id());
			});
		return new WorkflowReceipt(id, definition.name());
	}

	private static <I> List<JobRequest> requests(WorkflowDefinition<I> definition, I input) {
		return definition.steps()
			.stream()
			.map((step) -> RequestReader.request(() -> property(definition, step), step.payload().apply(input)))
			.toList();
	}

	private static String property(WorkflowDefinition<?> definition, Step<?> step) {
		return "payload of step '%s' of workflow '%s'".formatted(step.name(), definition.name());
	}

	/**
	 * Interceptors may have changed the jobs.
	 */
	private static List<NewStep> steps(UUID id, WorkflowDefinition<?> definition, List<NewJob> jobs) {
		if (jobs.size() != definition.steps().size()) {
			throw new JobRejectedException("workflow", "'%s' has %s steps, but interceptors have passed on %s"
				.formatted(definition.name(), definition.steps().size(), jobs.size()));
		}
		List<NewStep> steps = new ArrayList<>(jobs.size());
		for (Step<?> step : definition.steps()) {
			NewJob job = jobs.get(steps.size());
			check(definition, step, job);
			steps.add(new NewStep(step.name(), step.conditions(),
					job.withHeaders(Headers.withWorkflow(job.headers(), id))));
		}
		return steps;
	}

	private static void check(WorkflowDefinition<?> definition, Step<?> step, NewJob job) {
		UniqueKey key = job.keys().unique();
		if (key != null) {
			throw new JobRejectedException("key",
					"is '%s' in the %s, which has a job of its own in each instance: omit the key"
						.formatted(key.value(), property(definition, step)));
		}
		if (!job.predecessors().ids().isEmpty()) {
			throw new JobRejectedException("after",
					"names jobs in the %s, which only waits for other steps: use a condition, or start the workflow in a job that follows them"
						.formatted(property(definition, step)));
		}
	}

}
