package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.RunTimes;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;

/**
 * Counts the outcomes of one queue and priority class, and their run times. Counting
 * allocates nothing.
 */
final class QueueCounter {

	/**
	 * Has a counter for each outcome, and does not change.
	 */
	private final Map<RunOutcome, LongAdder> outcomes = new EnumMap<>(RunOutcome.class);

	private final AtomicLongArray runTimes = new AtomicLongArray(RunTimes.BUCKETS);

	QueueCounter() {
		for (RunOutcome outcome : RunOutcome.values()) {
			this.outcomes.put(outcome, new LongAdder());
		}
	}

	/**
	 * Count an outcome. A snoozed attempt is not counted, and neither is its run time.
	 */
	void add(RunOutcome outcome, @Nullable Duration runTime) {
		counter(outcome).increment();
		if (runTime != null && outcome != RunOutcome.SNOOZED) {
			this.runTimes.incrementAndGet(RunTimes.bucket(runTime));
		}
	}

	private LongAdder counter(RunOutcome outcome) {
		return Objects.requireNonNull(this.outcomes.get(outcome));
	}

	/**
	 * Return the counts so far. A lost outcome counts as a failed attempt, as the reaper
	 * ends it so.
	 */
	QueueStatistics total(String queue, PriorityClass priority) {
		return new QueueStatistics(queue, priority, count(RunOutcome.SUCCEEDED),
				count(RunOutcome.RETRIED, RunOutcome.EXPECTED, RunOutcome.LOST), count(RunOutcome.DEAD),
				count(RunOutcome.CANCELLED),
				new RunTimes(IntStream.range(0, RunTimes.BUCKETS).mapToObj(this.runTimes::get).toList()));
	}

	private long count(RunOutcome... counted) {
		return Stream.of(counted).mapToLong((outcome) -> counter(outcome).sum()).sum();
	}

}
