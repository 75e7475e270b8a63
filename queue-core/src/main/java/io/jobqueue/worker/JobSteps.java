package io.jobqueue.worker;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.context.JobMdc;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Recorded;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Outcome.Snoozed;

/**
 * Logs the steps of a job that nobody has to know of, for those who follow one. Failures
 * and deaths are logged where they are decided on.
 */
final class JobSteps {

	private static final Logger logger = LoggerFactory.getLogger(JobSteps.class);

	private final JobMdc mdc;

	JobSteps(JobMdc mdc) {
		this.mdc = mdc;
	}

	void claimed(Collection<ClaimedJob> jobs) {
		if (logger.isDebugEnabled()) {
			jobs.forEach((job) -> tell(job, "is claimed"));
		}
	}

	void begins(ClaimedJob job) {
		if (logger.isDebugEnabled()) {
			tell(job, "begins");
		}
	}

	/**
	 * Tell of outcomes that were written.
	 */
	void settled(Collection<Settled> settled, Set<UUID> written) {
		if (logger.isDebugEnabled()) {
			settled.stream().filter((each) -> written.contains(each.job().id())).forEach(this::tell);
		}
	}

	private void tell(Settled settled) {
		String step = step(settled.outcome());
		if (step != null) {
			tell(settled.job(), step);
		}
	}

	private void tell(ClaimedJob job, String step) {
		this.mdc.within(job, () -> logger.debug("{} {}", job, step));
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
