package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.GaugeReading;
import io.jobqueue.store.GaugeStore;
import io.jobqueue.store.LaneReading;

/**
 * The gauges of a PostgreSQL database. Counts are exact up to a cap; beyond it they are
 * the planner's estimate, which is as old as the last ANALYZE.
 */
final class PostgresGaugeStore implements GaugeStore {

	static final int COUNT_CAP = 10_000;

	static final int LANE_CAP = 1_000;

	private static final JsonMapper JSON = new JsonMapper();

	private final OwnTransaction own;

	private final Schema schema;

	PostgresGaugeStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public GaugeReading read(Collection<String> queues) {
		return readLanes(queues);
	}

	private GaugeReading readLanes(Collection<String> queues) {
		List<Lane> lanes = this.own.query(PostgresSql.BEGIN_READING, this.schema.in(PostgresUpkeepSql.LANES),
				(parameters) -> parameters.array("text", queues, (queue) -> queue)
					.value(LANE_CAP)
					.value(COUNT_CAP)
					.value(COUNT_CAP)
					.value(COUNT_CAP),
				new RowMapperResultSetExtractor<>((row, number) -> Lane.of(row)));
		boolean complete = lanes.stream().allMatch((lane) -> lane.met() < LANE_CAP);
		return new GaugeReading(lanes.stream().map((lane) -> reading(lane)).toList(), complete);
	}

	private LaneReading reading(Lane lane) {
		long due = count(lane.due(), PostgresUpkeepSql.ESTIMATE_DUE, lane);
		long later = count(lane.later(), PostgresUpkeepSql.ESTIMATE_LATER, lane);
		long retrying = count(lane.retrying(), PostgresUpkeepSql.ESTIMATE_RETRYING, lane);
		return new LaneReading(lane.queue(), lane.priority(), lane.maxFailures(), lane.maxAge(),
				Math.max(0, later - retrying), Math.max(0, due - lane.running()), lane.running(), retrying);
	}

	private long count(long counted, String estimate, Lane lane) {
		if (counted < COUNT_CAP) {
			return counted;
		}
		String plan = this.own
			.query(PostgresSql.BEGIN_READING, this.schema.in(estimate),
					(parameters) -> parameters.value(lane.queue()).value(lane.priority()),
					new RowMapperResultSetExtractor<>((row, number) -> row.getString(1)))
			.get(0);
		return Math.max(counted, JSON.readTree(plan).at("/0/Plan/Plan Rows").asLong());
	}

	@Override
	public List<String> servedQueues() {
		return this.own.query(PostgresSql.BEGIN_READING, this.schema.in(PostgresUpkeepSql.SERVED_QUEUES),
				(parameters) -> {
				}, new RowMapperResultSetExtractor<>((row, number) -> row.getString(1)));
	}

	/**
	 * A queue and priority with counts up to the cap.
	 */
	private record Lane(String queue, int priority, long running, int maxFailures, @Nullable Duration maxAge, long due,
			long later, long retrying, long met) {

		static Lane of(ResultSet row) throws SQLException {
			return new Lane(row.getString("queue"), row.getInt("priority"), row.getLong("running"),
					row.getInt("max_failures"), maxAge(row), row.getLong("due"), row.getLong("later"),
					row.getLong("retrying"), row.getLong("met"));
		}

		private static @Nullable Duration maxAge(ResultSet row) throws SQLException {
			double seconds = row.getDouble("max_age_seconds");
			return row.wasNull() ? null : Duration.ofMillis(Math.round(seconds * 1000));
		}

	}

}
