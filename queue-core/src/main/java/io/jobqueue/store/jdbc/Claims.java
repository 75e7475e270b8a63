package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.store.ClaimedJobs;
import io.jobqueue.store.ClusterLimits.Rate;
import io.jobqueue.store.Position;
import io.jobqueue.store.QueueDemand;
import io.jobqueue.store.Tier;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Claims jobs, within the limits of all workers together where there are any.
 */
final class Claims {

	private static final Logger logger = LoggerFactory.getLogger(Claims.class);

	private static final Duration SOON = Duration.ofMillis(100);

	private final OwnTransaction own;

	private final Schema schema;

	Claims(OwnTransaction own, Schema schema) {
		this.own = own;
		this.schema = schema;
	}

	ClaimedJobs claim(UUID worker, QueueDemand demand) {
		return demand.limits().isNone() ? claimAtWill(worker, demand) : claimWithinLimits(worker, demand);
	}

	private ClaimedJobs claimAtWill(UUID worker, QueueDemand demand) {
		Answer<ClaimedJobs> claimed = Answer.ofRows(new ClaimedJobsExtractor(demand));
		String begin = demand.onceTypes().isEmpty() ? PostgresSql.BEGIN_CLAIM : PostgresSql.BEGIN_DURABLE_CLAIM;
		this.own.run(begin, List.of(claiming(worker, demand, claimed)));
		return claimed.get();
	}

	/**
	 * A claim that is lost in a crash of the server would not be counted. Whoever cannot
	 * have its turn, perhaps because the worker that has it was stopped by its system,
	 * has other queues to serve.
	 */
	private ClaimedJobs claimWithinLimits(UUID worker, QueueDemand demand) {
		Answer<Optional<Duration>> untilAllowed = Answer.ofRows(Claims::untilAllowed);
		Answer<ClaimedJobs> claimed = Answer.ofRows(new ClaimedJobsExtractor(demand));
		List<Step> steps = new ArrayList<>(List.of(QueueLock.LIMITS.of(Set.of(demand.queue()), this.schema),
				allowing(demand, untilAllowed), claiming(worker, demand, claimed)));
		Rate rate = demand.limits().rate();
		if (rate != null) {
			steps.add(noting(worker, demand, rate));
		}
		try {
			this.own.run(PostgresSql.BEGIN_LIMITED_CLAIM, steps);
		}
		catch (CannotAcquireLockException ex) {
			logger.debug("Others are claiming from queue {}", demand.queue(), ex);
			return ClaimedJobs.none(SOON);
		}
		return untilAllowed.get().map(claimed.get()::withNextDueIn).orElseGet(claimed::get);
	}

	private Step allowing(QueueDemand demand, Answer<?> untilAllowed) {
		Rate rate = demand.limits().rate();
		return step(PostgresLimitSql.ALLOW,
				(parameters) -> parameters.value(demand.queue())
					.number(demand.limits().concurrency())
					.number((rate != null) ? rate.limit() : null)
					.number((rate != null) ? Columns.millis(rate.period()) : null),
				untilAllowed);
	}

	private static Optional<Duration> untilAllowed(ResultSet rows) throws SQLException {
		return rows.next() ? Optional.ofNullable(Columns.dueIn(rows)) : Optional.empty();
	}

	private Step claiming(UUID worker, QueueDemand demand, Answer<ClaimedJobs> claimed) {
		return step(PostgresSql.CLAIM, (parameters) -> {
			parameters.value(demand.queue())
				.array("text", demand.types(), (type) -> type)
				.array("text", demand.onceTypes(), (type) -> type)
				.value(demand.claim())
				.value(demand.free())
				.value(demand.quota())
				.value(demand.maxAttempts())
				.number(Columns.ofDuration(demand.maxRunTime()))
				.number(Columns.ofDuration(demand.keepDead()));
			floors(parameters, demand.floors().entrySet());
			parameters.value(worker);
		}, claimed);
	}

	private static void floors(Parameters parameters, Collection<Map.Entry<Tier, Position>> floors)
			throws SQLException {
		parameters.array("smallint", floors, (floor) -> floor.getKey().priority())
			.array("bigint", floors, (floor) -> Columns.ofInstant(floor.getValue().runAt()))
			.array("bigint", floors, (floor) -> floor.getValue().seq());
	}

	private Step noting(UUID worker, QueueDemand demand, Rate rate) {
		return step(PostgresLimitSql.NOTE,
				(parameters) -> parameters.value(demand.queue())
					.value(Columns.millis(rate.period()))
					.value(worker)
					.value(demand.claim()),
				Answer.ofCount());
	}

	private Step step(String sql, Parameters.Setter parameters, Answer<?> answer) {
		return new Step(this.schema.in(sql), parameters, answer);
	}

}
