package io.jobqueue.internal.dashboard.chart;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.ByteResponse;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The data of the charts. All charts of a time and queue are drawn from one reading, at
 * most one in 10 seconds.
 */
public final class ChartRoutes implements DashboardRoutes {

	/**
	 * A worker adds to the statistics once a minute.
	 */
	private static final Duration MAX_AGE = Duration.ofSeconds(10);

	private final StatisticsStore statistics;

	private final MonitoringStore monitoring;

	private final CachedReading<Subject, ChartHistory> histories = new CachedReading<>(this::read, MAX_AGE);

	/**
	 * Create the routes.
	 * @param stores reads statistics and ages
	 */
	public ChartRoutes(PostgresStores stores) {
		this.statistics = stores.statistics();
		this.monitoring = stores.monitoring();
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/charts/{name}.json", this::data);
	}

	private ServerResponse data(ServerRequest request) {
		Chart chart = Chart.of(request.pathVariable("name"))
			.orElseThrow(() -> new RefusedRequestException(404, "There is no such chart."));
		Form page = Form.ofPage(request, "range", "queue");
		ChartRange range = ChartRange.required(page.text("range"));
		String json = chart.json(this.histories.get(new Subject(range, page.text("queue"))));
		return ByteResponse.of(200, MediaType.APPLICATION_JSON, json.getBytes(StandardCharsets.UTF_8));
	}

	private ChartHistory read(Subject subject) {
		ChartRange range = subject.range();
		return new ChartHistory(range, this.statistics.history(range.period(), range.step(), subject.queue()),
				age(subject.queue()));
	}

	private Duration age(@Nullable String queue) {
		return this.monitoring.scan((queue != null) ? Set.of(queue) : Set.of())
			.tiers()
			.stream()
			.filter((tier) -> queue == null || tier.queue().equals(queue))
			.map(TierSnapshot::maxAge)
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
	}

	private record Subject(ChartRange range, @Nullable String queue) {
	}

}
