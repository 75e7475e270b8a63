package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.JobStore.RetryProbe;
import io.jobqueue.store.MaintenanceStore;
import io.jobqueue.store.MaintenanceStore.FollowUpPass;
import io.jobqueue.store.MaintenanceStore.KeyPass;
import io.jobqueue.store.MaintenanceStore.KeyPosition;
import io.jobqueue.store.MaintenanceStore.LostJob;
import io.jobqueue.store.MaintenanceStore.PurgePass;
import io.jobqueue.store.MaintenanceStore.ReaperPass;
import io.jobqueue.store.MaintenanceStore.ReaperPosition;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * The upkeep of a PostgreSQL database.
 */
final class PostgresMaintenanceStore implements MaintenanceStore {

	/**
	 * No id of a job comes before it.
	 */
	private static final UUID FIRST = new UUID(0, 0);

	private final OwnTransaction own;

	private final KeyGate gate;

	private final Schema schema;

	private final PostgresReaper reaper;

	PostgresMaintenanceStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.gate = new KeyGate(this.own, schema);
		this.schema = schema;
		this.reaper = new PostgresReaper(this.own, this.gate, schema);
	}

	@Override
	public ReaperPass reap(@Nullable ReaperPosition last) {
		return this.reaper.reap(last);
	}

	@Override
	public FollowUpPass releaseFollowUps(@Nullable UUID last, int limit) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresKeySql.RELEASE_FOLLOW_UPS),
				(parameters) -> parameters.value((last != null) ? last : FIRST).value(limit).value(limit),
				PostgresMaintenanceStore::followUpPass);
	}

	private static FollowUpPass followUpPass(ResultSet rows) throws SQLException {
		List<JobsAvailable> released = new ArrayList<>();
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
	public Collection<JobsAvailable> letRetriesOut() {
		List<RetryProbe> probes = this.own
			.query(PostgresSql.BEGIN, this.schema.in(PostgresProbeSql.QUEUES), (parameters) -> {
			}, new RowMapperResultSetExtractor<>((row, number) -> row.getString("queue")))
			.stream()
			.map((queue) -> new RetryProbe(FIRST, queue, false, false, Duration.ZERO))
			.toList();
		Writing writing = new Writing();
		this.own.run(PostgresSql.BEGIN, new Probing(this.schema, probes).steps(writing::freed));
		return writing.written().available();
	}

	@Override
	public KeyPass sweepTurns(@Nullable KeyPosition last, int limit) {
		return this.gate.sweepTurns(last, limit);
	}

	@Override
	public KeyPass sweepSlots(@Nullable KeyPosition last, int limit) {
		return this.gate.sweepSlots(last, limit);
	}

	@Override
	public int endDedupes(int limit) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresKeySql.END_DEDUPES),
				(parameters) -> parameters.value(limit), (rows) -> rows.next() ? rows.getInt(1) : 0);
	}

	@Override
	public @Nullable KeyPosition sweepKeys(@Nullable KeyPosition last, int limit) {
		return this.own
			.query(PostgresSql.BEGIN, this.schema.in(PostgresKeySql.SWEEP),
					(parameters) -> parameters.value((last != null) ? last.queue() : "")
						.value((last != null) ? last.key() : "")
						.value(limit)
						.value(limit),
					new RowMapperResultSetExtractor<>(
							(row, number) -> new KeyPosition(row.getString("queue"), row.getString("unique_key"))))
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
