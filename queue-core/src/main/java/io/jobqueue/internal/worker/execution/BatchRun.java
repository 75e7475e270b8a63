package io.jobqueue.internal.worker.execution;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.worker.execution.BatchRunner.CallResult;

/**
 * Runs jobs in one call of their handler. If it throws, they run one by one. If their
 * transaction is rolled back because of some of them, the others run together again.
 */
final class BatchRun {

	private static final Logger logger = LoggerFactory.getLogger(BatchRun.class);

	private final Turn turn;

	private final HandlerWork work;

	BatchRun(Turn turn, HandlerWork work) {
		this.turn = turn;
		this.work = work;
	}

	/**
	 * Jobs without an outcome at the end, because of a stop or an unexpected failure, are
	 * released.
	 */
	void run() {
		try {
			boolean again = true;
			while (again) {
				again = call(this.work.ready(this.turn.execution().call()));
			}
		}
		catch (Throwable ex) {
			logger.error("A call with several jobs of queue {} failed unexpectedly; they are released",
					this.turn.execution().queue(), ex);
		}
		finally {
			this.turn.execution().releaseUndecided();
		}
	}

	/**
	 * Run jobs in one call, or alone if there is only one.
	 * @return {@code true} if some of them have begun again, for another call
	 */
	private boolean call(List<HandlerExecution> jobs) {
		if (jobs.isEmpty() || !this.turn.restrict(jobs)) {
			this.work.refuse(jobs);
			return false;
		}
		if (jobs.size() == 1) {
			HandlerExecution only = jobs.get(0);
			this.work.within(only, () -> only.finish(this.work.runner().run(only)));
			return false;
		}
		CallResult called = this.work.withinCall(jobs, () -> this.work.runner().batches().run(jobs));
		jobs.forEach(JobExecution::handlerEnded);
		boolean cutOff = this.turn.execution().isOver() || this.turn.execution().isStopping();
		jobs.forEach((job) -> finish(job, called.decided().get(job)));
		return !cutOff && goOn(called.thrown());
	}

	/**
	 * Retry policies are called in the context of their job.
	 */
	private void finish(HandlerExecution job, JobRunner.@Nullable Result result) {
		if (result != null && result.thrown() != null) {
			this.work.within(job, () -> job.finish(result));
		}
		else if (result != null) {
			job.finish(result);
		}
	}

	private boolean goOn(@Nullable Throwable thrown) {
		List<HandlerExecution> undecided = this.turn.execution()
			.call()
			.stream()
			.filter((job) -> !job.isOver())
			.toList();
		if (thrown == null) {
			return !undecided.isEmpty() && beginAgain(undecided);
		}
		logger.warn("A call with {} of queue {} failed; {}: {}",
				LogText.counted(this.turn.execution().call().size(), "job"), this.turn.execution().queue(),
				undecided.isEmpty() ? "the results of all were set before"
						: "%s of them run one by one".formatted(undecided.size()),
				FailureText.of(thrown));
		logger.debug("A call with several jobs failed", thrown);
		new SeparateRuns(this.turn, this.work, undecided).run();
		return false;
	}

	private boolean beginAgain(List<HandlerExecution> undecided) {
		List<BufferedJob> again = new ArrayList<>();
		for (HandlerExecution each : undecided) {
			if (each.decide()) {
				again.add(each.buffered().rolledBack());
			}
		}
		boolean begun = !again.isEmpty() && this.turn.begin(again, List.of());
		if (!begun) {
			this.turn.repeat(again);
		}
		return begun;
	}

}
