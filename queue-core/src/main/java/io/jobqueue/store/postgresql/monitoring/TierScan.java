package io.jobqueue.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.Tier;
import io.jobqueue.store.postgresql.transaction.Parameters;

/**
 * What a scan read of a queue and priority, and the position of its oldest job that waits
 * and is due.
 */
record TierScan(TierSnapshot reading, long runAtMicros, long seq) {

	static TierScan of(ResultSet row) throws SQLException {
		TierSnapshot reading = new TierSnapshot(row.getString("queue"), row.getInt("priority"),
				row.getInt("max_failures"), row.getInt("max_releases"), maxAge(row), null);
		return new TierScan(reading, row.getLong("run_at_micros"), row.getLong("seq"));
	}

	private static @Nullable Duration maxAge(ResultSet row) throws SQLException {
		double seconds = row.getDouble("max_age_seconds");
		return row.wasNull() ? null : Duration.ofMillis(Math.round(seconds * 1000));
	}

	static void set(Parameters parameters, List<TierScan> tiers) throws SQLException {
		parameters.texts(tiers, (tier) -> tier.reading().queue())
			.smallints(tiers, (tier) -> tier.reading().priority())
			.bigints(tiers, TierScan::runAtMicros)
			.bigints(tiers, TierScan::seq);
	}

	Tier tier() {
		return new Tier(this.reading.queue(), this.reading.priority());
	}

	TierScan emptied() {
		return new TierScan(new TierSnapshot(this.reading.queue(), this.reading.priority(), 0, null, null),
				this.runAtMicros, this.seq);
	}

}
