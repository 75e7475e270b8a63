package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;
import io.jobqueue.internal.store.StatisticsStore.StatisticsStep;

/**
 * A queue of which many of the jobs that ended in the last minutes have died: at least
 * three, and at least one of ten.
 *
 * @param queue the queue
 * @param died the number of jobs that died
 * @param ended the number of jobs that ended
 */
record DyingQueue(String queue, long died, long ended) {

	static final Duration PERIOD = Duration.ofMinutes(5);

	private static final int FEWEST = 3;

	private static final int ONE_OF = 10;

	/**
	 * Find the queues in the statistics since a time.
	 */
	static List<DyingQueue> of(Collection<StatisticsStep> steps, Instant since) {
		Map<String, DyingQueue> queues = new TreeMap<>();
		steps.stream()
			.filter((step) -> !step.from().isBefore(since))
			.map(StatisticsStep::statistics)
			.forEach((counts) -> queues.merge(counts.queue(), of(counts), DyingQueue::plus));
		return queues.values().stream().filter(DyingQueue::isMany).toList();
	}

	private static DyingQueue of(QueueStatistics counts) {
		return new DyingQueue(counts.queue(), counts.dead(), Rates.left(counts));
	}

	private DyingQueue plus(DyingQueue other) {
		return new DyingQueue(this.queue, this.died + other.died, this.ended + other.ended);
	}

	private boolean isMany() {
		return this.died >= FEWEST && this.died * ONE_OF >= this.ended;
	}

}
