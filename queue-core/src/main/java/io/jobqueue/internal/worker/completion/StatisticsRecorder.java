package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;

/**
 * Records what a worker has counted since the last run. Without an outcome since then, it
 * sends no statement. What it could not record is part of the next run.
 */
public final class StatisticsRecorder implements Runnable {

	/**
	 * The interval between two runs, which is what a crash of the JVM may lose.
	 */
	public static final Duration INTERVAL = Duration.ofMinutes(1);

	private static final int MINUTE = 60;

	private final UUID worker;

	private final StatisticsStore store;

	private final RunCounter counter;

	private final Map<Subject, QueueStatistics> recorded = new HashMap<>();

	/**
	 * Create a recorder.
	 * @param worker the id of the worker
	 * @param store the store of statistics
	 * @param counter the counts of the worker
	 */
	public StatisticsRecorder(UUID worker, StatisticsStore store, RunCounter counter) {
		this.worker = worker;
		this.store = store;
		this.counter = counter;
	}

	/**
	 * Return the time until the first run. It is in the middle of a minute, so that each
	 * minute of a chart contains one run even if runs are seconds early or late, and at
	 * another second on each worker.
	 * @return the time
	 */
	public static Duration delay() {
		int second = ThreadLocalRandom.current().nextInt(MINUTE / 4, MINUTE * 3 / 4);
		return Duration.ofSeconds(Math.floorMod(second - Instant.now().getEpochSecond(), MINUTE));
	}

	@Override
	public synchronized void run() {
		List<QueueStatistics> totals = this.counter.totals();
		List<QueueStatistics> added = totals.stream()
			.map(this::sinceRecorded)
			.filter((since) -> since.attempts() > 0)
			.toList();
		if (!added.isEmpty()) {
			this.store.add(this.worker, added);
			totals.forEach((total) -> this.recorded.put(Subject.of(total), total));
		}
	}

	private QueueStatistics sinceRecorded(QueueStatistics total) {
		QueueStatistics before = this.recorded.get(Subject.of(total));
		return (before != null) ? total.minus(before) : total;
	}

	private record Subject(String queue, PriorityClass priority) {

		static Subject of(QueueStatistics statistics) {
			return new Subject(statistics.queue(), statistics.priority());
		}

	}

}
