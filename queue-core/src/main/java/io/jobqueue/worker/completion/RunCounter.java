package io.jobqueue.worker.completion;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.CompletedInTransaction;
import io.jobqueue.store.Outcome.Dead;
import io.jobqueue.store.Outcome.RetryLater;

/**
 * Counts written and lost outcomes.
 */
public final class RunCounter implements CompletionWriter.Listener {

	private final LongAdder succeeded = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private final LongAdder dead = new LongAdder();

	private final LongAdder cancelled = new LongAdder();

	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		this.cancelled.add(result.cancelled().size());
		for (Completion each : completions) {
			if (result.jobs().contains(each.job().id()) && !result.cancelled().contains(each.job().id())) {
				count(each.outcome());
			}
		}
	}

	/**
	 * A lost outcome counts as a failed attempt, as the reaper ends it so.
	 */
	@Override
	public void lost(Completion completion) {
		this.failed.increment();
	}

	private void count(Outcome outcome) {
		if (outcome instanceof Completed || outcome instanceof CompletedInTransaction) {
			this.succeeded.increment();
		}
		else if (outcome instanceof RetryLater) {
			this.failed.increment();
		}
		else if (outcome instanceof Dead) {
			this.dead.increment();
		}
	}

	/**
	 * Return the counts so far.
	 * @param drained whether no job is due any more
	 * @param halted the queues that take no further jobs
	 * @return the counts
	 */
	public RunCounts counts(boolean drained, Set<String> halted) {
		return new RunCounts(this.succeeded.sum(), this.failed.sum(), this.dead.sum(), this.cancelled.sum(), drained,
				halted);
	}

}
