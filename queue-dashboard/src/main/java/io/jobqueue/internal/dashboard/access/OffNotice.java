package io.jobqueue.internal.dashboard.access;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why the dashboard is off.
 */
public final class OffNotice {

	private static final Logger logger = LoggerFactory.getLogger(OffNotice.class);

	private OffNotice() {
	}

	/**
	 * Log what turns the dashboard on.
	 * @param servlet whether the application is a servlet application
	 * @param classes the class loader of the application
	 */
	public static void log(boolean servlet, @Nullable ClassLoader classes) {
		logger.info("The dashboard of the job queue is off: {}", servlet ? remedy(classes)
				: "it needs a servlet application, such as one with spring-boot-starter-webmvc");
	}

	private static String remedy(@Nullable ClassLoader classes) {
		return AccessMode.hasSecurity(classes)
				? "set 'jobqueue.dashboard.roles.read' to the roles of users who may see it, and 'jobqueue.dashboard.roles.write' to those of users who may change jobs and queues"
				: "add Spring Security and set 'jobqueue.dashboard.roles.read', or set 'jobqueue.dashboard.unsecured' to loopback for requests of this machine";
	}

}
