package io.jobqueue.internal.handler;

import java.util.Objects;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.JobHandlerRegistry.Handler;

/**
 * A handler that was registered at run time.
 */
record RegisteredHandler<T>(Class<T> payload, Handler<T> handler) implements HandlerTarget {

	@Override
	public String description() {
		return "the handler registered for " + this.payload.getName();
	}

	@Override
	public HandlerCall call(ConfigurableListableBeanFactory beanFactory) {
		return (payload, job) -> {
			T given = Objects.requireNonNull(this.payload.cast(payload));
			return () -> this.handler.handle(given, job);
		};
	}

}
