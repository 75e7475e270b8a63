package io.jobqueue.internal.dashboard.live;

import java.time.Duration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Lets an application look for changes every 100 ms instead of every two seconds.
 */
public final class QuickStreams implements BeanPostProcessor {

	private static final Duration INTERVAL = Duration.ofMillis(100);

	private final ObjectProvider<PostgresStores> stores;

	/**
	 * Create the processor.
	 * @param stores reads whether something has changed
	 */
	public QuickStreams(ObjectProvider<PostgresStores> stores) {
		this.stores = stores;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (bean instanceof LiveRoutes) ? new LiveRoutes(this.stores.getObject(), INTERVAL) : bean;
	}

}
