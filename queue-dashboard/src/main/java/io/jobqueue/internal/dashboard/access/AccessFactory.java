package io.jobqueue.internal.dashboard.access;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.dashboard.DashboardProperties;

/**
 * Creates what checks requests.
 */
public final class AccessFactory {

	private AccessFactory() {
	}

	/**
	 * Create the access that an application allows, if {@link OnAccess} matches.
	 * @param settings its settings
	 * @param environment its environment
	 * @param beans its beans
	 * @return the access
	 * @throws InvalidConfigurationException if the application evaluates the headers of
	 * proxies and allows access without users
	 */
	public static DashboardAccess create(DashboardProperties settings, Environment environment,
			ListableBeanFactory beans) {
		if (!settings.loopback()) {
			return RoleAccess.of(settings.roles(), beans);
		}
		ForwardingCheck.requireNone(environment, beans);
		return new LoopbackAccess();
	}

}
