package io.jobqueue.internal.dashboard.dead;

import java.util.List;
import java.util.Optional;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.jobs.ErrorList;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ArchiveCount;
import io.jobqueue.internal.store.SearchStore.ErrorCounts;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The page of dead jobs. Numbers are counted up to caps, by indexes.
 */
public final class DeadRoutes implements DashboardRoutes {

	private static final String ALL = "all";

	private final Views views;

	private final SearchStore search;

	private final ValueSanitizer sanitizer;

	private final CachedReading<DeadFilter, JobPage> pages;

	private final CachedReading<String, List<ArchiveCount>> queues;

	private final CachedReading<Optional<String>, ErrorCounts> errors;

	/**
	 * Create the page.
	 * @param views renders it
	 * @param operations list jobs
	 * @param stores count jobs
	 * @param settings the settings of the dashboard
	 */
	public DeadRoutes(Views views, JobOperations operations, PostgresStores stores, DashboardProperties settings) {
		this.views = views;
		this.search = stores.search();
		this.sanitizer = settings.sanitizer();
		this.pages = new CachedReading<>((filter) -> operations.list(filter.query()));
		this.queues = new CachedReading<>((all) -> this.search.countDead(DeadPage.MAX_QUEUES));
		this.errors = new CachedReading<>(
				(queue) -> this.search.countDeadErrors(ErrorList.MAX_COUNTED, queue.orElse(null)));
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/dead", this::show);
	}

	private ServerResponse show(ServerRequest request) {
		return this.views.page(request, "Dead jobs", "dead/page.jte", page(DeadFilter.of(request)));
	}

	private DeadPage page(DeadFilter filter) {
		JobPage jobs = this.pages.get(filter);
		List<ArchiveCount> counts = (filter.queue() == null) ? this.queues.get(ALL) : List.of();
		ErrorCounts groups = (filter.fingerprint() == null) ? this.errors.get(Optional.ofNullable(filter.queue()))
				: new ErrorCounts(List.of(), List.of());
		return new DeadPage(filter, counts, groups, jobs.jobs(), jobs.next(), jobs.partial(), this.sanitizer);
	}

}
