package io.jobqueue.internal.worker.completion;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.jobqueue.internal.store.JobStore.CompletionResult;

/**
 * Counts written and lost outcomes.
 */
public final class RunCounter implements CompletionWriter.Listener {

	private final Map<RunOutcome, Long> counts = new ConcurrentHashMap<>();

	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		for (Completion each : completions) {
			RunOutcome outcome = RunOutcome.of(each, result);
			if (outcome != null && outcome != RunOutcome.LOST) {
				add(outcome);
			}
		}
	}

	@Override
	public void lost(Completion completion) {
		add(RunOutcome.LOST);
	}

	private void add(RunOutcome outcome) {
		this.counts.merge(outcome, 1L, Long::sum);
	}

	/**
	 * Return the counts so far. A lost outcome counts as a failed attempt, as the reaper
	 * ends it so.
	 * @param drained whether no job is due any more
	 * @param halted the queues that take no further jobs
	 * @return the counts
	 */
	public RunCounts counts(boolean drained, Set<String> halted) {
		long failed = count(RunOutcome.RETRIED, RunOutcome.EXPECTED, RunOutcome.LOST);
		return new RunCounts(count(RunOutcome.SUCCEEDED), failed, count(RunOutcome.DEAD), count(RunOutcome.CANCELLED),
				drained, halted);
	}

	private long count(RunOutcome... outcomes) {
		return Stream.of(outcomes).mapToLong((outcome) -> this.counts.getOrDefault(outcome, 0L)).sum();
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
