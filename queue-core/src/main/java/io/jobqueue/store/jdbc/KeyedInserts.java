package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.store.JobKeys.UniqueKey;
import io.jobqueue.store.JobStore.EnqueueResult;
import io.jobqueue.store.JobStore.EnqueuedJob;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Writes jobs of which some have unique keys, on the caller's transaction: one statement
 * locks the keys, another one looks at what is there and decides.
 */
final class KeyedInserts {

	private final JdbcTemplate jdbc;

	private final Schema schema;

	KeyedInserts(JdbcTemplate jdbc, Schema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	static boolean isNeededFor(List<NewJob> jobs) {
		return jobs.stream().anyMatch((job) -> job.keys().unique() != null);
	}

	EnqueueResult write(List<NewJob> jobs) {
		String seqscan = lockKeys(jobs);
		List<EnqueuedJob> written = new ArrayList<>();
		List<JobsAvailable> available = new ArrayList<>();
		Iterator<List<NewJob>> portions = portions(jobs).iterator();
		while (portions.hasNext()) {
			write(portions.next(), portions.hasNext() ? "off" : seqscan, written, available);
		}
		return new EnqueueResult(written, available);
	}

	/**
	 * Lock the keys until the end of the transaction.
	 * @return the setting of the caller's that has to be restored
	 */
	private String lockKeys(List<NewJob> jobs) {
		Map<Key, NewJob> first = new LinkedHashMap<>();
		for (NewJob job : jobs) {
			Key key = Key.of(job);
			if (key != null) {
				first.putIfAbsent(key, job);
			}
		}
		return this.jdbc
			.query(this.schema.in(PostgresKeySql.LOCK),
					(statement) -> new Parameters(statement).array("text", first.keySet(), Key::queue)
						.array("text", first.keySet(), Key::value)
						.array("uuid", first.values(), NewJob::id),
					(row, number) -> row.getString("seqscan"))
			.get(0);
	}

	private static List<List<NewJob>> portions(List<NewJob> jobs) {
		return Portions.of(jobs).stream().flatMap((portion) -> withEachKeyOnce(portion).stream()).toList();
	}

	/**
	 * A statement does not see what it writes.
	 */
	private static List<List<NewJob>> withEachKeyOnce(List<NewJob> jobs) {
		List<List<NewJob>> portions = new ArrayList<>();
		Set<Key> met = new HashSet<>();
		int start = 0;
		for (int index = 0; index < jobs.size(); index++) {
			Key key = Key.of(jobs.get(index));
			if (key != null && !met.add(key)) {
				portions.add(jobs.subList(start, index));
				start = index;
				met.clear();
				met.add(key);
			}
		}
		portions.add(jobs.subList(start, jobs.size()));
		return portions;
	}

	private void write(List<NewJob> portion, String seqscan, List<EnqueuedJob> written, List<JobsAvailable> available) {
		List<EnqueuedJob> decisions = this.jdbc.query(this.schema.in(PostgresKeySql.ENQUEUE),
				(statement) -> set(new Parameters(statement), portion).text(seqscan), (row, number) -> decision(row));
		written.addAll(decisions);
		List<NewJob> waiting = IntStream.range(0, portion.size())
			.filter((index) -> waits(decisions.get(index)))
			.mapToObj(portion::get)
			.toList();
		available.addAll(NewlyAvailable.of(waiting, decisions.get(0).at()));
	}

	private static EnqueuedJob decision(ResultSet row) throws SQLException {
		JobReceipt receipt = new JobReceipt(row.getObject("id", UUID.class), Outcome.valueOf(row.getString("outcome")));
		Instant at = Columns.instantOfSeconds(row.getDouble("at_seconds"));
		Instant createdAt = Columns.instant(row, "created_at");
		return new EnqueuedJob(receipt, row.getBoolean("blocked"), row.getInt("attempts"), createdAt, at);
	}

	/**
	 * Return whether a worker may find it, now or when it is due.
	 */
	private static boolean waits(EnqueuedJob job) {
		return job.receipt().accepted() && !job.blocked();
	}

	private static Parameters set(Parameters parameters, List<NewJob> jobs) throws SQLException {
		Inserts.set(parameters, jobs);
		return parameters.array("text", jobs, (job) -> ofKey(job, UniqueKey::value))
			.array("text", jobs, (job) -> ofKey(job, (key) -> key.onDuplicate().name()))
			.array("bigint", jobs, (job) -> ofKey(job, (key) -> Columns.ofDuration(key.dedupeFor())));
	}

	private static @Nullable Object ofKey(NewJob job, Function<UniqueKey, ? extends @Nullable Object> property) {
		UniqueKey key = job.keys().unique();
		return (key != null) ? property.apply(key) : null;
	}

	private record Key(String queue, String value) {

		static @Nullable Key of(NewJob job) {
			UniqueKey key = job.keys().unique();
			return (key != null) ? new Key(job.queue(), key.value()) : null;
		}

	}

}
