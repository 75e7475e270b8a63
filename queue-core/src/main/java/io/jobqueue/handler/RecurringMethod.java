package io.jobqueue.handler;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.RecurringJobRequest;

/**
 * A method of a bean that runs at the times of a schedule.
 */
public final class RecurringMethod implements HandlerTarget {

	private final BeanMethod method;

	private final @Nullable RecurringJobRequest schedule;

	RecurringMethod(BeanMethod method, @Nullable RecurringJobRequest schedule) {
		this.method = method;
		this.schedule = schedule;
	}

	/**
	 * Return the schedule that the method declares.
	 * @return the schedule, {@code null} if it is switched off
	 */
	public @Nullable RecurringJobRequest schedule() {
		return this.schedule;
	}

	@Override
	public String description() {
		return this.method.description();
	}

	@Override
	public HandlerCall call(ConfigurableListableBeanFactory beanFactory) {
		return this.method.call(beanFactory);
	}

}
