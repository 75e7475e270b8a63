package io.jobqueue.internal.worker.execution;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.policy.TransactionLimits;
import io.jobqueue.internal.store.FailureText;

/**
 * Runs transactional jobs of a queue in one transaction, one after the other while others
 * wait. Their outcomes are submitted after its commit. If nothing is committed, each of
 * them runs again, alone and in the same attempt.
 */
final class SharedRun {

	private static final Logger logger = LoggerFactory.getLogger(SharedRun.class);

	private final Turn turn;

	private final SharedTransaction transaction;

	private final HandlerWork work;

	private final TransactionLimits limits;

	private final Map<HandlerExecution, JobRunner.Result> results = new LinkedHashMap<>();

	private final long since = System.nanoTime();

	SharedRun(Turn turn, SharedTransaction transaction, HandlerWork work) {
		this.turn = turn;
		this.transaction = transaction;
		this.work = work;
		this.limits = work.sharing().limits(turn.execution().queue());
	}

	void run() {
		try {
			do {
				attempt(this.turn.execution());
			}
			while (this.transaction.isIntact() && this.turn.advance(this::fits));
		}
		finally {
			end();
		}
	}

	private void attempt(HandlerExecution execution) {
		this.work.within(execution, () -> this.results.put(execution,
				this.work.attempt(execution, (each) -> this.work.runner().run(each, this.transaction))));
		execution.handlerEnded();
		if (!this.results.containsKey(execution)) {
			this.transaction
				.fail(new IllegalStateException("The execution of %s failed unexpectedly".formatted(execution)));
		}
	}

	private boolean fits(BufferedJob job) {
		return this.results.size() < this.limits.size() && System.nanoTime() - this.since < this.limits.time().toNanos()
				&& this.work.sharing().includes(job, this.results.keySet());
	}

	private void end() {
		Throwable failure = this.transaction
			.end((completed) -> finish((execution) -> completed.contains(execution.id())));
		if (failure == null) {
			finish((execution) -> true);
		}
		else {
			repeat(failure);
		}
	}

	/**
	 * Submit outcomes that are not submitted yet. Those of completed jobs do not wait for
	 * callbacks after the commit, which may hang; those of the others do, as retry
	 * policies must not run while the connection of the transaction is bound.
	 */
	private void finish(Predicate<HandlerExecution> selected) {
		this.results.forEach((execution, result) -> {
			if (selected.test(execution)) {
				this.work.within(execution, () -> execution.finish(result));
			}
		});
	}

	private void repeat(Throwable failure) {
		logger.info("The transaction of {} in queue {} was rolled back; each of them runs alone: {}",
				LogText.counted(this.results.size(), "job"), this.turn.execution().queue(), FailureText.of(failure));
		logger.debug("A shared transaction was rolled back", failure);
		List<BufferedJob> again = new ArrayList<>();
		for (HandlerExecution execution : this.results.keySet()) {
			if (execution.decide()) {
				again.add(execution.buffered().rolledBack());
			}
		}
		this.turn.repeat(again);
	}

}
