package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.EditDistance;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.PauseStore;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Logs a warning for each queue with due jobs that is not paused and that no live worker
 * has served for a given time. The usual causes are a misspelt name and a missing
 * handler.
 */
public final class UnservedQueues {

	private static final Logger logger = LoggerFactory.getLogger(UnservedQueues.class);

	private static final int NAMED = 10;

	private static final int NAMED_TYPES = 5;

	private static final int SAMPLE = 100;

	private static final Duration TIME = Duration.ofSeconds(1);

	private final MonitoringStore store;

	private final SearchStore search;

	private final PauseStore pauses;

	private final Duration timeout;

	private final LongSupplier nanoTime;

	private final Map<String, Long> unservedSince = new HashMap<>();

	private NavigableSet<String> overdue = new TreeSet<>();

	/**
	 * Create a monitor.
	 * @param store reads due jobs and served queues
	 * @param search finds the types of due jobs
	 * @param pauses reads which queues are paused
	 * @param timeout the time after which a queue without a worker is reported
	 * @param nanoTime the clock, in nanoseconds
	 */
	public UnservedQueues(MonitoringStore store, SearchStore search, PauseStore pauses, Duration timeout,
			LongSupplier nanoTime) {
		this.store = store;
		this.search = search;
		this.pauses = pauses;
		this.timeout = timeout;
		this.nanoTime = nanoTime;
	}

	/**
	 * Check all queues once, and log those that are newly unserved or served again.
	 * @return the names of the queues that have not been served for too long
	 */
	public synchronized Set<String> runOnce() {
		long now = this.nanoTime.getAsLong();
		Set<String> unserved = unserved();
		this.unservedSince.keySet().retainAll(unserved);
		unserved.forEach((queue) -> this.unservedSince.putIfAbsent(queue, now));
		NavigableSet<String> found = new TreeSet<>(unserved);
		found.removeIf((queue) -> now - this.unservedSince.getOrDefault(queue, now) < this.timeout.toNanos());
		log(found);
		this.overdue = found;
		return Set.copyOf(found);
	}

	private Set<String> unserved() {
		Set<String> queues = new HashSet<>();
		this.store.scan(Set.of())
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

	private void log(NavigableSet<String> found) {
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
		String nearest = EditDistance.meant(queue, this.store.servedQueues())
			.map(" (nearest served queue: %s)"::formatted)
			.orElse("");
		logger.atWarn()
			.addKeyValue("job.queue", queue)
			.log("Queue {} has {}, but no worker has served it for {}. If its name is misspelt where jobs are enqueued, correct it there{}. Otherwise add a handler for it, correct jobqueue.worker.queues, or pause the queue",
					queue, backlog(queue), DurationText.of(this.timeout), nearest);
	}

	/**
	 * Describe the due jobs of a queue, without their number if they could not be
	 * counted.
	 */
	private String backlog(String queue) {
		List<TierSnapshot> tiers = this.store.read(Set.of(queue))
			.tiers()
			.stream()
			.filter((tier) -> tier.queue().equals(queue))
			.toList();
		long due = due(tiers);
		String since = tiers.stream()
			.map(TierSnapshot::maxAge)
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.map((oldest) -> ", the oldest due for " + DurationText.of(oldest))
			.orElse("");
		return ((due > 0) ? LogText.counted(due, "due job") : "due jobs") + types(queue) + since;
	}

	private static long due(List<TierSnapshot> tiers) {
		long due = 0;
		for (TierSnapshot tier : tiers) {
			TierCounts counts = tier.counts();
			if (counts == null) {
				return 0;
			}
			due += counts.ready().jobs();
		}
		return due;
	}

	/**
	 * A failure is ignored because the log line is useful without the types.
	 */
	private String types(String queue) {
		try {
			Set<String> types = this.search
				.search(JobQuery.all().queue(queue).states(JobState.READY).limit(SAMPLE), TIME)
				.jobs()
				.stream()
				.map(FoundJob::type)
				.collect(Collectors.toCollection(TreeSet::new));
			String others = (types.size() > NAMED_TYPES) ? ", …" : "";
			return types.isEmpty() ? ""
					: types.stream()
						.limit(NAMED_TYPES)
						.map(LogText::escaped)
						.collect(Collectors.joining(", ", " (", others + ")"));
		}
		catch (DataAccessException ex) {
			return "";
		}
	}

}
