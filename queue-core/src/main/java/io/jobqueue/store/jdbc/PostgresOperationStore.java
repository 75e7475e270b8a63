package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.EndedJob;
import io.jobqueue.store.OperationStore;
import io.jobqueue.store.OperationStore.BlockedBy;
import io.jobqueue.store.OperationStore.BulkCancelResult;
import io.jobqueue.store.OperationStore.CancelResult;
import io.jobqueue.store.OperationStore.ChangeResult;
import io.jobqueue.store.OperationStore.JobLocation;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * What operators do about jobs of a PostgreSQL database.
 */
final class PostgresOperationStore implements OperationStore {

	private static final Function<UUID, UUID> ID = Function.identity();

	private final OwnTransaction own;

	private final Schema schema;

	private final KeyGate gate;

	PostgresOperationStore(DataSource dataSource, Schema schema) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
		this.gate = new KeyGate(this.own, schema);
	}

	@Override
	public @Nullable JobLocation find(UUID id) {
		return this.own
			.query(PostgresSql.BEGIN, this.schema.in(PostgresOperationSql.FIND),
					(parameters) -> parameters.value(id).value(id), PostgresOperationStore::places)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static List<JobLocation> places(ResultSet rows) throws SQLException {
		return rows.next() ? List.of(new JobLocation(rows.getString("queue"), rows.getBoolean("finished"))) : List.of();
	}

	@Override
	public @Nullable BlockedBy hindrance(UUID id) {
		return this.own
			.query(PostgresSql.BEGIN, this.schema.in(PostgresOperationSql.HINDRANCE),
					(parameters) -> parameters.value(id), (ResultSet rows) -> rows.next()
							? List.of(BlockedBy.valueOf(rows.getString("hindrance"))) : List.<BlockedBy>of())
			.stream()
			.findFirst()
			.orElse(null);
	}

	@Override
	public CancelResult cancel(UUID id, @Nullable Duration keep) {
		BulkCancelResult all = cancelAll(Collections.singletonMap(id, keep));
		EndedJob ended = all.ended().stream().findFirst().orElse(null);
		return new CancelResult(ended != null || !all.running().isEmpty(), ended, all.available());
	}

	@Override
	public BulkCancelResult cancelAll(Map<UUID, @Nullable Duration> jobs) {
		Set<UUID> running = new HashSet<>();
		CancelledRows cancelled = new CancelledRows();
		run(jobs.keySet(), List.of(request(jobs, true, running), cancelled.step(this.schema, jobs.keySet())));
		cancelled.handOver(this.gate);
		return new BulkCancelResult(running, cancelled.jobs(), cancelled.available());
	}

	private Step request(Map<UUID, @Nullable Duration> jobs, boolean alsoRunning, Set<UUID> running) {
		return new Step(this.schema.in(PostgresOperationSql.REQUEST_CANCEL),
				(parameters) -> parameters.array("uuid", jobs.entrySet(), Map.Entry::getKey)
					.array("bigint", jobs.entrySet(), (job) -> Columns.ofDuration(job.getValue()))
					.value(alsoRunning),
				Answer.ofEachRow((row) -> {
					if (row.getBoolean("running")) {
						running.add(row.getObject("id", UUID.class));
					}
				}));
	}

	@Override
	public ChangeResult retry(Collection<UUID> jobs) {
		return change(PostgresOperationSql.RETRY, jobs, (parameters) -> parameters.number(0).array("uuid", jobs, ID));
	}

	@Override
	public ChangeResult reschedule(Collection<UUID> jobs, Instant runAt) {
		return change(PostgresOperationSql.RESCHEDULE, jobs,
				(parameters) -> parameters.number(Columns.ofInstant(runAt)).array("uuid", jobs, ID));
	}

	@Override
	public ChangeResult reprioritise(Collection<UUID> jobs, int priority) {
		return change(PostgresOperationSql.REPRIORITISE, jobs,
				(parameters) -> parameters.value(priority).array("uuid", jobs, ID));
	}

	private ChangeResult change(String sql, Collection<UUID> jobs, Parameters.Setter parameters) {
		ChangedRows rows = new ChangedRows();
		run(jobs, List.of(new Step(this.schema.in(sql), parameters, rows.answer())));
		return rows.handOver(this.gate);
	}

	@Override
	public ChangeResult revive(Collection<UUID> jobs) {
		ChangedRows rows = new ChangedRows();
		run(jobs, List.of(ofIds(PostgresOperationSql.LOCK_KEYS, jobs, Answer.ofCount()),
				ofIds(PostgresOperationSql.REVIVE, jobs, rows.answer())));
		return rows.handOver(this.gate);
	}

	private Step ofIds(String sql, Collection<UUID> jobs, Answer<?> answer) {
		return new Step(this.schema.in(sql), (parameters) -> parameters.array("uuid", jobs, ID), answer);
	}

	/**
	 * Nothing is kept of what is cancelled this way.
	 */
	@Override
	public ChangeResult delete(Collection<UUID> jobs) {
		CancelledRows deleted = new CancelledRows();
		Map<UUID, @Nullable Duration> unkept = new HashMap<>();
		jobs.forEach((job) -> unkept.put(job, Duration.ZERO));
		run(jobs, List.of(request(unkept, false, new HashSet<>()), deleted.step(this.schema, jobs)));
		deleted.handOver(this.gate);
		return new ChangeResult(Set.copyOf(deleted.ids()), deleted.available(), Map.of());
	}

	@Override
	public ChangeResult deleteArchived(Collection<UUID> jobs) {
		ChangedRows rows = new ChangedRows();
		run(jobs, List.of(ofIds(PostgresOperationSql.DELETE_ARCHIVED, jobs, rows.answer())));
		return rows.handOver(this.gate);
	}

	@Override
	public ChangeResult replay(Map<UUID, UUID> copies) {
		ChangedRows rows = new ChangedRows();
		this.own.run(PostgresSql.BEGIN, List.of(new Step(this.schema.in(PostgresOperationSql.REPLAY),
				(parameters) -> parameters.array("uuid", copies.keySet(), ID).array("uuid", copies.values(), ID),
				rows.answer())));
		return rows.handOver(this.gate);
	}

	/**
	 * Whoever asks for a single job waits for it, and not for several.
	 */
	private void run(Collection<UUID> jobs, List<Step> steps) {
		if (jobs.size() == 1) {
			List<Step> all = new ArrayList<>(steps);
			all.add(0, ofIds(PostgresOperationSql.LOCK, jobs, Answer.ofEachRow((row) -> {
			})));
			this.own.run(PostgresSql.BEGIN_CANCEL, all);
		}
		else if (!jobs.isEmpty()) {
			this.own.run(PostgresSql.BEGIN_SETTLEMENT, steps);
		}
	}

}
