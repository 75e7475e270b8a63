package io.jobqueue.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;

import io.jobqueue.store.JobCount;
import io.jobqueue.store.MonitoringStore.TierCounts;

/**
 * Jobs of a tier whose admission is pending. They count as jobs without keys would:
 * ready, retrying or scheduled.
 *
 * @param jobs how many there are, up to the cap
 * @param ready how many of those are due
 * @param retrying how many of those have failed and are not due
 */
record PendingAdmissions(long jobs, long ready, long retrying) {

	private static final long CAP = 10_000;

	static PendingAdmissions of(ResultSet row) throws SQLException {
		return new PendingAdmissions(row.getLong("new"), row.getLong("new_ready"), row.getLong("new_retrying"));
	}

	boolean areMany() {
		return this.jobs >= CAP;
	}

	/**
	 * Return how many there are, counted or estimated.
	 * @param expected how many the planner expects
	 */
	long atLeast(long expected) {
		return areMany() ? Math.max(this.jobs, expected) : this.jobs;
	}

	/**
	 * Add them to others. Beyond the cap, they are taken to be like those below it.
	 * @param total how many there are
	 */
	TierCounts addTo(TierCounts others, long total) {
		double share = (double) total / Math.max(1, this.jobs);
		return new TierCounts(sum(others.scheduled(), (this.jobs - this.ready - this.retrying) * share),
				sum(others.ready(), this.ready * share), others.running(),
				sum(others.retrying(), this.retrying * share), others.blocked());
	}

	private JobCount sum(JobCount others, double jobs) {
		return new JobCount(others.jobs() + Math.round(jobs), others.estimated() || (areMany() && jobs > 0));
	}

}
