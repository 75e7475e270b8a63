package io.jobqueue.worker;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQueueException;
import io.jobqueue.store.Outcome;

/**
 * A job that a thread of the application has taken.
 */
final class PulledExecution extends JobExecution {

	private final CompletionBatcher batcher;

	private final PulledExecutions runs;

	PulledExecution(BufferedJob held, WorkerRuntime runtime, PulledExecutions runs) {
		super(held, runtime.leases());
		this.batcher = runtime.batcher();
		this.runs = runs;
	}

	/**
	 * End the run, and wait until that is written.
	 * @param cause what led to the outcome, {@code null} if nothing went wrong
	 */
	void end(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		if (!decide()) {
			throw lost();
		}
		try {
			check(this.batcher.complete(completion(outcome, cause)));
		}
		finally {
			this.runs.remove(this);
		}
	}

	private void check(@Nullable Boolean written) {
		if (written == null) {
			throw new JobQueueException(
					"What became of %s could not be written before the application stopped".formatted(job()));
		}
		if (!written) {
			throw lost();
		}
	}

	/**
	 * End a run that nobody has ended, without waiting.
	 */
	void endFor(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		try {
			this.batcher.submit(completion(outcome, cause));
		}
		finally {
			this.runs.remove(this);
		}
	}

	/**
	 * Give the job back, unless the run has ended.
	 * @return whether it had not
	 */
	boolean release() {
		boolean decided = decide();
		if (decided) {
			endFor(() -> OutcomePolicy.released(job()), null);
		}
		return decided;
	}

}
