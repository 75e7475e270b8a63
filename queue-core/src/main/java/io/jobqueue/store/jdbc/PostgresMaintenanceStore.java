package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.Arrival;
import io.jobqueue.store.FailureText;
import io.jobqueue.store.FollowUpPass;
import io.jobqueue.store.KeyPass;
import io.jobqueue.store.KeyPlace;
import io.jobqueue.store.LostJob;
import io.jobqueue.store.MaintenanceStore;
import io.jobqueue.store.Probe;
import io.jobqueue.store.PurgePass;
import io.jobqueue.store.ReaperPass;
import io.jobqueue.store.ReaperPlace;

/**
 * The upkeep of a PostgreSQL database.
 */
final class PostgresMaintenanceStore implements MaintenanceStore {

	/**
	 * No id of a job comes before it.
	 */
	private static final UUID FIRST = new UUID(0, 0);

	private static final ReaperPlace BEFORE_ALL_CLAIMS = new ReaperPlace(true, "-infinity", FIRST, Long.MIN_VALUE);

	private static final int MAX_REAPED = 100;

	private static final Logger logger = LoggerFactory.getLogger(PostgresMaintenanceStore.class);

	private final Set<String> refused = ConcurrentHashMap.newKeySet();

	private final OwnTransaction own;

	private final KeyGate gate;

	private final Schema schema;

	PostgresMaintenanceStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.gate = new KeyGate(this.own, schema);
		this.schema = schema;
	}

	@Override
	public ReaperPass reap(@Nullable ReaperPlace last) {
		ReaperPlace from = (last != null) ? last : BEFORE_ALL_CLAIMS;
		try {
			return reap(from, MAX_REAPED, true);
		}
		catch (TransientDataAccessException ex) {
			throw ex;
		}
		catch (DataAccessException ex) {
			return reapNext(from, ex);
		}
	}

	/**
	 * A job that cannot be archived must not keep the reaper from the others.
	 */
	private ReaperPass reapNext(ReaperPlace from, DataAccessException failure) {
		ReaperPlace next = next(from);
		if (next == null) {
			throw failure;
		}
		try {
			return reap(from, 1, true);
		}
		catch (DataAccessException ex) {
			report(next, ex);
			return reap(from, 1, false);
		}
	}

	private @Nullable ReaperPlace next(ReaperPlace from) {
		return this.own
			.query(PostgresSql.BEGIN_SETTLEMENT, this.schema.in(PostgresUpkeepSql.NEXT_EXPIRED),
					(parameters) -> set(parameters, from), PostgresMaintenanceStore::places)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static List<ReaperPlace> places(ResultSet rows) throws SQLException {
		List<ReaperPlace> places = new ArrayList<>();
		while (rows.next()) {
			ReaperPlace place = ReaperRows.last(rows);
			if (place != null) {
				places.add(place);
			}
		}
		return places;
	}

	private void report(ReaperPlace claim, DataAccessException ex) {
		boolean first = this.refused.add("%s %d".formatted(claim.worker(), claim.claim()));
		logger.atLevel(first ? Level.ERROR : Level.DEBUG)
			.log("The reaper cannot end jobs of claim {} of worker {}, which stay RUNNING until the database accepts them: {}",
					claim.claim(), claim.worker(), FailureText.of(ex));
	}

	private ReaperPass reap(ReaperPlace from, int claims, boolean ends) {
		ReaperRows rows = this.own.query(PostgresSql.BEGIN_SETTLEMENT, this.schema.in(PostgresUpkeepSql.REAP),
				(parameters) -> set(parameters, from).value(claims).value(ends).value(claims), ReaperRows::of);
		return rows.pass(this.gate.handOver(rows.freed()));
	}

	private static Parameters set(Parameters parameters, ReaperPlace from) throws SQLException {
		return parameters.value(from.silent()).value(from.expiresAt()).value(from.worker()).value(from.claim());
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
	public Collection<Arrival> letRetriesOut() {
		List<Probe> probes = this.own
			.query(PostgresSql.BEGIN, this.schema.in(PostgresProbeSql.QUEUES), (parameters) -> {
			}, new RowMapperResultSetExtractor<>((row, number) -> row.getString("queue")))
			.stream()
			.map((queue) -> new Probe(FIRST, queue, false, false, Duration.ZERO))
			.toList();
		Writing writing = new Writing();
		this.own.run(PostgresSql.BEGIN, new Probing(this.schema, probes).steps(writing::freed));
		return writing.written().arrivals();
	}

	@Override
	public KeyPass sweepTurns(@Nullable KeyPlace last, int limit) {
		return this.gate.sweepTurns(last, limit);
	}

	@Override
	public KeyPass sweepSlots(@Nullable KeyPlace last, int limit) {
		return this.gate.sweepSlots(last, limit);
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
