package io.jobqueue.store.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClaimedJobs;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outlook;
import io.jobqueue.store.QueueDemand;

/**
 * The jobs of a PostgreSQL database.
 */
final class PostgresJobStore implements JobStore {

	private final JdbcTemplate jdbc;

	private final OwnTransaction own;

	private final Schema schema;

	PostgresJobStore(DataSource dataSource, Schema schema) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
	}

	@Override
	public void enqueue(List<NewJob> jobs) {
		for (List<NewJob> portion : Portions.of(jobs)) {
			this.jdbc.update(this.schema.in(PostgresSql.ENQUEUE),
					(statement) -> newJobs(new Parameters(statement), portion));
		}
	}

	private void newJobs(Parameters parameters, List<NewJob> jobs) throws SQLException {
		parameters.array("uuid", jobs, NewJob::id)
			.array("text", jobs, NewJob::queue)
			.array("text", jobs, NewJob::type)
			.array("text", jobs, (job) -> job.payload().text())
			.bytes(jobs, (job) -> job.payload().bytes())
			.array("smallint", jobs, NewJob::priority)
			.array("bigint", jobs, (job) -> Columns.ofInstant(job.runAt()))
			.array("bigint", jobs, (job) -> Columns.millis(job.delay()))
			.array("integer", jobs, NewJob::maxAttempts)
			.array("bigint", jobs, (job) -> Columns.ofDuration(job.maxRunTime()))
			.array("text", jobs, NewJob::headers);
	}

	@Override
	public ClaimedJobs claim(UUID worker, Collection<QueueDemand> demands) {
		return this.own.query(PostgresSql.BEGIN_CLAIM, this.schema.in(PostgresSql.CLAIM), (parameters) -> {
			handled(parameters, demands);
			parameters.array("text", demands, QueueDemand::queue)
				.array("bigint", demands, QueueDemand::claim)
				.array("integer", demands, QueueDemand::free)
				.array("integer", demands, (demand) -> demand.free() + demand.prefetch())
				.array("integer", demands, QueueDemand::maxAttempts)
				.array("bigint", demands, (demand) -> Columns.ofDuration(demand.maxRunTime()))
				.array("bigint", demands, (demand) -> Columns.ofDuration(demand.keepDead()));
			priorities(parameters, demands);
			parameters.value(worker).value(worker).value(worker);
		}, new ClaimedJobsExtractor());
	}

	@Override
	public void giveBack(UUID worker, Collection<Long> claims) {
		this.own.run(PostgresSql.BEGIN, (statements) -> statements.update(this.schema.in(PostgresSql.GIVE_BACK),
				(parameters) -> parameters.value(worker).array("bigint", claims, (claim) -> claim)));
	}

	@Override
	public Outlook outlook(Collection<QueueDemand> demands) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(PostgresSql.OUTLOOK), (parameters) -> {
			parameters.array("text", demands, QueueDemand::queue);
			priorities(parameters, demands);
			handled(parameters, demands);
		}, new OutlookExtractor());
	}

	private static void handled(Parameters parameters, Collection<QueueDemand> demands) throws SQLException {
		List<Map.Entry<String, String>> handled = demands.stream()
			.flatMap((demand) -> demand.types().stream().map((type) -> Map.entry(demand.queue(), type)))
			.toList();
		parameters.array("text", handled, Map.Entry<String, String>::getKey)
			.array("text", handled, Map.Entry<String, String>::getValue);
	}

	private static void priorities(Parameters parameters, Collection<QueueDemand> demands) throws SQLException {
		parameters.array("smallint", demands, QueueDemand::minPriority)
			.array("smallint", demands, QueueDemand::maxPriority);
	}

	@Override
	public boolean renew(UUID worker, ClaimedJob job, Duration duration) {
		return this.own.run(PostgresSql.BEGIN,
				(statements) -> statements.update(this.schema.in(PostgresSql.RENEW),
						(parameters) -> parameters.value(duration.toMillis())
							.value(job.id())
							.value(job.claim())
							.value(worker))) > 0;
	}

	@Override
	public Set<UUID> settle(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims) {
		return this.own.run(PostgresSql.BEGIN,
				(statements) -> new Settlement(statements, this.schema, worker).settle(outcomes, endedClaims));
	}

}
