package io.jobqueue.handler;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobContext;

/**
 * The way to call a handler.
 */
@FunctionalInterface
interface HandlerCall {

	/**
	 * Prepare to call the handler. What goes wrong by then is not its doing.
	 */
	Callable<@Nullable Object> prepare(Object payload, JobContext job);

}
