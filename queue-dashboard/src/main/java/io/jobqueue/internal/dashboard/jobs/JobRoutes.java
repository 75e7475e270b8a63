package io.jobqueue.internal.dashboard.jobs;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.ShortText;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.PathId;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Relation;
import io.jobqueue.internal.store.WorkflowSearchStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The page of a job.
 */
public final class JobRoutes implements DashboardRoutes {

	private static final int MAX_TITLE = 100;

	private final Views views;

	private final JobOperations operations;

	private final RelationStore relations;

	private final WorkflowSearchStore workflows;

	private final ValueSanitizer sanitizer;

	private final @Nullable String traceLink;

	private final CachedReading<UUID, Optional<JobView>> jobs = new CachedReading<>(this::read);

	/**
	 * Create the page.
	 * @param views renders it
	 * @param operations finds and explains jobs
	 * @param stores the stores of the queue
	 * @param settings whether values are hidden, and where traces are
	 */
	public JobRoutes(Views views, JobOperations operations, PostgresStores stores, DashboardProperties settings) {
		this.views = views;
		this.operations = operations;
		this.relations = stores.relations();
		this.workflows = stores.workflowSearch();
		this.sanitizer = settings.sanitizer();
		this.traceLink = settings.traceLink();
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/jobs/{id}", this::show);
	}

	private ServerResponse show(ServerRequest request) {
		Form.requireOnly(request);
		JobView job = PathId.of(request.pathVariable("id")).flatMap(this.jobs::get).orElseThrow(JobRoutes::unknown);
		return this.views.page(request, ShortText.of(job.job().type(), MAX_TITLE), "jobs/job.jte", job);
	}

	private static RefusedRequestException unknown() {
		return new RefusedRequestException(404,
				"There is no job with this id. Finished jobs are purged from the archive after their retention (jobqueue.defaults.retention), and a job exists only once its transaction has committed.");
	}

	private Optional<JobView> read(UUID id) {
		return this.operations.find(id).map(this::view);
	}

	private JobView view(JobInfo job) {
		UUID id = job.id();
		List<Relation> related = this.relations.around(id);
		return new JobView(ShownJob.of(job, this.sanitizer), this.operations.explain(id),
				this.operations.payload(id)
					.map((payload) -> PayloadView.of(this.sanitizer.payload(payload), this.sanitizer.shown()))
					.orElse(null),
				TraceLink.of(job.headers(), this.traceLink), BatchLink.of(id, related, this.relations, this.sanitizer),
				StepOf.find(id, this.workflows, this.relations),
				FamilyDrawing.around(id, related, this.relations, this.sanitizer), this.sanitizer.shown());
	}

}
