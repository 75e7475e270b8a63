package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.FailureText;
import io.jobqueue.store.MaintenanceStore.ReaperPass;
import io.jobqueue.store.MaintenanceStore.ReaperPosition;

/**
 * Takes jobs away from lost workers. It is one statement for many claims, unless the
 * database refuses it: then jobs that are to be cancelled, and claims, are looked at one
 * by one, so that what cannot be written keeps the reaper from nothing else.
 */
final class PostgresReaper {

	/**
	 * No id of a job comes before it, and no job has it.
	 */
	private static final UUID FIRST = new UUID(0, 0);

	private static final ReaperPosition BEFORE_ALL_CLAIMS = new ReaperPosition(true, "-infinity", FIRST,
			Long.MIN_VALUE);

	private static final ReaperPosition BEHIND_ALL_CLAIMS = new ReaperPosition(false, "infinity", new UUID(-1, -1),
			Long.MAX_VALUE);

	private static final int MAX_REAPED = 100;

	private static final @Nullable UUID ALL = null;

	private static final UUID NONE = FIRST;

	/**
	 * Classes of SQLStates: connection, read-only server, resources, operator, system.
	 */
	private static final Set<String> OF_THE_SERVER = Set.of("08", "25", "53", "57", "58");

	private static final Logger logger = LoggerFactory.getLogger(PostgresReaper.class);

	private final Set<String> refused = ConcurrentHashMap.newKeySet();

	private final OwnTransaction own;

	private final KeyGate gate;

	private final Schema schema;

	private volatile UUID lastLeftAlone = FIRST;

	PostgresReaper(OwnTransaction own, KeyGate gate, Schema schema) {
		this.own = own;
		this.gate = gate;
		this.schema = schema;
	}

	ReaperPass reap(@Nullable ReaperPosition last) {
		ReaperPosition from = (last != null) ? last : BEFORE_ALL_CLAIMS;
		try {
			return reap(from, MAX_REAPED, true, ALL);
		}
		catch (DataAccessException ex) {
			requireRefusal(ex);
			ReaperRows cancelled = cancelOneByOne();
			return cancelled.endNothing() ? reapClaims(from)
					: cancelled.pass(this.gate.handOver(cancelled.freed()), from);
		}
	}

	/**
	 * Those that are refused stay: each call goes on behind the last one.
	 */
	private ReaperRows cancelOneByOne() {
		List<UUID> jobs = this.own.query(PostgresSql.BEGIN_SETTLEMENT, this.schema.in(PostgresUpkeepSql.LEFT_ALONE),
				(parameters) -> parameters.value(this.lastLeftAlone),
				new RowMapperResultSetExtractor<>((row, number) -> row.getObject("id", UUID.class)));
		this.lastLeftAlone = jobs.isEmpty() ? FIRST : jobs.get(jobs.size() - 1);
		ReaperRows rows = new ReaperRows();
		jobs.forEach((job) -> cancel(job, rows));
		return rows;
	}

	private void cancel(UUID job, ReaperRows rows) {
		try {
			query(BEHIND_ALL_CLAIMS, 1, true, job, rows);
		}
		catch (DataAccessException ex) {
			requireRefusal(ex);
			logger.atLevel(level("job " + job))
				.log("The reaper cannot cancel job {}, which stays until the database accepts that: {}", job,
						FailureText.of(ex));
		}
	}

	private ReaperPass reapClaims(ReaperPosition from) {
		try {
			return reap(from, MAX_REAPED, true, NONE);
		}
		catch (DataAccessException ex) {
			requireRefusal(ex);
			ReaperPosition next = next(from);
			if (next == null) {
				throw ex;
			}
			return reapNext(from, next);
		}
	}

	private ReaperPass reapNext(ReaperPosition from, ReaperPosition next) {
		try {
			return reap(from, 1, true, NONE);
		}
		catch (DataAccessException ex) {
			requireRefusal(ex);
			logger.atLevel(level("end %s %d".formatted(next.worker(), next.claim())))
				.log("The reaper cannot end jobs of claim {} of worker {}, which stay RUNNING until the database accepts them: {}",
						next.claim(), next.worker(), FailureText.of(ex));
			return releaseNext(from, next);
		}
	}

	private ReaperPass releaseNext(ReaperPosition from, ReaperPosition next) {
		try {
			return reap(from, 1, false, NONE);
		}
		catch (DataAccessException ex) {
			requireRefusal(ex);
			logger.atLevel(level("release %s %d".formatted(next.worker(), next.claim())))
				.log("The reaper passes claim {} of worker {}, whose jobs stay RUNNING until the database accepts their release: {}",
						next.claim(), next.worker(), FailureText.of(ex));
			return new ReaperRows().pass(List.of(), next);
		}
	}

	private Level level(String refusal) {
		return this.refused.add(refusal) ? Level.ERROR : Level.DEBUG;
	}

	/**
	 * A failure that has nothing to do with rows would come again with each of them.
	 */
	private static void requireRefusal(DataAccessException ex) {
		SQLException answer = FailureText.answer(ex);
		String state = (answer != null) ? answer.getSQLState() : null;
		if (ex instanceof TransientDataAccessException || state == null
				|| OF_THE_SERVER.stream().anyMatch(state::startsWith)) {
			throw ex;
		}
	}

	private @Nullable ReaperPosition next(ReaperPosition from) {
		return this.own
			.query(PostgresSql.BEGIN_SETTLEMENT, this.schema.in(PostgresUpkeepSql.NEXT_EXPIRED),
					(parameters) -> set(parameters, from), PostgresReaper::places)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static List<ReaperPosition> places(ResultSet rows) throws SQLException {
		List<ReaperPosition> places = new ArrayList<>();
		while (rows.next()) {
			ReaperPosition place = ReaperRows.last(rows);
			if (place != null) {
				places.add(place);
			}
		}
		return places;
	}

	private ReaperPass reap(ReaperPosition from, int claims, boolean ends, @Nullable UUID leftAlone) {
		ReaperRows rows = new ReaperRows();
		query(from, claims, ends, leftAlone, rows);
		return rows.pass(this.gate.handOver(rows.freed()));
	}

	private void query(ReaperPosition from, int claims, boolean ends, @Nullable UUID leftAlone, ReaperRows rows) {
		String only = (leftAlone != null) ? leftAlone.toString() : null;
		this.own.query(PostgresSql.BEGIN_SETTLEMENT, this.schema.in(PostgresUpkeepSql.REAP),
				(parameters) -> set(parameters, from).value(claims).value(ends).text(only).value(claims), rows::addAll);
	}

	private static Parameters set(Parameters parameters, ReaperPosition from) throws SQLException {
		return parameters.value(from.silent()).value(from.expiresAt()).value(from.worker()).value(from.claim());
	}

}
