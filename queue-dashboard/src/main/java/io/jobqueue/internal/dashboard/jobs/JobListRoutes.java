package io.jobqueue.internal.dashboard.jobs;

import java.net.URI;
import java.util.UUID;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.BatchDetails;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.jobs.JobList.MemberOf;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Lists of jobs.
 */
public final class JobListRoutes implements DashboardRoutes {

	private final Views views;

	private final JobOperations operations;

	private final BatchStore batches;

	private final ValueSanitizer sanitizer;

	private final CachedReading<JobFilter, JobList> lists = new CachedReading<>(this::read);

	/**
	 * Create the page.
	 * @param views renders it
	 * @param operations finds jobs
	 * @param stores the stores of the queue
	 * @param settings whether values are hidden
	 */
	public JobListRoutes(Views views, JobOperations operations, PostgresStores stores, DashboardProperties settings) {
		this.views = views;
		this.operations = operations;
		this.batches = stores.batches();
		this.sanitizer = settings.sanitizer();
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/jobs", this::show);
	}

	private JobList read(JobFilter filter) {
		JobQuery query = filter.query(this.sanitizer);
		return JobList.of(this.operations.list(query), this.sanitizer, query.batch().map(this::memberOf).orElse(null));
	}

	private MemberOf memberOf(UUID id) {
		BatchDetails batch = this.batches.find(id);
		return new MemberOf(id, (batch != null) ? this.sanitizer.text(batch.name()) : null);
	}

	private ServerResponse show(ServerRequest request) {
		JobFilter filter = JobFilter.of(request);
		String redirect = filter.redirect(request);
		return (redirect != null) ? ServerResponse.seeOther(URI.create(redirect)).build()
				: this.views.page(request, "Jobs", "jobs/list.jte", this.lists.get(filter));
	}

}
