package io.jobqueue.handler;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.JobHandlerRegistry.Handler;

/**
 * A handler that was registered at run time. It is no record, since it is part of the
 * keys of maps: the application's handler may have a hash code that changes while jobs
 * run.
 */
final class RegisteredHandler<T> implements HandlerTarget {

	private final Class<T> payload;

	private final Handler<T> handler;

	RegisteredHandler(Class<T> payload, Handler<T> handler) {
		this.payload = payload;
		this.handler = handler;
	}

	@Override
	public String description() {
		return "the handler registered for " + this.payload.getName();
	}

	@Override
	public HandlerCall call(ConfigurableListableBeanFactory beanFactory) {
		return (payload, job) -> {
			T given = this.payload.cast(payload);
			return () -> this.handler.handle(given, job);
		};
	}

}
