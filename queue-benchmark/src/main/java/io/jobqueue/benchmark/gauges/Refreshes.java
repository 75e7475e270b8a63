package io.jobqueue.benchmark.gauges;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import javax.sql.DataSource;

import org.springframework.util.Assert;

import io.jobqueue.benchmark.timing.Rate;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Refreshes of the gauges, timed on one connection that is open before: what is urgent
 * alone, and with all counts.
 */
final class Refreshes {

	private static final int MEASURED = 21;

	private static final double NANOS_PER_MILLI = 1e6;

	private final List<Double> looks = new ArrayList<>();

	private final List<Double> counts = new ArrayList<>();

	private long sequentialScans;

	/**
	 * Refresh one store again and again, as an application does.
	 */
	static Refreshes on(GaugeTables tables) throws InterruptedException {
		return measured(tables, (dataSource) -> {
			Refreshes refreshes = new Refreshes();
			MonitoringStore store = store(dataSource);
			for (int number = 0; number < MEASURED; number++) {
				refreshes.refresh(store);
			}
			return refreshes;
		});
	}

	private static Refreshes measured(GaugeTables tables, Function<DataSource, Refreshes> work)
			throws InterruptedException {
		long before = tables.sequentialScans();
		Refreshes refreshes = tables.onOneConnection(work);
		refreshes.sequentialScans = tables.sequentialScans() - before;
		return refreshes;
	}

	private static MonitoringStore store(DataSource dataSource) {
		return PostgresStores.of(dataSource, null, null).monitoring();
	}

	private void refresh(MonitoringStore store) {
		this.looks.add(millis(() -> store.scan(GaugeTables.queues())));
		this.counts.add(millis(() -> check(store.read(GaugeTables.queues()))));
	}

	private static void check(GaugeSnapshot reading) {
		Assert.state(reading.tiers().size() == GaugeTables.QUEUES * GaugeTables.PRIORITIES, "A tier is missing");
		Assert.state(reading.tiers().stream().allMatch((tier) -> tier.counts() != null), "Counting failed");
	}

	private static double millis(Runnable work) {
		long start = System.nanoTime();
		work.run();
		return (System.nanoTime() - start) / NANOS_PER_MILLI;
	}

	long sequentialScans() {
		return this.sequentialScans;
	}

	double look() {
		return median(this.looks);
	}

	double firstLook() {
		return this.looks.get(0);
	}

	double firstCount() {
		return this.counts.get(0);
	}

	double count() {
		return median(this.counts);
	}

	private static double median(List<Double> millis) {
		return Rate.median(millis.stream().mapToDouble(Double::doubleValue).toArray());
	}

}
