package io.jobqueue.internal.store.postgresql.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.IntConsumer;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.JobQuery;
import io.jobqueue.internal.store.StorableText;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * A search for a page of jobs, in steps. The first step examines 500 jobs, or the size of
 * the page if that is larger; each further step examines twice as many, up to 4,000. A
 * search that counts examines as many jobs in each step as it may find.
 */
final class JobSearch {

	private static final int FIRST_STEP = 500;

	private static final int MAX_STEP = 4_000;

	private final JobQuery query;

	private final SearchPlans plans;

	private final Found found;

	private final int maxStep;

	private @Nullable SearchPosition place;

	private int wanted;

	private int size;

	private JobSearch(JobQuery query, SearchPlans plans, int wanted, int maxStep, Found found) {
		this.query = storable(query);
		this.plans = plans;
		this.found = found;
		this.maxStep = maxStep;
		this.place = this.plans.begin(query);
		this.wanted = wanted;
		this.size = Math.max(FIRST_STEP, Math.min(maxStep, wanted));
	}

	/**
	 * Create a search for a page.
	 * @param found reads the row of each job
	 */
	static JobSearch forPage(JobQuery query, SearchPlans plans, RowCallbackHandler found) {
		return new JobSearch(query, plans, query.limit(), MAX_STEP, (row) -> {
			if (row.getObject("id") == null) {
				return 0;
			}
			found.processRow(row);
			return 1;
		});
	}

	/**
	 * Create a search that counts. It does not stop before a step is full, so that its
	 * steps are larger.
	 * @param cap the maximum number of jobs
	 * @param found gets the number of each step
	 */
	static JobSearch forCount(JobQuery query, SearchPlans plans, int cap, IntConsumer found) {
		return new JobSearch(query, plans.counting(), cap, cap, (row) -> {
			found.accept(row.getInt("jobs"));
			return row.getInt("jobs");
		});
	}

	private static JobQuery storable(JobQuery query) {
		query.queue().ifPresent((queue) -> StorableText.require("queue", queue));
		query.type().ifPresent((type) -> StorableText.require("type", type));
		query.key().ifPresent((key) -> StorableText.require("key", key));
		query.group().ifPresent((group) -> StorableText.require("group", group));
		query.error().ifPresent((error) -> StorableText.require("error", error));
		query.fingerprint().ifPresent((fingerprint) -> StorableText.require("fingerprint", fingerprint));
		return query;
	}

	boolean isOver() {
		return this.place == null || this.wanted == 0;
	}

	/**
	 * Return the statement of the next step, {@code null} at the end of the search.
	 */
	@Nullable Step next() {
		SearchPosition from = this.place;
		String sql = (from != null) ? this.plans.at(from) : null;
		return (from != null && sql != null) ? new Step(sql, (parameters) -> set(parameters, from),
				Answer.ofRows((rows) -> take(rows, from.isArchived()))) : null;
	}

	private void set(Parameters parameters, SearchPosition from) throws SQLException {
		parameters.text(this.query.queue().orElse(null))
			.texts(this.query.states(), Enum::name)
			.text(this.query.type().orElse(null))
			.text(this.query.key().orElse(null))
			.text(this.query.group().orElse(null))
			.uuid(this.query.root().orElse(null))
			.uuid(this.query.batch().orElse(null))
			.text(this.query.error().orElse(null))
			.text(this.query.fingerprint().orElse(null))
			.number(Columns.ofInstant(this.query.enqueuedFrom().orElse(null)))
			.number(Columns.ofInstant(this.query.enqueuedBefore().orElse(null)))
			.number(Columns.ofInstant(this.query.finishedFrom().orElse(null)))
			.number(Columns.ofInstant(this.query.finishedBefore().orElse(null)))
			.number(this.query.fromPosition().isPresent() ? this.query.fromPosition().getAsLong() : null);
		from.set(parameters);
		parameters.value(this.size).value(this.wanted);
	}

	private boolean take(ResultSet rows, boolean archived) throws SQLException {
		int lookedAt = 0;
		SearchPosition reached = null;
		while (rows.next()) {
			lookedAt = rows.getInt("looked_at");
			reached = SearchPosition.of(rows, "last_", archived);
			int jobs = this.found.read(rows);
			this.wanted -= jobs;
			reached = (jobs > 0 && this.wanted == 0) ? SearchPosition.of(rows, "", archived) : reached;
		}
		moveTo((this.wanted == 0 || lookedAt == this.size) ? reached : null, archived);
		return true;
	}

	private void moveTo(@Nullable SearchPosition reached, boolean archived) {
		this.place = (reached != null || archived) ? this.plans.unlessBeyond(reached) : this.plans.afterLive();
		this.size = Math.min(this.maxStep, 2 * this.size);
	}

	/**
	 * Return the position to continue at, {@code null} at the end.
	 */
	@Nullable String place() {
		return (this.place != null) ? this.place.toString() : null;
	}

	/**
	 * Reads a row of a step.
	 */
	@FunctionalInterface
	private interface Found {

		/**
		 * Read a row.
		 * @return the number of jobs that it stands for
		 */
		int read(ResultSet row) throws SQLException;

	}

}
