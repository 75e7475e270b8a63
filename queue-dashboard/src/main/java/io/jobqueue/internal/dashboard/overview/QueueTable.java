package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.QueuePause;
import io.jobqueue.internal.dashboard.overview.QueueRow.Pause;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.Unresolved;
import io.jobqueue.internal.store.Tier;

/**
 * Adds up the readings of single priorities to rows of priority classes.
 */
final class QueueTable {

	private static final JobCount NO_JOBS = new JobCount(0, false);

	private static final TierCounts EMPTY = new TierCounts(NO_JOBS, NO_JOBS, NO_JOBS, NO_JOBS, NO_JOBS);

	private final Map<QueueClass, Sums> sums = new TreeMap<>();

	private final boolean deadAreKnown;

	/**
	 * Create a table.
	 * @param tiers the unfinished jobs
	 * @param unresolved the dead jobs, {@code null} if they could not be counted
	 * @param served the queues that living workers serve, which have a row even if they
	 * have no job
	 * @param rates the rates
	 */
	QueueTable(Collection<TierSnapshot> tiers, @Nullable Unresolved unresolved, Collection<String> served,
			Rates rates) {
		tiers.forEach((tier) -> sums(QueueClass.of(new Tier(tier.queue(), tier.priority()))).add(tier));
		this.deadAreKnown = unresolved != null;
		if (unresolved != null) {
			unresolved.dead().forEach((dead) -> sums(QueueClass.of(dead.tier())).addDead(dead.jobs()));
		}
		rates.subjects().forEach(this::sums);
		Set<String> queues = this.sums.keySet().stream().map(QueueClass::queue).collect(Collectors.toSet());
		served.stream()
			.filter((queue) -> !queue.isEmpty() && !queues.contains(queue))
			.forEach((queue) -> sums(new QueueClass(queue, null)));
	}

	private Sums sums(QueueClass subject) {
		return this.sums.computeIfAbsent(subject, (absent) -> new Sums());
	}

	/**
	 * Return the rows, ordered by queue and priority class.
	 * @param rates the rates
	 * @param pauses the pauses
	 * @param late whether an alert says that a queue and priority class is late
	 */
	List<QueueRow> rows(Rates rates, Collection<QueuePause> pauses, Predicate<QueueClass> late) {
		Map<String, Pause> paused = new HashMap<>();
		pauses.forEach((pause) -> paused.merge(pause.queue(), (pause.type() != null) ? Pause.TYPES : Pause.QUEUE,
				(one, other) -> (one.compareTo(other) > 0) ? one : other));
		return this.sums.entrySet()
			.stream()
			.map((row) -> row.getValue()
				.row(row.getKey(), this.deadAreKnown, rates, paused.getOrDefault(row.getKey().queue(), Pause.NONE),
						late.test(row.getKey())))
			.toList();
	}

	/**
	 * The sums of one row.
	 */
	private static final class Sums {

		private @Nullable TierCounts counts = EMPTY;

		private long dead;

		private boolean deadAreCapped;

		private @Nullable Duration oldest;

		private int attempts;

		void add(TierSnapshot tier) {
			this.counts = sum(this.counts, tier.counts());
			this.attempts = Math.max(this.attempts, tier.maxFailures());
			if (this.oldest == null || (tier.maxAge() != null && tier.maxAge().compareTo(this.oldest) > 0)) {
				this.oldest = tier.maxAge();
			}
		}

		private static @Nullable TierCounts sum(@Nullable TierCounts one, @Nullable TierCounts other) {
			return (one == null || other == null) ? null
					: new TierCounts(one.scheduled().plus(other.scheduled()), one.ready().plus(other.ready()),
							one.running().plus(other.running()), one.retrying().plus(other.retrying()),
							one.blocked().plus(other.blocked()));
		}

		void addDead(long jobs) {
			this.dead += jobs;
			this.deadAreCapped |= jobs >= MonitoringStore.UNRESOLVED_CAP;
		}

		QueueRow row(QueueClass subject, boolean deadAreKnown, Rates rates, Pause pause, boolean late) {
			return new QueueRow(subject, this.counts, deadAreKnown ? new JobCount(this.dead, this.deadAreCapped) : null,
					this.oldest, this.attempts, rates.in(subject), rates.out(subject), pause, late);
		}

	}

}
