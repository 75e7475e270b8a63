package io.jobqueue.boot.metrics;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import io.jobqueue.store.CleanupReading;
import io.jobqueue.store.CleanupStore;
import io.jobqueue.store.SnapshotHolder;

/**
 * Gauges of what keeps the database from cleaning up. What is not known is NaN.
 */
public final class DatabaseGauges implements MeterBinder {

	private static final SnapshotHolder UNKNOWN = new SnapshotHolder("", null, "", null);

	private static final double MILLIS_PER_SECOND = 1000.0;

	private final CleanupStore store;

	private final CachedReading<CleanupReading> reading;

	/**
	 * Create gauges.
	 * @param store what reads the database
	 * @param clock the application's clock
	 * @param refreshInterval how long a reading is good for
	 */
	public DatabaseGauges(CleanupStore store, Clock clock, Duration refreshInterval) {
		this.store = store;
		this.reading = new CachedReading<>(store::read, new CleanupReading(UNKNOWN, Map.of()), clock, refreshInterval);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge("jobqueue.database.snapshot.age", (read) -> age(read.oldest()))
			.description("Time that the transaction has been open that holds the oldest snapshot")
			.baseUnit("seconds")
			.register(registry);
		gauge("jobqueue.database.snapshot.pid", (read) -> process(read.oldest()))
			.description("Id of the server process that holds the oldest snapshot")
			.register(registry);
		for (String table : this.store.tables()) {
			gauge("jobqueue.database.dead.rows", (read) -> deadRows(read, table)).tag("table", table)
				.description("Number of dead rows that the database has not removed")
				.register(registry);
		}
	}

	private Gauge.Builder<?> gauge(String name, ToDoubleFunction<CleanupReading> value) {
		return Gauge.builder(name, this, (gauges) -> value.applyAsDouble(gauges.reading.get())).strongReference(true);
	}

	private static double age(@Nullable SnapshotHolder holder) {
		if (holder == null) {
			return 0;
		}
		Duration age = holder.age();
		return (age != null) ? age.toMillis() / MILLIS_PER_SECOND : Double.NaN;
	}

	private static double process(@Nullable SnapshotHolder holder) {
		if (holder == null) {
			return 0;
		}
		Integer process = holder.process();
		return (process != null) ? process.doubleValue() : Double.NaN;
	}

	private static double deadRows(CleanupReading read, String table) {
		Long rows = read.deadRows().get(table);
		return (rows != null) ? rows.doubleValue() : Double.NaN;
	}

}
