package io.jobqueue.internal.dashboard.overview;

import java.util.Map;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.boot.alert.Alerts;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.chart.ChartRange;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.worker.JobWorker;

/**
 * The overview, and the page of all workers.
 */
public final class OverviewRoutes implements DashboardRoutes {

	private static final String ALL = "all";

	private final Views views;

	private final CachedReading<String, Overview> overview;

	private final CachedReading<String, WorkerTable> workers;

	/**
	 * Create the pages.
	 * @param views renders them
	 * @param stores reads the database
	 * @param alerts the alerts of this node
	 * @param settings the settings of this node
	 * @param worker the worker of this node, if it has one
	 */
	public OverviewRoutes(Views views, PostgresStores stores, Alerts alerts, NodeSettings settings,
			ObjectProvider<JobWorker> worker) {
		this.views = views;
		OverviewStore store = stores.overview();
		WorkerReader reader = new WorkerReader(store, (queue) -> settings.queues().settings(queue).warnAfter(),
				settings.worker().name(), () -> hung(worker));
		RateReader rates = new RateReader(store, stores.statistics());
		OverviewReader all = new OverviewReader(stores.completeMonitoring(), stores.pauses(), rates, reader,
				alerts::current);
		this.overview = new CachedReading<>((key) -> all.read());
		this.workers = new CachedReading<>((key) -> reader.read());
	}

	private static Map<String, Integer> hung(ObjectProvider<JobWorker> worker) {
		JobWorker here = worker.getIfAvailable();
		return (here != null) ? here.status().stuck() : Map.of();
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("", this::overview).GET("/", this::overview).GET(Problem.WORKERS, this::workers);
	}

	private ServerResponse overview(ServerRequest request) {
		ChartRange unused = ChartRange.required(Form.ofPage(request, "range", "queue").text("range"));
		return this.views.page(request, "Overview", "overview/page.jte", this.overview.get(ALL));
	}

	private ServerResponse workers(ServerRequest request) {
		Form.requireOnly(request);
		return this.views.page(request, "Workers", "overview/workers.jte", this.workers.get(ALL));
	}

}
