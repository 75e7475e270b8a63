package io.jobqueue.internal.dashboard.access;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.dashboard.DashboardProperties;

/**
 * How it is decided which requests are answered.
 */
enum AccessMode {

	/**
	 * By the roles of users whom Spring Security has authenticated.
	 */
	ROLES,

	/**
	 * Requests from this machine are answered.
	 */
	LOOPBACK,

	/**
	 * None is answered.
	 */
	OFF;

	private static final String SECURITY = "org.springframework.security.web.FilterChainProxy";

	/**
	 * Return whether Spring Security can protect web applications on a class path.
	 */
	static boolean hasSecurity(@Nullable ClassLoader classes) {
		return ClassUtils.isPresent(SECURITY, classes);
	}

	/**
	 * Return the mode of an application.
	 * @param settings its settings
	 * @param security whether Spring Security is on the class path
	 * @return the mode
	 * @throws InvalidConfigurationException if the settings contradict it
	 */
	static AccessMode of(DashboardProperties settings, boolean security) {
		if (!security) {
			return settings.loopback() ? LOOPBACK : OFF;
		}
		if (settings.loopback()) {
			throw new InvalidConfigurationException(
					"The setting 'jobqueue.dashboard.unsecured' is 'loopback', but Spring Security is on the class path.",
					"Remove it, and set 'jobqueue.dashboard.roles.read' and 'jobqueue.dashboard.roles.write' to the roles of users who may see and change the queue.");
		}
		return settings.roles().areSet() ? ROLES : OFF;
	}

}
