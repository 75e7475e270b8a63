package io.jobqueue.internal.dashboard.jobs;

import java.net.URI;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.JobOperations;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * Lists of jobs.
 */
public final class JobListRoutes implements DashboardRoutes {

	private final Views views;

	private final CachedReading<JobFilter, JobList> lists;

	/**
	 * Create the page.
	 * @param views renders it
	 * @param operations finds jobs
	 * @param settings whether values are hidden
	 */
	public JobListRoutes(Views views, JobOperations operations, DashboardProperties settings) {
		this.views = views;
		ValueSanitizer sanitizer = settings.sanitizer();
		this.lists = new CachedReading<>((filter) -> JobList.of(operations.list(filter.query(sanitizer)), sanitizer));
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/jobs", this::show);
	}

	private ServerResponse show(ServerRequest request) {
		JobFilter filter = JobFilter.of(request);
		String redirect = filter.redirect(request);
		return (redirect != null) ? ServerResponse.seeOther(URI.create(redirect)).build()
				: this.views.page(request, "Jobs", "jobs/list.jte", this.lists.get(filter));
	}

}
