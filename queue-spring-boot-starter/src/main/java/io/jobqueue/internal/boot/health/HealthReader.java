package io.jobqueue.internal.boot.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.maintenance.UnservedQueues;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.WorkerCount;
import io.jobqueue.internal.store.PauseStore;

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

	Map<String, Object> read() {
		GaugeSnapshot jobs = this.gauges.scan(this.gauges.servedQueues());
		WorkerCount workers = this.gauges.workers(this.node);
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("readAt", Instant.now().toString());
		details.put("workers", Map.of("living", workers.living(), "here", workers.here()));
		details.put("pausedQueues",
				BoundedDetails.list(this.pauses.pauses().stream().map(HealthReader::text).toList()));
		details.put("unservedQueues", BoundedDetails.list(this.unserved.runOnce()));
		details.put("waitingForFailed", this.gauges.waitingForFailed());
		details.put("priorities", priorities(jobs.tiers()));
		details.put("partial", !jobs.complete());
		return details;
	}

	private static String text(QueuePause pause) {
		return (pause.type() != null) ? "%s (%s)".formatted(pause.queue(), pause.type()) : pause.queue();
	}

	private static Map<String, Object> priorities(Collection<TierSnapshot> tiers) {
		Map<String, Object> details = new LinkedHashMap<>();
		for (PriorityClass priority : PriorityClass.values()) {
			details.put(priority.tagValue(),
					details(tiers.stream()
						.filter((tier) -> Priority.of(tier.priority()).priorityClass() == priority)
						.toList()));
		}
		return details;
	}

	private static Map<String, Object> details(List<TierSnapshot> tiers) {
		Duration oldest = tiers.stream()
			.map(TierSnapshot::maxAge)
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
		return Map.of("oldest", DurationText.of(oldest.truncatedTo(ChronoUnit.SECONDS)), "attempts",
				tiers.stream().mapToInt(TierSnapshot::maxFailures).max().orElse(0));
	}

}
