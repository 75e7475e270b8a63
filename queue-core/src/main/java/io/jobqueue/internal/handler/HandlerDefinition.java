package io.jobqueue.internal.handler;

import java.lang.reflect.Type;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Delivery;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.ExceptionTypes;

/**
 * The definition of the handler of one queue and type, read from its annotation or its
 * registration.
 *
 * @param target the method or object that handles the jobs
 * @param payloadType the type that payloads are decoded to
 * @param queue the queue
 * @param type the name of the job type
 * @param aliases the names under which older jobs of the type are stored
 * @param delivery the delivery of the jobs
 * @param failOn the exceptions after which a job is not retried
 * @param succeedOn the exceptions that complete a job
 * @param retryPolicy the name of the bean that decides after a failure, or empty
 * @param options the attempt options
 * @param subscription the subscription to a topic that the handler declares, if any
 */
record HandlerDefinition(HandlerTarget target, Type payloadType, String queue, String type, Set<String> aliases,
		Delivery delivery, ExceptionTypes failOn, ExceptionTypes succeedOn, String retryPolicy, AttemptOptions options,
		@Nullable TopicAttributes subscription) {

	Set<String> types() {
		Set<String> types = new TreeSet<>(this.aliases);
		types.add(this.type);
		return types;
	}

	String description() {
		return this.target.description();
	}

	/**
	 * Return the limits of a call that takes several jobs, {@code null} if each call
	 * takes one.
	 */
	@Nullable BatchLimits batch() {
		return (this.target instanceof BatchMethod method) ? method.limits() : null;
	}

	boolean isRegistered() {
		return this.target instanceof RegisteredHandler;
	}

}
