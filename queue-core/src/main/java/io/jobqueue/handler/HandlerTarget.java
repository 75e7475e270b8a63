package io.jobqueue.handler;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * What handles jobs, as long as nobody calls it.
 */
interface HandlerTarget {

	/**
	 * Return words for people that tell which handler this is.
	 */
	String description();

	/**
	 * Return the way to call the handler, whose bean exists from then on.
	 */
	HandlerCall call(ConfigurableListableBeanFactory beanFactory);

}
