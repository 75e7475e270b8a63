package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.LaneReading;

/**
 * What a look saw of a queue and priority, and the place where its oldest job waits that
 * is due.
 */
record SeenLane(LaneReading reading, long runAtMicros, long seq) {

	static SeenLane of(ResultSet row) throws SQLException {
		LaneReading reading = new LaneReading(row.getString("queue"), row.getInt("priority"),
				row.getInt("max_failures"), maxAge(row), null);
		return new SeenLane(reading, row.getLong("run_at_micros"), row.getLong("seq"));
	}

	private static @Nullable Duration maxAge(ResultSet row) throws SQLException {
		double seconds = row.getDouble("max_age_seconds");
		return row.wasNull() ? null : Duration.ofMillis(Math.round(seconds * 1000));
	}

	static void set(Parameters parameters, List<SeenLane> lanes) throws SQLException {
		parameters.array("text", lanes, (lane) -> lane.reading().queue())
			.array("smallint", lanes, (lane) -> lane.reading().priority())
			.array("bigint", lanes, SeenLane::runAtMicros)
			.array("bigint", lanes, SeenLane::seq);
	}

	boolean isSameAs(SeenLane other) {
		return this.reading.priority() == other.reading.priority()
				&& this.reading.queue().equals(other.reading.queue());
	}

	SeenLane emptied() {
		return new SeenLane(new LaneReading(this.reading.queue(), this.reading.priority(), 0, null, null),
				this.runAtMicros, this.seq);
	}

}
