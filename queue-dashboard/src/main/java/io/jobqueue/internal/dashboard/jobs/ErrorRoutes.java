package io.jobqueue.internal.dashboard.jobs;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The errors of retrying and dead jobs.
 */
public final class ErrorRoutes implements DashboardRoutes {

	private static final String ALL = "all";

	private final Views views;

	private final CachedReading<String, ErrorList> errors;

	/**
	 * Create the page.
	 * @param views renders it
	 * @param stores the stores of the queue
	 */
	public ErrorRoutes(Views views, PostgresStores stores) {
		this.views = views;
		SearchStore search = stores.search();
		this.errors = new CachedReading<>((key) -> ErrorList.of(search.countErrors(ErrorList.MAX_COUNTED)));
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/errors", this::show);
	}

	private ServerResponse show(ServerRequest request) {
		Form.requireOnly(request);
		return this.views.page(request, "Errors", "jobs/errors.jte", this.errors.get(ALL));
	}

}
