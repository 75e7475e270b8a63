package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.MonitoringStore.CleanupStatus;
import io.jobqueue.internal.store.MonitoringStore.SnapshotHolder;

/**
 * Gauges of dead rows and of the snapshot that keeps the database from removing them.
 * Unknown values are NaN.
 */
public final class DatabaseGauges implements MeterBinder {

	private static final CleanupStatus UNKNOWN = new CleanupStatus(new SnapshotHolder("", null, "", null), Map.of());

	private final List<String> tables;

	private final CachedValue<CleanupStatus> status;

	/**
	 * Create gauges.
	 * @param tables the names of the tables whose dead rows are counted
	 * @param cleanup reads the database
	 * @param cache caches what was read
	 */
	public DatabaseGauges(List<String> tables, Supplier<CleanupStatus> cleanup, CachedValue.Factory cache) {
		this.tables = List.copyOf(tables);
		this.status = cache.create("the database gauges", cleanup);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge("jobqueue.database.snapshot.age", (status) -> age(status.oldest()))
			.description("Age of the transaction that holds the oldest snapshot")
			.baseUnit("seconds")
			.register(registry);
		gauge("jobqueue.database.snapshot.pid", (status) -> process(status.oldest()))
			.description("Id of the server process that holds the oldest snapshot")
			.register(registry);
		for (String table : this.tables) {
			gauge("jobqueue.database.dead.rows", (status) -> deadRows(status, table)).tag("table", table)
				.description("Number of dead rows that the database has not removed yet")
				.register(registry);
		}
	}

	private Gauge.Builder<?> gauge(String name, ToDoubleFunction<CleanupStatus> value) {
		return Gauge.builder(name, this, (gauges) -> value.applyAsDouble(gauges.current())).strongReference(true);
	}

	private CleanupStatus current() {
		return Objects.requireNonNullElse(this.status.current(), UNKNOWN);
	}

	private static double age(@Nullable SnapshotHolder holder) {
		if (holder == null) {
			return 0;
		}
		Duration age = holder.age();
		return (age != null) ? Seconds.of(age) : Double.NaN;
	}

	private static double process(@Nullable SnapshotHolder holder) {
		if (holder == null) {
			return 0;
		}
		Integer process = holder.process();
		return (process != null) ? process.doubleValue() : Double.NaN;
	}

	private static double deadRows(CleanupStatus status, String table) {
		Long rows = status.deadRows().get(table);
		return (rows != null) ? rows.doubleValue() : Double.NaN;
	}

}
