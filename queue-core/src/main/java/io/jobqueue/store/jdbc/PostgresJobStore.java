package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobPosition;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.JobStore.AdmissionResult;
import io.jobqueue.store.JobStore.AdmissionRules;
import io.jobqueue.store.JobStore.ClaimedRange;
import io.jobqueue.store.JobStore.CompletionEffects;
import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.JobStore.EnqueueResult;
import io.jobqueue.store.JobStore.ProgressReport;
import io.jobqueue.store.JobStore.ServedQueue;
import io.jobqueue.store.JobStore.SingleClaimResult;
import io.jobqueue.store.JobStore.TierBacklog;
import io.jobqueue.store.JobStore.TierBacklog.UnknownJobs;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * The jobs of a PostgreSQL database.
 */
final class PostgresJobStore implements JobStore {

	private final JdbcTemplate jdbc;

	private final Inserts inserts;

	private final KeyedInserts keyedInserts;

	private final Claims claims;

	private final Picks picks;

	private final OwnTransaction own;

	private final KeyGate gate;

	private final Schema schema;

	PostgresJobStore(DataSource dataSource, Schema schema) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.inserts = new Inserts(this.jdbc, schema);
		this.keyedInserts = new KeyedInserts(this.jdbc, schema);
		this.own = new OwnTransaction(dataSource);
		this.gate = new KeyGate(this.own, schema);
		this.claims = new Claims(this.own, schema);
		this.picks = new Picks(this.own, schema, this.gate, this.claims);
		this.schema = schema;
	}

	@Override
	public EnqueueResult enqueue(List<NewJob> jobs) {
		return KeyedInserts.isNeededFor(jobs) ? this.keyedInserts.write(jobs) : this.inserts.write(jobs);
	}

	@Override
	public ClaimResult claim(UUID worker, ClaimRequest demand) {
		return this.claims.claim(worker, demand);
	}

	@Override
	public SingleClaimResult claimOne(UUID worker, UUID job, ClaimRequest demand, @Nullable AdmissionRules keys) {
		return this.picks.claim(worker, job, demand, keys);
	}

	@Override
	public AdmissionResult admit(String queue, AdmissionRules rules) {
		return this.gate.admit(queue, rules);
	}

	@Override
	public JobPosition skip(UUID worker, ClaimedRange stretch) {
		JobPosition limit = stretch.limit();
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresSql.SKIP),
				(parameters) -> parameters.number(Columns.ofInstant(stretch.from().runAt()))
					.number(stretch.from().seq())
					.value(worker)
					.value(stretch.tier().queue())
					.value(stretch.tier().priority())
					.number(Columns.ofInstant(stretch.since()))
					.number((limit != null) ? Columns.ofInstant(limit.runAt()) : null)
					.number((limit != null) ? limit.seq() : null),
				(rows) -> rows.next() ? Columns.position(rows) : stretch.from());
	}

	@Override
	public Collection<JobsAvailable> giveBack(UUID worker, Collection<Long> claims) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresSql.GIVE_BACK),
				(parameters) -> parameters.value(worker).array("bigint", claims, (claim) -> claim),
				new RowMapperResultSetExtractor<>((row, number) -> Columns.arrival(row)));
	}

	@Override
	public List<TierBacklog> survey(Collection<ServedQueue> queues) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresSql.SURVEY), (parameters) -> {
			parameters.array("text", queues, ServedQueue::queue)
				.array("text", queues, (queue) -> names(queue.types()))
				.array("smallint", queues, ServedQueue::minPriority)
				.array("smallint", queues, ServedQueue::maxPriority);
		}, new RowMapperResultSetExtractor<>((row, number) -> new TierBacklog(Columns.tier(row), Columns.position(row),
				Columns.dueIn(row), unknown(row), Columns.fromNow(row, "judge_in_millis"))));
	}

	private static @Nullable UnknownJobs unknown(ResultSet row) throws SQLException {
		String type = row.getString("unknown_type");
		return (type != null) ? new UnknownJobs(type, row.getLong("unknown_jobs")) : null;
	}

	/**
	 * Names of types hold no line break.
	 */
	private static String names(Set<String> types) {
		return String.join("\n", types);
	}

	@Override
	public boolean renew(UUID worker, ClaimedJob job, Duration duration) {
		return this.own.update(PostgresSql.BEGIN, this.schema.in(PostgresOutcomeSql.RENEW),
				(parameters) -> parameters.value(Columns.millis(duration))
					.value(job.id())
					.value(job.claim())
					.value(worker)) > 0;
	}

	@Override
	public Set<UUID> report(UUID worker, Collection<ProgressReport> reports) {
		return Set.copyOf(this.own.query(PostgresSql.BEGIN_CLAIM, this.schema.in(PostgresOutcomeSql.REPORT),
				(parameters) -> parameters.array("uuid", reports, ProgressReport::id)
					.array("bigint", reports, ProgressReport::claim)
					.array("integer", reports, ProgressReport::percent)
					.array("text", reports, ProgressReport::message)
					.value(worker),
				new RowMapperResultSetExtractor<>((row, number) -> row.getObject("id", UUID.class))));
	}

	@Override
	public CompletionResult complete(UUID worker, Completed outcome) {
		List<Finished> finished = List.of(Finished.of(outcome));
		Writing writing = new Writing();
		this.jdbc.query(this.schema.in(PostgresOutcomeSql.FINISH),
				(statement) -> Finished.set(new Parameters(statement), finished, worker), writing::finished);
		return writing.written();
	}

	@Override
	public CompletionResult settle(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			CompletionEffects consequences) {
		return new Settlement(this.own, this.schema, this.gate, worker).settle(outcomes, endedClaims, consequences);
	}

	@Override
	public Set<UUID> locked(Collection<UUID> jobs) {
		return Set.copyOf(this.own.query(PostgresSql.BEGIN_SETTLEMENT, this.schema.in(PostgresOutcomeSql.LOCKED),
				(parameters) -> parameters.array("uuid", jobs, (job) -> job).array("uuid", jobs, (job) -> job),
				new RowMapperResultSetExtractor<>((row, number) -> row.getObject("id", UUID.class))));
	}

	@Override
	public Set<Long> keep(UUID worker, Collection<Long> claims, Duration time) {
		return Set.copyOf(this.own.query(PostgresSql.BEGIN_SETTLEMENT, this.schema.in(PostgresOutcomeSql.KEEP),
				(parameters) -> parameters.value(time.toMillis())
					.value(worker)
					.array("bigint", claims, (claim) -> claim),
				new RowMapperResultSetExtractor<>((row, number) -> row.getLong("claim"))));
	}

	@Override
	public Collection<JobsAvailable> letRetriesOut(Collection<String> queues) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresProbeSql.LET_ALL_OUT),
				(parameters) -> parameters.array("text", queues, (queue) -> queue),
				new RowMapperResultSetExtractor<>((row, number) -> Columns.arrival(row)));
	}

}
