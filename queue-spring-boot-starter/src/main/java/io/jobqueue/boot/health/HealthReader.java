package io.jobqueue.boot.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.maintenance.UnservedQueues;
import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.MonitoringStore.WorkerCount;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.store.PauseStore;

/**
 * Reads the health details from the database, at a cost that does not grow with the
 * table.
 */
public final class HealthReader {

	private final MonitoringStore gauges;

	private final PauseStore pauses;

	private final UnservedQueues unserved;

	private final String node;

	/**
	 * Create a reader.
	 * @param gauges reads jobs and workers
	 * @param pauses reads pauses
	 * @param unserved finds queues without a handler or worker
	 * @param node the name of this node
	 */
	public HealthReader(MonitoringStore gauges, PauseStore pauses, UnservedQueues unserved, String node) {
		this.gauges = gauges;
		this.pauses = pauses;
		this.unserved = unserved;
		this.node = node;
	}

	HealthSnapshot read() {
		GaugeSnapshot jobs = this.gauges.scan(this.gauges.servedQueues());
		return new HealthSnapshot(Instant.now(), classes(jobs.tiers()), !jobs.complete(),
				this.gauges.workers(this.node), paused(), this.unserved.runOnce(), this.gauges.waitingForFailed());
	}

	private static Map<PriorityClass, ClassSnapshot> classes(Collection<TierSnapshot> tiers) {
		Map<PriorityClass, ClassSnapshot> classes = new EnumMap<>(PriorityClass.class);
		for (PriorityClass priority : PriorityClass.values()) {
			classes.put(priority, ClassSnapshot.NONE);
		}
		tiers.forEach((tier) -> classes.computeIfPresent(Priority.of(tier.priority()).priorityClass(),
				(priority, snapshot) -> snapshot.and(tier)));
		return classes;
	}

	private List<String> paused() {
		return this.pauses.pauses().stream().map(HealthReader::text).toList();
	}

	private static String text(QueuePause pause) {
		return (pause.type() != null) ? "%s (%s)".formatted(pause.queue(), pause.type()) : pause.queue();
	}

	/**
	 * The health details from the database.
	 *
	 * @param at the time of reading
	 * @param classes the unfinished jobs of each priority class
	 * @param partial whether queues are missing, because there are too many
	 * @param workers the number of living workers
	 * @param paused the paused queues and types
	 * @param unserved the queues without a handler or worker
	 * @param waitingForFailed the number of jobs that wait for a failed predecessor, up
	 * to 1,000
	 */
	record HealthSnapshot(Instant at, Map<PriorityClass, ClassSnapshot> classes, boolean partial, WorkerCount workers,
			Collection<String> paused, Collection<String> unserved, long waitingForFailed) {
	}

	/**
	 * The unfinished jobs of a priority class.
	 *
	 * @param oldest how long the oldest due job has been waiting, zero if none waits
	 * @param attempts the highest number of failed attempts
	 */
	record ClassSnapshot(Duration oldest, int attempts) {

		static final ClassSnapshot NONE = new ClassSnapshot(Duration.ZERO, 0);

		ClassSnapshot and(TierSnapshot tier) {
			Duration age = tier.maxAge();
			return new ClassSnapshot((age != null && age.compareTo(this.oldest) > 0) ? age : this.oldest,
					Math.max(this.attempts, tier.maxFailures()));
		}

	}

}
