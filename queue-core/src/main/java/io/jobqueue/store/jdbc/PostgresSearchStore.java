package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.JobPayload;
import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.store.JobCount;
import io.jobqueue.store.SearchStore;
import io.jobqueue.store.SearchStore.ArchiveCount;
import io.jobqueue.store.SearchStore.FoundJob;
import io.jobqueue.store.SearchStore.SearchResult;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * What people see of the jobs of a PostgreSQL database.
 */
final class PostgresSearchStore implements SearchStore {

	private final OwnTransaction own;

	private final Schema schema;

	PostgresSearchStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public @Nullable FoundJob find(UUID id) {
		return first(PostgresSearchSql.FIND, (parameters) -> parameters.value(id));
	}

	@Override
	public @Nullable JobPayload payload(UUID id, int atMost) {
		return this.own
			.query(PostgresSearchSql.BEGIN, this.schema.in(PostgresSearchSql.PAYLOAD),
					(parameters) -> parameters.value(atMost).value(atMost).value(id),
					new RowMapperResultSetExtractor<>((row, number) -> payload(row)))
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static JobPayload payload(ResultSet row) throws SQLException {
		byte[] bytes = row.getBytes("first_bytes");
		return (bytes != null) ? new JobPayload(Base64.getEncoder().encodeToString(bytes), true, row.getLong("size"))
				: new JobPayload(row.getString("first_text"), false, row.getLong("size"));
	}

	@Override
	public @Nullable FoundJob findByKey(String queue, String key) {
		return first(PostgresSearchSql.FIND_BY_KEY, (parameters) -> parameters.value(queue).value(key));
	}

	private @Nullable FoundJob first(String sql, Parameters.Setter parameters) {
		AtomicReference<@Nullable FoundJob> first = new AtomicReference<>();
		Step step = new Step(this.schema.in(sql), parameters,
				Answer.ofEachRow((row) -> first.compareAndSet(null, FoundRows.job(row))));
		this.own.run(PostgresSearchSql.BEGIN, List.of(step));
		return first.get();
	}

	@Override
	public SearchResult search(JobQuery query, Duration time) {
		return search(new Search(query, SearchWalks.of(query)), time);
	}

	@Override
	public SearchResult searchArchive(JobQuery query, Duration time) {
		return search(new Search(query, SearchWalks.OLDEST_FIRST), time);
	}

	private SearchResult search(Search search, Duration time) {
		long begun = System.nanoTime();
		Step next = search.next(this.schema);
		while (next != null) {
			this.own.run(PostgresSearchSql.BEGIN, List.of(next));
			boolean goesOn = !search.isOver() && System.nanoTime() - begun < time.toNanos();
			next = goesOn ? search.next(this.schema) : null;
		}
		return search.page();
	}

	@Override
	public Instant now() {
		return this.own.query(PostgresSearchSql.BEGIN, PostgresSearchSql.NOW, (parameters) -> {
		}, new RowMapperResultSetExtractor<>((row, number) -> Columns.instant(row, "now"))).get(0);
	}

	@Override
	public List<ArchiveCount> countFinished() {
		return this.own.query(PostgresSearchSql.BEGIN, this.schema.in(PostgresSearchSql.COUNT_FINISHED),
				(parameters) -> parameters.value(this.schema.in("jobqueue_archive")),
				new RowMapperResultSetExtractor<>((row, number) -> new ArchiveCount(row.getString("queue"),
						JobState.valueOf(row.getString("state")),
						new JobCount(row.getLong("jobs"), row.getBoolean("estimated")))));
	}

	@Override
	public Map<JobState, Long> countGroup(String queue, String group) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresSearchSql.COUNT_GROUP),
				(parameters) -> parameters.value(queue).value(group), PostgresSearchStore::counts);
	}

	@Override
	public Map<JobState, Long> countGroup(String group) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresSearchSql.COUNT_GROUP_OF_ALL_QUEUES),
				(parameters) -> parameters.value(group), PostgresSearchStore::counts);
	}

	private static Map<JobState, Long> counts(ResultSet rows) throws SQLException {
		Map<JobState, Long> counts = new EnumMap<>(JobState.class);
		while (rows.next()) {
			counts.put(JobState.valueOf(rows.getString("state")), rows.getLong("jobs"));
		}
		return counts;
	}

}
