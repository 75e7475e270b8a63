package io.jobqueue.worker;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.context.JobMdc;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Recorded;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Outcome.Snoozed;
import io.jobqueue.store.Written;

/**
 * Logs the steps of a job for those who follow one, and that it was cancelled. Failures
 * and deaths are logged where they are decided on.
 */
final class JobSteps implements SettledListener {

	private static final Logger logger = LoggerFactory.getLogger(JobSteps.class);

	private final JobMdc mdc;

	JobSteps(JobMdc mdc) {
		this.mdc = mdc;
	}

	void claimed(Collection<ClaimedJob> jobs) {
		jobs.forEach((job) -> tell(job, Level.DEBUG, "is claimed"));
	}

	void begins(ClaimedJob job) {
		tell(job, Level.DEBUG, "begins");
	}

	/**
	 * Whoever was to be cancelled may be so in spite of its outcome.
	 */
	@Override
	public void settled(List<Settled> settled, Written written) {
		for (Settled each : settled) {
			if (written.cancelled().contains(each.job().id())) {
				tell(each.job(), Level.INFO, "is cancelled");
			}
			else if (written.jobs().contains(each.job().id())) {
				tell(each.job(), Level.DEBUG, step(each.outcome()));
			}
		}
	}

	private void tell(ClaimedJob job, Level level, @Nullable String step) {
		if (step != null && logger.isEnabledForLevel(level)) {
			this.mdc.within(job, () -> logger.atLevel(level).log("{} {}", job, step));
		}
	}

	private static @Nullable String step(Outcome outcome) {
		if (outcome instanceof Completed || outcome instanceof Recorded) {
			return "has succeeded";
		}
		if (outcome instanceof Released) {
			return "is given back, uncounted";
		}
		return (outcome instanceof Snoozed snoozed) ? "runs again in " + snoozed.delay() + ", uncounted" : null;
	}

}
