package io.jobqueue.internal.handler;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobRejectedException;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.ExceptionTypes;

/**
 * Registers handlers in addition to those of beans.
 */
public final class HandlerRegistry implements JobHandlerRegistry {

	private static final ExceptionTypes NONE = new ExceptionTypes(List.of());

	private final JobHandlers handlers;

	private final JobTypes types;

	private final Set<String> relayed;

	/**
	 * Create a registry.
	 * @param handlers the handlers of this JVM
	 * @param types the known types
	 * @param relayed the queues whose jobs go to a broker, which have no handlers
	 */
	public HandlerRegistry(JobHandlers handlers, JobTypes types, Set<String> relayed) {
		this.handlers = handlers;
		this.types = types;
		this.relayed = relayed;
	}

	@Override
	public <T> void register(String queue, Class<T> payload, Handler<T> handler) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		Objects.requireNonNull(handler, "'handler' must not be null");
		String type = type(payload);
		if (!QueueNames.isValid(queue)) {
			throw new InvalidHandlerException(
					"A handler of %s cannot be registered for queue '%s': the queue name is invalid"
						.formatted(payload.getName(), queue),
					"Use a queue name that matches " + QueueNames.RULE);
		}
		if (this.relayed.contains(queue)) {
			throw new InvalidHandlerException(
					"A handler of %s cannot be registered for queue '%s': the queue has a relay, 'jobqueue.queues.%2$s.relay', and each would take a part of the jobs"
						.formatted(payload.getName(), queue),
					"Remove the relay, or register the handler for another queue");
		}
		HandlerPayload.rejectAbstract("A registered handler", payload);
		this.handlers.add(new HandlerDefinition(new RegisteredHandler<>(payload, handler), payload, queue, type,
				this.types.aliases(payload), Delivery.AT_LEAST_ONCE, NONE, NONE, "", AttemptOptions.NONE, null));
	}

	@Override
	public void unregister(String queue, Class<?> payload) {
		Objects.requireNonNull(queue, "'queue' must not be null");
		String type = type(payload);
		if (!this.handlers.remove(queue, type)) {
			throw new InvalidHandlerException(
					"No handler of type '%s' was registered for queue '%s'".formatted(type, queue),
					"Pass the queue and the class that it was registered with; a @JobHandler method cannot be unregistered");
		}
	}

	private String type(Class<?> payload) {
		Objects.requireNonNull(payload, "'payload' must not be null");
		try {
			return this.types.name(payload, null);
		}
		catch (JobRejectedException ex) {
			throw new InvalidHandlerException(
					"A handler of %s cannot be registered: the type %s".formatted(payload.getName(), ex.reason()),
					"Register it for a record or class that names its type, by its own name or with @JobType");
		}
	}

}
