package io.jobqueue.internal.boot.datasource;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Warns if the data source of the queue leads to several others: a job is stored where
 * the key of its caller leads.
 */
public final class RoutingCheck {

	private static final Logger logger = LoggerFactory.getLogger(RoutingCheck.class);

	private RoutingCheck() {
	}

	/**
	 * Warn if a data source, or the one behind it, routes to several others.
	 * @param dataSource the data source
	 * @param name its name in the message
	 */
	public static void check(DataSource dataSource, String name) {
		AbstractRoutingDataSource routes = routes(dataSource);
		int targets = (routes != null) ? targets(routes).size() : 0;
		if (targets > 1) {
			logger.warn(
					"The job queue uses {}, which routes to {} targets. A job is stored where the key of its caller leads, and the workers of this application run only the jobs of the target without a key. Enqueue under that key only, or mark the DataSource that holds the jobs with @JobQueueDataSource",
					name, targets);
		}
	}

	private static @Nullable AbstractRoutingDataSource routes(@Nullable DataSource dataSource) {
		DataSource each = dataSource;
		while (each instanceof DelegatingDataSource proxy) {
			each = proxy.getTargetDataSource();
		}
		return (each instanceof AbstractRoutingDataSource routes) ? routes : null;
	}

	private static Set<DataSource> targets(AbstractRoutingDataSource routes) {
		Set<DataSource> targets = Collections.newSetFromMap(new IdentityHashMap<>());
		targets.addAll(routes.getResolvedDataSources().values());
		DataSource byDefault = routes.getResolvedDefaultDataSource();
		if (byDefault != null) {
			targets.add(byDefault);
		}
		return targets;
	}

}
