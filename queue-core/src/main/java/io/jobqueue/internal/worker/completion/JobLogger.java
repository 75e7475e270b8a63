package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.JobLogLine;
import io.jobqueue.internal.logging.JobLogStep;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Outcome.Snoozed;

/**
 * Logs the steps of jobs, frequent ones at DEBUG, and passes their times to a
 * {@link WorkListener}. An outcome is logged after it is recorded.
 */
public final class JobLogger implements CompletionWriter.Listener {

	private static final Logger logger = LoggerFactory.getLogger("io.jobqueue.jobs");

	private static final int MANY_RELEASES = 3;

	private final JobMdc mdc;

	private final WorkListener times;

	/**
	 * Create a job logger.
	 * @param mdc sets the MDC entries of a job
	 * @param times receives the times
	 */
	public JobLogger(JobMdc mdc, WorkListener times) {
		this.mdc = mdc;
		this.times = times;
	}

	/**
	 * Claim jobs of a queue, log them and measure the time.
	 * @param queue the name of the queue
	 * @param claim claims the jobs
	 * @return the result of the claim
	 */
	public ClaimResult claim(String queue, Supplier<ClaimResult> claim) {
		long since = System.nanoTime();
		try {
			ClaimResult claimed = claim.get();
			claimed(claimed.jobs());
			return claimed;
		}
		finally {
			this.times.claimed(queue, Duration.ofNanos(System.nanoTime() - since));
		}
	}

	private void claimed(Collection<ClaimedJob> jobs) {
		if (logger.isDebugEnabled()) {
			jobs.forEach((job) -> log(job, Level.DEBUG, JobLogStep.CLAIMED, "is claimed"));
		}
	}

	/**
	 * Log that a run begins.
	 * @param job the job
	 * @param waited the time since the job became due
	 */
	public void begins(ClaimedJob job, Duration waited) {
		this.times.begins(job, waited);
		log(job, Level.DEBUG, JobLogStep.BEGUN, "begins");
	}

	/**
	 * Jobs whose cancellation was requested may be recorded as cancelled, whatever their
	 * outcome.
	 */
	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		for (Completion each : completions) {
			measure(each, RunOutcome.of(each, result));
			if (result.cancelled().contains(each.job().id())) {
				log(each, Level.INFO, JobLogStep.CANCELLED, "is cancelled");
			}
			else if (result.jobs().contains(each.job().id())) {
				log(each);
			}
		}
	}

	@Override
	public void lost(Completion completion) {
		measure(completion, RunOutcome.LOST);
	}

	private void measure(Completion completion, @Nullable RunOutcome outcome) {
		Duration runTime = completion.runTime();
		if (runTime != null && outcome != null && !(completion.outcome() instanceof Released)) {
			this.times.ended(completion.job(), outcome, runTime);
		}
	}

	private void log(Completion completion) {
		Outcome outcome = completion.outcome();
		if (outcome instanceof Completed || outcome instanceof CompletedInTransaction) {
			log(completion, Level.DEBUG, JobLogStep.SUCCEEDED, "succeeded");
		}
		else if (outcome instanceof Released released) {
			logRelease(completion, released);
		}
		else if (outcome instanceof Snoozed snoozed) {
			log(completion, Level.DEBUG, JobLogStep.SNOOZED,
					"runs again in " + DurationText.of(snoozed.delay()) + ", and the attempt is not counted");
		}
		else if (outcome instanceof RetryLater retry) {
			logFailure(completion, retry);
		}
		else if (outcome instanceof Dead dead) {
			log(completion, Level.ERROR, JobLogStep.DEAD,
					(completion.cause() != null) ? "failed and is dead" : "is dead: " + dead.error(),
					completion.cause());
		}
	}

	private void logRelease(Completion completion, Released released) {
		int releases = completion.job().releases() + 1;
		if (released.begun() && releases >= MANY_RELEASES) {
			log(completion, Level.WARN, JobLogStep.RELEASED,
					"is released, and the attempt is not counted. Stops have released it %s times in a row after its handler had begun: check whether the job causes them"
						.formatted(releases));
		}
		else {
			log(completion, (completion.runTime() != null) ? Level.INFO : Level.DEBUG, JobLogStep.RELEASED,
					"is released, and the attempt is not counted");
		}
	}

	private void logFailure(Completion completion, RetryLater retry) {
		Level level = retry.expected() ? Level.DEBUG
				: JobLogStep.levelOf(completion.job().countedAttempt(), Level.WARN);
		String text = "%s and is retried in %s%s".formatted(
				retry.expected() ? "failed with an expected exception" : "failed", DurationText.of(retry.delay()),
				(completion.cause() != null) ? "" : ", as its handler requested");
		log(completion, level, JobLogStep.RETRIED, text, completion.cause());
	}

	private void log(ClaimedJob job, Level level, JobLogStep step, String text) {
		if (logger.isEnabledForLevel(level)) {
			this.mdc.within(job, () -> step.line(logger, level).log("{} {}", job, text));
		}
	}

	private void log(Completion completion, Level level, JobLogStep step, String text) {
		log(completion, level, step, text, null);
	}

	private void log(Completion completion, Level level, JobLogStep step, String text, @Nullable Throwable cause) {
		if (logger.isEnabledForLevel(level)) {
			completion.log(this.mdc,
					() -> JobLogLine.log(() -> step.line(logger, level), completion.job() + " " + text, cause));
		}
	}

}
