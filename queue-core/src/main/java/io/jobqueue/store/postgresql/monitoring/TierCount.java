package io.jobqueue.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.jobqueue.store.JobCount;
import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.Tier;
import io.jobqueue.store.postgresql.transaction.Columns;

/**
 * Counts up to a cap. What reached it is a question to the planner.
 *
 * @param tier the tier
 * @param counts how many are in each state, without pending admissions
 * @param heldBack how many of the retrying are held back
 * @param unjudged the pending admissions
 */
record TierCount(Tier tier, TierCounts counts, long heldBack, PendingAdmissions unjudged) {

	static TierCount of(ResultSet row) throws SQLException {
		return new TierCount(Columns.tier(row),
				new TierCounts(count(row, "scheduled"), count(row, "ready"), count(row, "running"),
						count(row, "retrying"), count(row, "blocked")),
				row.getLong("held_back"), PendingAdmissions.of(row));
	}

	private static JobCount count(ResultSet row, String state) throws SQLException {
		return new JobCount(row.getLong(state), row.getBoolean(state + "_capped"));
	}

	List<Question> questions() {
		boolean any = Stream.of(this.counts.ready(), this.counts.scheduled(), this.counts.blocked())
			.anyMatch(JobCount::estimated) || this.unjudged.areMany();
		return any ? List.of(due(), later(), retrying(), blocked(), unjudgedOnes()) : List.of();
	}

	/**
	 * Running jobs are among those that are due, and retrying ones among the later, but
	 * for those that are held back; pending admissions are among the blocked. The planner
	 * knows the size of a tier better than that of its parts: those that were counted
	 * leave the rest to the others.
	 */
	TierCounts withEstimates(ToLongFunction<Question> answers) {
		long running = this.counts.running().jobs();
		Part due = new Part(this.counts.ready(), running, answers.applyAsLong(due()));
		Part later = new Part(this.counts.scheduled(), this.counts.retrying().jobs() - this.heldBack,
				answers.applyAsLong(later()));
		long atGate = this.unjudged.atLeast(answers.applyAsLong(unjudgedOnes()));
		Part blocked = new Part(this.counts.blocked(), atGate, answers.applyAsLong(blocked()));
		double growth = Part.growth(List.of(due, later, blocked));
		JobCount retrying = estimated(this.counts.retrying(), (this.heldBack > 0) ? answers.applyAsLong(retrying())
				: Math.min((double) answers.applyAsLong(retrying()), later.expected() * growth));
		return this.unjudged.addTo(new TierCounts(
				estimated(this.counts.scheduled(), later.expected() * growth - retrying.jobs() + this.heldBack),
				estimated(this.counts.ready(), due.expected() * growth - running), this.counts.running(), retrying,
				estimated(this.counts.blocked(), blocked.expected() * growth - atGate)), atGate);
	}

	private static JobCount estimated(JobCount counted, double estimate) {
		return counted.estimated() ? new JobCount(Math.max(counted.jobs(), Math.round(estimate)), true) : counted;
	}

	private static final String DUE = """
			SELECT 1 FROM jobqueue_job WHERE queue = ? AND priority = ? AND run_at <= statement_timestamp()
			""";

	private Question due() {
		return new Question(DUE, this.tier);
	}

	private static final String LATER = """
			SELECT 1 FROM jobqueue_job
			WHERE queue = ? AND priority = ? AND run_at > statement_timestamp() AND run_at < 'infinity'
			""";

	private Question later() {
		return new Question(LATER, this.tier);
	}

	/**
	 * Failed jobs wait for their next attempt for most of their time, which the planner
	 * does not know.
	 */
	private static final String RETRYING = """
			SELECT 1 FROM jobqueue_job WHERE queue = ? AND priority = ? AND (failures > 0 OR expected_failures IS NOT NULL)
			""";

	private Question retrying() {
		return new Question(RETRYING, this.tier);
	}

	private static final String NEW = """
			SELECT 1 FROM jobqueue_job WHERE queue = ? AND priority = ? AND admission = 'PENDING'
			""";

	private Question unjudgedOnes() {
		return new Question(NEW, this.tier);
	}

	private static final String BLOCKED = """
			SELECT 1 FROM jobqueue_job WHERE queue = ? AND priority = ? AND run_at = 'infinity' AND failures = 0
			""";

	private Question blocked() {
		return new Question(BLOCKED, this.tier);
	}

	/**
	 * How many rows the planner expects of a statement about a tier.
	 */
	record Question(String sql, Tier tier) {
	}

	/**
	 * What an index holds between two times.
	 *
	 * @param counted those that are counted there, up to the cap
	 * @param others the number of others
	 * @param expected how many the planner expects in all
	 */
	private record Part(JobCount counted, long others, long expected) {

		/**
		 * Return how many times more than expected those parts hold that were not
		 * counted.
		 */
		static double growth(List<Part> parts) {
			double rest = 0;
			double uncounted = 0;
			for (Part part : parts) {
				rest += part.expected;
				if (part.counted.estimated()) {
					uncounted += part.expected;
				}
				else {
					rest -= part.counted.jobs() + part.others;
				}
			}
			return rest / Math.max(1, uncounted);
		}

	}

}
