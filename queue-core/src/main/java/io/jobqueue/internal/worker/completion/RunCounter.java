package io.jobqueue.internal.worker.completion;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;

/**
 * Counts written and lost outcomes by queue and priority class.
 */
public final class RunCounter implements CompletionWriter.Listener {

	/**
	 * The class of each priority.
	 */
	private static final List<PriorityClass> CLASSES = IntStream.rangeClosed(0, PriorityClass.REPORTING.worst())
		.mapToObj((priority) -> Priority.of(priority).priorityClass())
		.toList();

	private final Map<String, Map<PriorityClass, QueueCounter>> queues = new ConcurrentHashMap<>();

	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		for (Completion each : completions) {
			RunOutcome outcome = RunOutcome.of(each, result);
			if (outcome != null && outcome != RunOutcome.LOST) {
				add(each, outcome);
			}
		}
	}

	@Override
	public void lost(Completion completion) {
		add(completion, RunOutcome.LOST);
	}

	private void add(Completion completion, RunOutcome outcome) {
		ClaimedJob job = completion.job();
		Map<PriorityClass, QueueCounter> counters = this.queues.computeIfAbsent(job.queue(), (queue) -> counters());
		Objects.requireNonNull(counters.get(CLASSES.get(job.priority()))).add(outcome, completion.runTime());
	}

	/**
	 * Return a counter for each class, so that the map does not change any more.
	 */
	private static Map<PriorityClass, QueueCounter> counters() {
		Map<PriorityClass, QueueCounter> counters = new EnumMap<>(PriorityClass.class);
		for (PriorityClass priority : PriorityClass.values()) {
			counters.put(priority, new QueueCounter());
		}
		return counters;
	}

	/**
	 * Return the counts so far of each queue and priority class in which there are any.
	 */
	List<QueueStatistics> totals() {
		List<QueueStatistics> totals = new ArrayList<>();
		this.queues.forEach((queue, counters) -> counters
			.forEach((priority, counter) -> totals.add(counter.total(queue, priority))));
		totals.removeIf((total) -> total.attempts() == 0);
		return totals;
	}

	/**
	 * Return the counts so far.
	 * @param drained whether no job is due any more
	 * @param halted the queues that take no further jobs
	 * @return the counts
	 */
	public RunCounts counts(boolean drained, Set<String> halted) {
		List<QueueStatistics> totals = totals();
		return new RunCounts(sum(totals, QueueStatistics::succeeded), sum(totals, QueueStatistics::failed),
				sum(totals, QueueStatistics::dead), sum(totals, QueueStatistics::cancelled), drained, halted);
	}

	private static long sum(List<QueueStatistics> totals, ToLongFunction<QueueStatistics> count) {
		return totals.stream().mapToLong(count).sum();
	}

	/**
	 * The outcomes of a worker's jobs since its start.
	 *
	 * @param succeeded the number of jobs that succeeded
	 * @param failed the number of attempts that failed and are retried, or whose outcome
	 * was lost
	 * @param dead the number of jobs that died
	 * @param cancelled the number of jobs that were cancelled
	 * @param drained whether no job is due any more except in halted queues;
	 * {@code false} if the worker was stopped before
	 * @param halted the queues with due jobs that this worker does not take because too
	 * many of its handlers are stuck
	 */
	public record RunCounts(long succeeded, long failed, long dead, long cancelled, boolean drained,
			Set<String> halted) {

		/**
		 * Return whether all jobs ended without a failure.
		 * @return {@code true} if no attempt failed, no job died, and no queue halted
		 */
		public boolean areAllSuccessful() {
			return this.failed == 0 && this.dead == 0 && this.halted.isEmpty();
		}

	}

}
