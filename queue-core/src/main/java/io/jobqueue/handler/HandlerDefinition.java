package io.jobqueue.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Set;
import java.util.TreeSet;

import io.jobqueue.Delivery;

/**
 * A method that handles the jobs of one queue and type, as its annotation describes it.
 *
 * @param beanName the name of its bean
 * @param method the method, as the bean's class declares it
 * @param payloadType the type of the parameter that takes the payload
 * @param queue the queue
 * @param type the name of the job type
 * @param aliases names under which older jobs of the type are stored
 * @param delivery what it is promised
 * @param failOn exceptions that are final
 * @param succeedOn exceptions that complete the job
 * @param retryPolicy the name of the bean that decides after a failure, or empty
 */
record HandlerDefinition(String beanName, Method method, Type payloadType, String queue, String type,
		Set<String> aliases, Delivery delivery, ExceptionTypes failOn, ExceptionTypes succeedOn, String retryPolicy) {

	Set<String> types() {
		Set<String> types = new TreeSet<>(this.aliases);
		types.add(this.type);
		return types;
	}

	String description() {
		return "%s.%s (bean '%s')".formatted(this.method.getDeclaringClass().getName(), this.method.getName(),
				this.beanName);
	}

}
