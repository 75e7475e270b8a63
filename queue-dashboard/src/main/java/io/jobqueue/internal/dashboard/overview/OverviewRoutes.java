package io.jobqueue.internal.dashboard.overview;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.JobOperations;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * The overview of all queues.
 */
public final class OverviewRoutes implements DashboardRoutes {

	private static final String ALL = "all";

	private final Views views;

	private final CachedReading<String, Overview> overview;

	/**
	 * Create the page.
	 * @param views renders it
	 * @param operations counts jobs
	 */
	public OverviewRoutes(Views views, JobOperations operations) {
		this.views = views;
		this.overview = new CachedReading<>((key) -> Overview.of(operations.stats()));
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("", this::show).GET("/", this::show);
	}

	private ServerResponse show(ServerRequest request) {
		return this.views.page(request, "Overview", "overview/page.jte", this.overview.get(ALL));
	}

}
