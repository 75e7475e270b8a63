package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

import io.jobqueue.store.JobCount;
import io.jobqueue.store.Tier;
import io.jobqueue.store.TierCounts;

/**
 * Counts up to a cap. What reached it is a question to the planner.
 */
record CappedTier(Tier tier, TierCounts counts) {

	static CappedTier of(ResultSet row) throws SQLException {
		return new CappedTier(Columns.tier(row), new TierCounts(count(row, "scheduled"), count(row, "ready"),
				count(row, "running"), count(row, "retrying")));
	}

	private static JobCount count(ResultSet row, String state) throws SQLException {
		return new JobCount(row.getLong(state), row.getBoolean(state + "_capped"));
	}

	List<Question> questions() {
		List<Question> questions = new ArrayList<>();
		if (this.counts.ready().estimated() || this.counts.scheduled().estimated()) {
			questions.add(due());
			questions.add(later());
		}
		if (this.counts.retrying().estimated()) {
			questions.add(retrying());
		}
		return questions;
	}

	/**
	 * Running jobs are among those that are due, and retrying ones among the later. The
	 * planner knows the size of a tier better than how much of it is due: where one side
	 * was counted, the other is the rest.
	 */
	TierCounts withEstimates(ToLongFunction<Question> answers) {
		long due = answers.applyAsLong(due());
		long later = answers.applyAsLong(later());
		long running = this.counts.running().jobs();
		if (!this.counts.scheduled().estimated()) {
			due += later - this.counts.scheduled().jobs() - this.counts.retrying().jobs();
		}
		long rest = this.counts.ready().estimated() ? later : due + later - this.counts.ready().jobs() - running;
		JobCount retrying = estimated(this.counts.retrying(),
				answers.applyAsLong(retrying()) * rest / Math.max(1, later));
		JobCount scheduled = estimated(this.counts.scheduled(), rest - retrying.jobs());
		return new TierCounts(scheduled, estimated(this.counts.ready(), due - running), this.counts.running(),
				retrying);
	}

	private static JobCount estimated(JobCount counted, long estimate) {
		return counted.estimated() ? new JobCount(Math.max(counted.jobs(), estimate), true) : counted;
	}

	private Question due() {
		return new Question(PostgresGaugeSql.DUE, this.tier);
	}

	private Question later() {
		return new Question(PostgresGaugeSql.LATER, this.tier);
	}

	private Question retrying() {
		return new Question(PostgresGaugeSql.RETRYING, this.tier);
	}

	/**
	 * How many rows the planner expects of a statement about a tier.
	 */
	record Question(String sql, Tier tier) {
	}

}
