package io.jobqueue.internal.dashboard.live;

import java.time.Duration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.Assert;

import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Lets an application look for changes every 100 ms instead of every two seconds.
 */
public final class QuickStreams implements BeanPostProcessor {

	private static final Duration INTERVAL = Duration.ofMillis(100);

	private static final Duration MAX_WAIT = Duration.ofSeconds(5);

	private static volatile boolean lost;

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
		return (bean instanceof LiveRoutes) ? new LiveRoutes(this::changes, INTERVAL, MAX_WAIT) : bean;
	}

	private long changes() {
		Assert.state(!lost, "The database is lost");
		return this.stores.getObject().monitoring().changes();
	}

	/**
	 * Let applications fail to read whether something has changed.
	 * @param whether whether they fail from now on
	 */
	public static void lose(boolean whether) {
		lost = whether;
	}

}
