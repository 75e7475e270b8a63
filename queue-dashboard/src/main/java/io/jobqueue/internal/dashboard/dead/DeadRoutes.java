package io.jobqueue.internal.dashboard.dead;

import java.util.Comparator;
import java.util.List;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
import io.jobqueue.JobState;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ArchiveCount;
import io.jobqueue.internal.store.SearchStore.ErrorGroup;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The page of dead jobs. Numbers are counted up to 10,000, by indexes.
 */
public final class DeadRoutes implements DashboardRoutes {

	private final Views views;

	private final JobOperations operations;

	private final SearchStore search;

	private final ValueSanitizer sanitizer;

	private final CachedReading<DeadFilter, DeadPage> pages;

	private final CachedReading<String, Totals> totals;

	/**
	 * Create the page.
	 * @param views renders it
	 * @param operations list jobs
	 * @param stores count jobs
	 * @param settings the settings of the dashboard
	 */
	public DeadRoutes(Views views, JobOperations operations, PostgresStores stores, DashboardProperties settings) {
		this.views = views;
		this.operations = operations;
		this.search = stores.search();
		this.sanitizer = new ValueSanitizer(settings.showValues(), "jobqueue.dashboard.show-values");
		this.pages = new CachedReading<>(this::read);
		this.totals = new CachedReading<>((all) -> totals());
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/dead", this::show);
	}

	private ServerResponse show(ServerRequest request) {
		return this.views.page(request, "Dead jobs", "dead/page.jte", this.pages.get(DeadFilter.of(request)));
	}

	private DeadPage read(DeadFilter filter) {
		JobPage jobs = this.operations.list(filter.query());
		Totals all = filter.isOfOneError() ? Totals.NONE : this.totals.get("all");
		List<ErrorGroup> errors = all.errors()
			.stream()
			.filter((error) -> filter.queue() == null || error.queue().equals(filter.queue()))
			.toList();
		return new DeadPage(filter, all.queues(), errors, jobs.jobs(), jobs.next(), jobs.partial(), this.sanitizer);
	}

	private Totals totals() {
		List<ArchiveCount> queues = this.search.countFinished()
			.stream()
			.filter((count) -> count.state() == JobState.DEAD)
			.sorted(Comparator.comparingLong((ArchiveCount count) -> count.count().jobs()).reversed())
			.toList();
		return new Totals(queues,
				this.search.countErrors(DeadPage.MAX_ERRORS).stream().filter(ErrorGroup::dead).toList());
	}

	/**
	 * The numbers of all dead jobs.
	 */
	private record Totals(List<ArchiveCount> queues, List<ErrorGroup> errors) {

		static final Totals NONE = new Totals(List.of(), List.of());

	}

}
