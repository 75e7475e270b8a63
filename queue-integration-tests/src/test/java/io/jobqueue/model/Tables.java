package io.jobqueue.model;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobState;

/**
 * Reads the tables.
 */
final class Tables {

	private static final String JOBS = """
			SELECT v.*, j.claim, a.keep_until
			FROM jobqueue_jobs v LEFT JOIN jobqueue_job j USING (id) LEFT JOIN jobqueue_archive a USING (id)
			""";

	private final JdbcClient sql;

	private final Instant origin;

	Tables(JdbcClient sql, Instant origin) {
		this.sql = sql;
		this.origin = origin;
	}

	Snapshot snapshot() {
		return new Snapshot(jobs(), claims(), workers(), rate(), keys());
	}

	private Map<UUID, Snapshot.Job> jobs() {
		Map<UUID, Snapshot.Job> jobs = new TreeMap<>();
		this.sql.sql(JOBS).query((row) -> {
			jobs.put(row.getObject("id", UUID.class), job(row));
		});
		return jobs;
	}

	private Snapshot.Job job(ResultSet row) throws SQLException {
		return new Snapshot.Job(JobState.valueOf(row.getString("state")), row.getInt("priority"), minute(row, "run_at"),
				row.getInt("attempts"), row.getInt("failures"), row.getInt("expected_failures"), holder(row),
				minute(row, "lease_until"), minute(row, "keep_until"));
	}

	/**
	 * An archived job has no claim any more, but the id of its last worker.
	 */
	private static @Nullable ClaimKey holder(ResultSet row) throws SQLException {
		return (row.getObject("claim") != null)
				? new ClaimKey(row.getObject("locked_by", UUID.class), row.getLong("claim")) : null;
	}

	private Map<ClaimKey, Snapshot.Claimed> claims() {
		Map<ClaimKey, Snapshot.Claimed> claims = new HashMap<>();
		this.sql.sql("SELECT worker_id, claim, expires_at, job_ids FROM jobqueue_claim").query((row) -> {
			claims.put(new ClaimKey(row.getObject("worker_id", UUID.class), row.getLong("claim")),
					new Snapshot.Claimed(minute(row, "expires_at"), ids(row)));
		});
		return claims;
	}

	private static Set<UUID> ids(ResultSet row) throws SQLException {
		return Arrays.stream((UUID[]) row.getArray("job_ids").getArray()).collect(Collectors.toSet());
	}

	private Map<UUID, Integer> workers() {
		Map<UUID, Integer> workers = new HashMap<>();
		this.sql.sql("SELECT id, last_active_at FROM jobqueue_worker").query((row) -> {
			workers.put(row.getObject("id", UUID.class), minute(row, "last_active_at"));
		});
		return workers;
	}

	private Map<Integer, Integer> rate() {
		Map<Integer, Integer> jobs = new HashMap<>();
		this.sql.sql("SELECT ended_at, jobs FROM jobqueue_rate").query((row) -> {
			jobs.merge(minute(row, "ended_at"), row.getInt("jobs"), Integer::sum);
		});
		return jobs;
	}

	/**
	 * Return how many keys are taken, and how many remain so for a dedupe window.
	 */
	private long keys() {
		return this.sql.sql("SELECT (SELECT count(*) FROM jobqueue_key) + (SELECT count(*) FROM jobqueue_dedupe)")
			.query(Long.class)
			.single();
	}

	/**
	 * A story takes less than a minute of real time.
	 */
	private @Nullable Integer minute(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null)
				? Integer.valueOf(Math.toIntExact(Math.floorDiv(this.origin.until(time.toInstant(), ChronoUnit.SECONDS),
						ChronoUnit.MINUTES.getDuration().toSeconds())))
				: null;
	}

}
