package io.jobqueue.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.jobqueue.store.JobCount;
import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.Tier;
import io.jobqueue.store.postgresql.transaction.Columns;

/**
 * The counts of a tier, each exact up to the cap. Beyond it, the planner is asked.
 *
 * @param tier the tier
 * @param counts how many jobs are in each state
 * @param many the states that the next count may take as 10,000
 */
record TierCount(Tier tier, TierCounts counts, Set<State> many) {

	static TierCount of(ResultSet row) throws SQLException {
		return new TierCount(Columns.tier(row), new TierCounts(count(row, "scheduled"), count(row, "ready"),
				running(row), count(row, "retrying"), count(row, "blocked")), many(row));
	}

	private static JobCount running(ResultSet row) throws SQLException {
		return new JobCount(row.getLong("running"), row.getBoolean("running_capped"));
	}

	private static JobCount count(ResultSet row, String state) throws SQLException {
		return new JobCount(row.getLong(state), isMany(row, state) || row.getBoolean(state + "_capped"));
	}

	private static Set<State> many(ResultSet row) throws SQLException {
		Set<State> many = EnumSet.noneOf(State.class);
		for (State state : State.values()) {
			if (isMany(row, state.name().toLowerCase(Locale.ROOT))) {
				many.add(state);
			}
		}
		return many;
	}

	private static boolean isMany(ResultSet row, String state) throws SQLException {
		return row.getBoolean(state + "_many");
	}

	/**
	 * Return how many rows to ask the planner for: those of the tier, and those of each
	 * state beyond the cap; none if all states are counted.
	 */
	List<Question> questions() {
		List<Question> states = beyondCap().map(this::inState).toList();
		return states.isEmpty() ? states : Stream.concat(Stream.of(inAll()), states.stream()).toList();
	}

	/**
	 * Add an estimate of what is not counted: the jobs that the planner expects in the
	 * tier, less the counted ones. If several states are beyond the cap, they share it in
	 * proportion to what the planner expects of each: it knows the size of a tier better
	 * than that of a state, as it takes the run-at of a job to be independent of its
	 * tier.
	 * @param expected how many rows the planner expects
	 */
	TierCounts withEstimates(ToLongFunction<Question> expected) {
		double uncounted = Math.max(0, expected.applyAsLong(inAll()) - this.counts.total());
		double each = uncounted / Math.max(1, beyondCap().map(this::inState).mapToLong(expected).sum());
		return new TierCounts(with(State.SCHEDULED, each, expected), with(State.READY, each, expected),
				this.counts.running(), with(State.RETRYING, each, expected), with(State.BLOCKED, each, expected));
	}

	private JobCount with(State state, double each, ToLongFunction<Question> expected) {
		JobCount counted = state.of(this.counts);
		return !counted.estimated() ? counted
				: new JobCount(counted.jobs() + Math.round(each * expected.applyAsLong(inState(state))), true);
	}

	private Stream<State> beyondCap() {
		return Stream.of(State.values()).filter((state) -> state.of(this.counts).estimated());
	}

	private Question inAll() {
		return new Question("", this.tier);
	}

	private Question inState(State state) {
		return new Question(state.condition, this.tier);
	}

	/**
	 * A state that is counted up to the cap.
	 */
	enum State {

		READY("AND (run_at <= statement_timestamp() OR admission = 'PENDING')"),

		/**
		 * Failed jobs wait for their next attempt for most of their time, which the
		 * planner does not know.
		 */
		RETRYING("AND (failures > 0 OR expected_failures IS NOT NULL)"),

		SCHEDULED("""
				AND (run_at > statement_timestamp() AND run_at < 'infinity' OR admission = 'PENDING')
				AND failures = 0 AND expected_failures IS NULL"""),

		BLOCKED("AND run_at = 'infinity' AND failures = 0 AND admission IS DISTINCT FROM 'PENDING'");

		private final String condition;

		State(String condition) {
			this.condition = condition;
		}

		JobCount of(TierCounts counts) {
			return switch (this) {
				case READY -> counts.ready();
				case RETRYING -> counts.retrying();
				case SCHEDULED -> counts.scheduled();
				case BLOCKED -> counts.blocked();
			};
		}

	}

	/**
	 * How many rows of a tier does the planner expect?
	 *
	 * @param condition what selects them among those of the tier, as SQL
	 * @param tier the tier
	 */
	record Question(String condition, Tier tier) {
	}

}
