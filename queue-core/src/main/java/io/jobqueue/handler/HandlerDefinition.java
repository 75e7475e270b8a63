package io.jobqueue.handler;

import java.lang.reflect.Type;
import java.util.Set;
import java.util.TreeSet;

import io.jobqueue.Delivery;
import io.jobqueue.handler.HandlerRegistry.RegisteredHandler;
import io.jobqueue.policy.AttemptOptions;
import io.jobqueue.policy.ExceptionTypes;

/**
 * A handler of the jobs of one queue and type, as its annotation or its registration
 * describes it.
 *
 * @param target the method or object that handles them
 * @param payloadType the type that payloads are decoded to
 * @param queue the queue
 * @param type the name of the job type
 * @param aliases names under which older jobs of the type are stored
 * @param delivery its delivery
 * @param failOn exceptions that are final
 * @param succeedOn exceptions that complete the job
 * @param retryPolicy the name of the bean that decides after a failure, or empty
 * @param options its attempt options
 */
record HandlerDefinition(HandlerTarget target, Type payloadType, String queue, String type, Set<String> aliases,
		Delivery delivery, ExceptionTypes failOn, ExceptionTypes succeedOn, String retryPolicy,
		AttemptOptions options) {

	Set<String> types() {
		Set<String> types = new TreeSet<>(this.aliases);
		types.add(this.type);
		return types;
	}

	String description() {
		return this.target.description();
	}

	boolean isRegistered() {
		return this.target instanceof RegisteredHandler;
	}

}
