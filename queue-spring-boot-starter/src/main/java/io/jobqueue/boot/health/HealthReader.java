package io.jobqueue.boot.health;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.maintenance.UnservedQueues;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.PauseStore;

/**
 * Reads what the database knows, at a cost that does not grow with the table.
 */
public final class HealthReader {

	private final MonitoringStore gauges;

	private final PauseStore pauses;

	private final UnservedQueues unserved;

	private final String node;

	/**
	 * Create a reader.
	 * @param gauges what knows of jobs and workers
	 * @param pauses what knows of pauses
	 * @param unserved returns the queues without a handler or worker
	 * @param node the name of this node
	 */
	public HealthReader(MonitoringStore gauges, PauseStore pauses, UnservedQueues unserved, String node) {
		this.gauges = gauges;
		this.pauses = pauses;
		this.unserved = unserved;
		this.node = node;
	}

	HealthReading read() {
		GaugeSnapshot jobs = this.gauges.scan(this.gauges.servedQueues());
		return new HealthReading(Instant.now(), classes(jobs.tiers()), !jobs.complete(), this.gauges.workers(this.node),
				paused(), this.unserved.runOnce());
	}

	private static Map<PriorityClass, ClassReading> classes(Collection<TierSnapshot> tiers) {
		Map<PriorityClass, ClassReading> classes = new EnumMap<>(PriorityClass.class);
		for (PriorityClass priority : PriorityClass.values()) {
			classes.put(priority, ClassReading.NONE);
		}
		tiers.forEach((tier) -> classes.computeIfPresent(Priority.of(tier.priority()).priorityClass(),
				(priority, reading) -> reading.and(tier)));
		return classes;
	}

	private List<String> paused() {
		return this.pauses.pauses().stream().map(HealthReader::text).toList();
	}

	private static String text(QueuePause pause) {
		return (pause.type() != null) ? "%s (%s)".formatted(pause.queue(), pause.type()) : pause.queue();
	}

}
