package io.jobqueue.internal.handler;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.JobContext;

/**
 * A method or object that handles jobs.
 */
interface HandlerTarget {

	/**
	 * Return a description of the handler, for messages.
	 */
	String description();

	/**
	 * Return whether the handler takes {@code null} for a job without a payload.
	 */
	default boolean takesNull() {
		return false;
	}

	/**
	 * Create the bean of the handler, if it has one, and return the call of the handler.
	 */
	HandlerCall call(ConfigurableListableBeanFactory beanFactory);

	/**
	 * Calls a handler.
	 */
	@FunctionalInterface
	interface HandlerCall {

		/**
		 * Prepare a call. An exception of this method does not count as one of the
		 * handler.
		 */
		Callable<@Nullable Object> prepare(@Nullable Object payload, JobContext job);

	}

}
