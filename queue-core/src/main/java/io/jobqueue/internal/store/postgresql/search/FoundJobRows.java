package io.jobqueue.internal.store.postgresql.search;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.jobqueue.JobDetails;
import io.jobqueue.JobDetails.Attempt;
import io.jobqueue.JobDetails.Progress;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.SearchStore.FoundJob;
import io.jobqueue.internal.store.postgresql.transaction.Columns;

/**
 * Reads the columns of found jobs.
 */
final class FoundJobRows {

	static final String COLUMNS = """
			v.id, v.seq, v.queue, v.type, v.priority, v.state, v.attempts, v.failures, v.expected_failures,
			       v.max_attempts, v.created_at, v.run_at, v.finished_at, v.headers, v.unique_key, v.ordering_key,
			       v.limit_key, v.job_group, v.last_error, v.progress_percent, v.progress_message,
			       v.cancel_requested AND v.finished_at IS NULL AS cancel_requested, v.ancestor_id, v.parent_id, v.root_id, v.started_at, v.history::text AS history, v.expires_at,
			       CASE WHEN v.state = 'BLOCKED' THEN ARRAY (
			           SELECT d.predecessor_id FROM jobqueue_dependency d
			           WHERE d.job_id = v.id AND d.failed
			           LIMIT 10) END AS failed_predecessors,
			       coalesce((SELECT w.name FROM jobqueue_worker w WHERE w.id = v.locked_by), v.locked_by::text) AS worker""";

	private static final JsonMapper JSON = new JsonMapper();

	/**
	 * Nodes of a later version may store others.
	 */
	private static final Set<String> OUTCOMES = Stream.of(Attempt.Outcome.values())
		.map(Enum::name)
		.collect(Collectors.toUnmodifiableSet());

	private FoundJobRows() {
	}

	static FoundJob job(ResultSet row) throws SQLException {
		return new FoundJob(row.getObject("id", UUID.class), Columns.tier(row), row.getString("type"),
				JobState.valueOf(row.getString("state")), row.getInt("attempts"),
				row.getObject("max_attempts", Integer.class), Columns.instant(row, "created_at"),
				Columns.instant(row, "run_at"), row.getString("headers"), details(row));
	}

	private static JobDetails details(ResultSet row) throws SQLException {
		return new JobDetails(row.getLong("seq"), row.getString("unique_key"), row.getString("ordering_key"),
				row.getString("limit_key"), row.getString("job_group"), row.getInt("failures"),
				row.getInt("expected_failures"), row.getString("last_error"), row.getString("worker"), progress(row),
				row.getBoolean("cancel_requested"), row.getObject("ancestor_id", UUID.class),
				row.getObject("parent_id", UUID.class), row.getObject("root_id", UUID.class), failedPredecessors(row),
				Columns.nullableInstant(row, "finished_at"), Columns.nullableInstant(row, "started_at"),
				attempts(row.getString("history")), Columns.nullableInstant(row, "expires_at"));
	}

	private static List<UUID> failedPredecessors(ResultSet row) throws SQLException {
		Array ids = row.getArray("failed_predecessors");
		return (ids != null) ? List.of((UUID[]) ids.getArray()) : List.of();
	}

	private static @Nullable Progress progress(ResultSet row) throws SQLException {
		Integer percent = row.getObject("progress_percent", Integer.class);
		return (percent != null) ? new Progress(percent, row.getString("progress_message")) : null;
	}

	private static List<Attempt> attempts(@Nullable String history) {
		return (history != null) ? JSON.readTree(history)
			.valueStream()
			.filter((stored) -> OUTCOMES.contains(outcome(stored)))
			.map(FoundJobRows::attempt)
			.toList() : List.of();
	}

	private static String outcome(JsonNode stored) {
		return stored.path("outcome").asString().toUpperCase(Locale.ROOT);
	}

	private static Attempt attempt(JsonNode stored) {
		JsonNode began = stored.path("began");
		return new Attempt(stored.path("attempt").asInt(), began.isMissingNode() ? null : instant(began),
				instant(stored.path("ended")), stored.path("worker").asString(),
				Attempt.Outcome.valueOf(outcome(stored)), stored.path("error").asString(null));
	}

	private static Instant instant(JsonNode time) {
		return OffsetDateTime.parse(time.asString()).toInstant();
	}

}
