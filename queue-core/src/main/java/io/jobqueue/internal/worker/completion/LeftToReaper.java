package io.jobqueue.internal.worker.completion;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.internal.logging.JobLogLine;
import io.jobqueue.internal.logging.JobLogStep;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.Outcome.Dead;

/**
 * Unwritten outcomes of claimed jobs: the reaper ends their claims.
 */
public final class LeftToReaper implements UnwrittenOutcomes {

	private static final Logger logger = LoggerFactory.getLogger(LeftToReaper.class);

	/**
	 * The exception of the handler is logged as well, since it is not stored.
	 */
	@Override
	public boolean refused(Completion completion, Throwable refusal) {
		JobLogLine.log(() -> JobLogStep.LOST.line(logger, Level.ERROR),
				"The database rejected the outcome of %s (%s); the reaper ends its claim when the lease runs out"
					.formatted(completion.job(), FailureText.of(refusal)),
				null);
		logger.debug("The database rejected an outcome", refusal);
		if (completion.cause() != null) {
			JobLogLine.log(logger::atError, completion.job() + " failed before that", completion.cause());
		}
		return true;
	}

	@Override
	public void lost(Completion completion, boolean again) {
		if (again) {
			JobLogLine.log(() -> logger.atLevel(level(completion)),
					"The outcome of %s was recorded before, or the claim on it was lost".formatted(completion.job()),
					completion.cause());
		}
		else {
			JobLogLine.log(() -> JobLogStep.LOST.line(logger, Level.WARN),
					"Lost the claim on %s; its outcome was not recorded".formatted(completion.job()),
					completion.cause());
		}
	}

	/**
	 * The job may be dead, and no other log line reports that.
	 */
	private static Level level(Completion completion) {
		if (completion.outcome() instanceof Dead) {
			return Level.ERROR;
		}
		return (completion.cause() != null) ? Level.WARN : Level.INFO;
	}

	@Override
	public void dropped(Completion completion) {
		JobLogLine.log(() -> JobLogStep.LOST.line(logger, Level.WARN),
				"Could not record the outcome of %s before the worker stopped; the reaper ends its claim"
					.formatted(completion.job()),
				completion.cause());
	}

}
