package io.jobqueue.internal.dashboard;

import org.springframework.web.servlet.function.RouterFunctions;

/**
 * Some pages of the dashboard. Each bean of this type adds its routes. Access is checked
 * before any of them is called: requests by {@code POST} need the right to change.
 */
@FunctionalInterface
public interface DashboardRoutes {

	/**
	 * Add routes.
	 * @param routes takes the routes, with paths below that of the dashboard, such as
	 * {@code /jobs}
	 */
	void addTo(RouterFunctions.Builder routes);

}
