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
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimRequest.AttemptLimits;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.ClusterLimits.Rate;
import io.jobqueue.store.JobPosition;
import io.jobqueue.store.Tier;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Claims jobs, within the limits of all workers together where there are any.
 */
final class Claims {

	private static final Logger logger = LoggerFactory.getLogger(Claims.class);

	private final OwnTransaction own;

	private final Schema schema;

	Claims(OwnTransaction own, Schema schema) {
		this.own = own;
		this.schema = schema;
	}

	/**
	 * A claim that is lost in a crash of the server would not be counted by a limit.
	 * Whoever cannot have its turn has other queues to serve.
	 */
	ClaimResult claim(UUID worker, ClaimRequest demand) {
		Answer<ClaimResult> claimed = Answer.ofRows(new ClaimedJobsExtractor(demand));
		Step claiming = step(PostgresSql.CLAIM, (parameters) -> setClaim(parameters, worker, demand), claimed);
		String begin = demand.onceTypes().isEmpty() ? PostgresSql.BEGIN_CLAIM : PostgresSql.BEGIN_DURABLE_CLAIM;
		try {
			return claim(worker, demand, List.of(claiming), claimed,
					(steps) -> this.own.run(demand.limits().isNone() ? begin : PostgresSql.BEGIN_LIMITED_CLAIM, steps));
		}
		catch (CannotAcquireLockException ex) {
			logger.debug("Others are claiming from queue {}", demand.queue(), ex);
			return ClaimResult.none(QueueLock.TRY_AGAIN_IN);
		}
	}

	/**
	 * Claim in a way of its own, within the limits nonetheless.
	 */
	ClaimResult claim(UUID worker, ClaimRequest demand, List<Step> claiming, Answer<ClaimResult> claimed,
			Consumer<List<Step>> transaction) {
		Answer<Optional<Duration>> untilAllowed = Answer.ofRows(Claims::untilAllowed);
		transaction.accept(withinLimits(worker, demand, claiming, untilAllowed));
		return demand.limits().isNone() ? claimed.get()
				: untilAllowed.get().map(claimed.get()::withNextDueIn).orElseGet(claimed::get);
	}

	private List<Step> withinLimits(UUID worker, ClaimRequest demand, List<Step> claiming, Answer<?> untilAllowed) {
		if (demand.limits().isNone()) {
			return claiming;
		}
		List<Step> steps = new ArrayList<>(
				List.of(QueueLock.LIMITS.of(Set.of(demand.queue()), this.schema), allowing(demand, untilAllowed)));
		steps.addAll(claiming);
		Rate rate = demand.limits().rate();
		if (rate != null) {
			steps.add(noting(worker, demand, rate));
		}
		return steps;
	}

	private Step allowing(ClaimRequest demand, Answer<?> untilAllowed) {
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

	private static void setClaim(Parameters parameters, UUID worker, ClaimRequest demand) throws SQLException {
		parameters.value(demand.queue())
			.array("text", demand.types(), (type) -> type)
			.array("text", demand.onceTypes(), (type) -> type)
			.value(demand.claim())
			.value(demand.free())
			.value(demand.quota())
			.value(demand.bytes())
			.value(demand.maxAttempts())
			.number(Columns.ofDuration(demand.maxRunTime()))
			.number(Columns.ofDuration(demand.keepDead()));
		floors(parameters, demand.floors().entrySet());
		typeLimits(parameters, demand.typeLimits().entrySet());
		parameters.value(worker);
	}

	static void typeLimits(Parameters parameters, Collection<Map.Entry<String, AttemptLimits>> limits)
			throws SQLException {
		parameters.array("text", limits, Map.Entry::getKey)
			.array("integer", limits, (limit) -> limit.getValue().maxAttempts())
			.array("bigint", limits, (limit) -> Columns.ofDuration(limit.getValue().maxRunTime()));
	}

	private static void floors(Parameters parameters, Collection<Map.Entry<Tier, JobPosition>> floors)
			throws SQLException {
		parameters.array("smallint", floors, (floor) -> floor.getKey().priority())
			.array("bigint", floors, (floor) -> Columns.ofInstant(floor.getValue().runAt()))
			.array("bigint", floors, (floor) -> floor.getValue().seq());
	}

	private Step noting(UUID worker, ClaimRequest demand, Rate rate) {
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
