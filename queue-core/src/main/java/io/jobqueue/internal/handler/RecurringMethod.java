package io.jobqueue.internal.handler;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.RecurringJobRequest;

/**
 * A method of a bean that runs at the times of a schedule.
 *
 * @param method the method
 * @param schedule the schedule that the method declares, {@code null} if it is switched
 * off
 */
public record RecurringMethod(HandlerTarget method, @Nullable RecurringJobRequest schedule) implements HandlerTarget {

	@Override
	public String description() {
		return this.method.description();
	}

	@Override
	public HandlerCall call(ConfigurableListableBeanFactory beanFactory) {
		return this.method.call(beanFactory);
	}

}
