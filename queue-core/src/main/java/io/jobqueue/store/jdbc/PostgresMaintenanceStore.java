package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.Arrival;
import io.jobqueue.JobState;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.FollowUpPass;
import io.jobqueue.store.KeyPlace;
import io.jobqueue.store.MaintenanceStore;
import io.jobqueue.store.PurgePass;
import io.jobqueue.store.ReapedJobs;
import io.jobqueue.store.ReaperPass;

/**
 * The upkeep of a PostgreSQL database.
 */
final class PostgresMaintenanceStore implements MaintenanceStore {

	/**
	 * No id of a job comes before it.
	 */
	private static final UUID FIRST = new UUID(0, 0);

	private final OwnTransaction own;

	private final Schema schema;

	PostgresMaintenanceStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public ReaperPass reap() {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresUpkeepSql.REAP), (parameters) -> {
		}, PostgresMaintenanceStore::pass);
	}

	private static ReaperPass pass(ResultSet rows) throws SQLException {
		List<ReapedJobs> taken = new ArrayList<>();
		List<EndedJob> ended = new ArrayList<>();
		List<String> forgotten = new ArrayList<>();
		boolean followUps = false;
		while (rows.next()) {
			if (rows.getString("id") != null) {
				ended.add(CancelledRows.ended(rows));
			}
			else if (rows.getString("queue") != null) {
				taken.add(taken(rows));
			}
			else if (rows.getString("worker") != null) {
				forgotten.add(rows.getString("worker"));
			}
			else {
				followUps = true;
			}
		}
		return new ReaperPass(taken, ended, forgotten, followUps);
	}

	private static ReapedJobs taken(ResultSet row) throws SQLException {
		return new ReapedJobs(Columns.tier(row), Columns.position(row), row.getString("type"), row.getString("worker"),
				state(row), row.getLong("count"));
	}

	private static @Nullable JobState state(ResultSet row) throws SQLException {
		String state = row.getString("state");
		return (state != null) ? JobState.valueOf(state) : null;
	}

	@Override
	public FollowUpPass releaseFollowUps(@Nullable UUID last, int limit) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresKeySql.RELEASE_FOLLOW_UPS),
				(parameters) -> parameters.value((last != null) ? last : FIRST).value(limit).value(limit),
				PostgresMaintenanceStore::followUpPass);
	}

	private static FollowUpPass followUpPass(ResultSet rows) throws SQLException {
		List<Arrival> released = new ArrayList<>();
		UUID last = null;
		while (rows.next()) {
			if (rows.getString("queue") != null) {
				released.add(Columns.arrival(rows));
			}
			else {
				last = rows.getObject("last", UUID.class);
			}
		}
		return new FollowUpPass(released, last);
	}

	@Override
	public int endDedupes(int limit) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresKeySql.END_DEDUPES),
				(parameters) -> parameters.value(limit), (rows) -> rows.next() ? rows.getInt(1) : 0);
	}

	@Override
	public @Nullable KeyPlace sweepKeys(@Nullable KeyPlace last, int limit) {
		return this.own
			.query(PostgresSql.BEGIN, this.schema.in(PostgresKeySql.SWEEP),
					(parameters) -> parameters.value((last != null) ? last.queue() : "")
						.value((last != null) ? last.key() : "")
						.value(limit)
						.value(limit),
					new RowMapperResultSetExtractor<>(
							(row, number) -> new KeyPlace(row.getString("queue"), row.getString("unique_key"))))
			.stream()
			.findFirst()
			.orElse(null);
	}

	@Override
	public PurgePass purge(int limit) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresUpkeepSql.PURGE),
				(parameters) -> parameters.value(limit), new RowMapperResultSetExtractor<>(
						(row, number) -> new PurgePass(row.getInt("jobs"), row.getBoolean("keys"))))
			.get(0);
	}

}
