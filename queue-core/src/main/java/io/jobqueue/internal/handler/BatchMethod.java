package io.jobqueue.internal.handler;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.jobqueue.JobBatch;

/**
 * A method of a bean that takes several jobs in one call.
 *
 * @param bean the method
 * @param limits the limits of a call
 */
record BatchMethod(BeanMethod bean, BatchLimits limits) implements HandlerTarget {

	@Override
	public String description() {
		return this.bean.description();
	}

	@Override
	public HandlerCall call(ConfigurableListableBeanFactory beanFactory) {
		boolean decides = this.bean.method().getParameterTypes()[0] == JobBatch.class;
		return this.bean.callEach(beanFactory,
				(jobs, context) -> () -> new Object[] { decides ? jobs : ((CalledJobs) jobs).payloads() });
	}

	/**
	 * Return whether the method returns a list of results.
	 */
	boolean answers() {
		return this.bean.method().getReturnType() != void.class;
	}

}
