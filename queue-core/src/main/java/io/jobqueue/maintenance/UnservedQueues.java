package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.QueuePause;
import io.jobqueue.context.EditDistance;
import io.jobqueue.logging.DurationText;
import io.jobqueue.logging.LogText;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.PauseStore;
import io.jobqueue.store.SearchStore;

/**
 * Warns of queues that hold due jobs, are not paused, and that no living worker has
 * served for a while: most likely, nobody was told to.
 */
public final class UnservedQueues {

	private static final Logger logger = LoggerFactory.getLogger(UnservedQueues.class);

	private static final int NAMED = 10;

	private final MonitoringStore store;

	private final SearchStore search;

	private final PauseStore pauses;

	private final Duration patience;

	private final LongSupplier nanoTime;

	private final Map<String, Long> unservedSince = new HashMap<>();

	private NavigableSet<String> overdue = new TreeSet<>();

	/**
	 * Create a watch.
	 * @param store what knows of jobs and workers
	 * @param search what knows of single jobs
	 * @param pauses what knows of pauses
	 * @param patience how long a queue may go without a worker
	 */
	public UnservedQueues(MonitoringStore store, SearchStore search, PauseStore pauses, Duration patience) {
		this(store, search, pauses, patience, System::nanoTime);
	}

	UnservedQueues(MonitoringStore store, SearchStore search, PauseStore pauses, Duration patience,
			LongSupplier nanoTime) {
		this.store = store;
		this.search = search;
		this.pauses = pauses;
		this.patience = patience;
		this.nanoTime = nanoTime;
	}

	/**
	 * Look once.
	 * @return the names of the queues that have not been served for too long
	 */
	public synchronized Set<String> runOnce() {
		long now = this.nanoTime.getAsLong();
		Set<String> unserved = unserved();
		this.unservedSince.keySet().retainAll(unserved);
		unserved.forEach((queue) -> this.unservedSince.putIfAbsent(queue, now));
		NavigableSet<String> found = new TreeSet<>(unserved);
		found.removeIf((queue) -> now - this.unservedSince.getOrDefault(queue, now) < this.patience.toNanos());
		tell(found);
		this.overdue = found;
		return Set.copyOf(found);
	}

	private Set<String> unserved() {
		Set<String> queues = new HashSet<>();
		this.store.look(Set.of())
			.tiers()
			.stream()
			.filter((tier) -> tier.maxAge() != null)
			.map(TierSnapshot::queue)
			.forEach(queues::add);
		if (!queues.isEmpty()) {
			this.store.servedQueues().forEach(queues::remove);
			this.pauses.pauses()
				.stream()
				.filter((pause) -> pause.type() == null)
				.map(QueuePause::queue)
				.forEach(queues::remove);
		}
		return queues;
	}

	private void tell(NavigableSet<String> found) {
		List<String> fresh = found.stream().filter((queue) -> !this.overdue.contains(queue)).toList();
		fresh.stream().limit(NAMED).forEach(this::warn);
		if (fresh.size() > NAMED) {
			logger.warn("No worker has served {} with due jobs either",
					LogText.counted(fresh.size() - NAMED, "other queue"));
		}
		this.overdue.stream()
			.filter((queue) -> !found.contains(queue))
			.forEach((queue) -> logger.atInfo()
				.addKeyValue("job.queue", queue)
				.log("Queue {} is served again, or has no due jobs", queue));
	}

	private void warn(String queue) {
		String nearest = EditDistance.nearest(queue, this.store.servedQueues())
			.map(" (nearest served queue: %s)"::formatted)
			.orElse("");
		logger.atWarn()
			.addKeyValue("job.queue", queue)
			.log("Queue {} has {}, but no worker has served it for {}. If its name is misspelt where jobs are enqueued, correct it there{}. Otherwise add a handler for it, correct jobqueue.worker.queues, or pause the queue",
					queue, Backlog.of(queue, this.store, this.search), DurationText.of(this.patience), nearest);
	}

}
