package io.jobqueue.boot.metrics;

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

import io.jobqueue.boot.metrics.CachedValue.Factory;
import io.jobqueue.store.MonitoringStore.CleanupStatus;
import io.jobqueue.store.MonitoringStore.SnapshotHolder;

/**
 * Gauges of what keeps the database from cleaning up. What is not known is NaN.
 */
public final class DatabaseGauges implements MeterBinder {

	private static final CleanupStatus UNKNOWN = new CleanupStatus(new SnapshotHolder("", null, "", null), Map.of());

	private final List<String> tables;

	private final CachedValue<CleanupStatus> reading;

	/**
	 * Create gauges.
	 * @param tables the names of the tables whose dead rows are counted
	 * @param cleanup reads the database
	 * @param readings when and how it is read
	 */
	public DatabaseGauges(List<String> tables, Supplier<CleanupStatus> cleanup, Factory readings) {
		this.tables = List.copyOf(tables);
		this.reading = readings.read("the database gauges", cleanup);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge("jobqueue.database.snapshot.age", (read) -> age(read.oldest()))
			.description("Age of the transaction that holds the oldest snapshot")
			.baseUnit("seconds")
			.register(registry);
		gauge("jobqueue.database.snapshot.pid", (read) -> process(read.oldest()))
			.description("Id of the server process that holds the oldest snapshot")
			.register(registry);
		for (String table : this.tables) {
			gauge("jobqueue.database.dead.rows", (read) -> deadRows(read, table)).tag("table", table)
				.description("Number of dead rows that the database has not removed yet")
				.register(registry);
		}
	}

	private Gauge.Builder<?> gauge(String name, ToDoubleFunction<CleanupStatus> value) {
		return Gauge.builder(name, this, (gauges) -> value.applyAsDouble(gauges.current())).strongReference(true);
	}

	private CleanupStatus current() {
		return Objects.requireNonNullElse(this.reading.current(), UNKNOWN);
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

	private static double deadRows(CleanupStatus read, String table) {
		Long rows = read.deadRows().get(table);
		return (rows != null) ? rows.doubleValue() : Double.NaN;
	}

}
