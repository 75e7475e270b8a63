package io.jobqueue.store.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.transaction.TransactionException;

import io.jobqueue.store.FailureText;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.MonitoringStore.TypeFailures;
import io.jobqueue.store.MonitoringStore.WorkerCount;
import io.jobqueue.store.Tier;
import io.jobqueue.store.jdbc.LastLook.Cost;

/**
 * The gauges of a PostgreSQL database. Counts are exact up to a cap; beyond it they are
 * the planner's estimate, which is as old as the last ANALYZE.
 */
final class PostgresGaugeStore implements MonitoringStore {

	static final int TIER_CAP = 1_000;

	/**
	 * Looks and counts that take longer are continued from where they got.
	 */
	private static final Duration COSTLY = Duration.ofMillis(10);

	private static final Logger logger = LoggerFactory.getLogger(PostgresGaugeStore.class);

	private final OwnTransaction own;

	private final Schema schema;

	private final Duration costly;

	private final LongSupplier nanoTime;

	private volatile LastLook lastLook = LastLook.NONE;

	private volatile LastCount lastCount = LastCount.NONE;

	private volatile boolean miscounting;

	PostgresGaugeStore(DataSource dataSource, Schema schema) {
		this(dataSource, schema, COSTLY, System::nanoTime);
	}

	PostgresGaugeStore(DataSource dataSource, Schema schema, Duration costly, LongSupplier nanoTime) {
		this.own = new OwnTransaction(dataSource);
		this.schema = schema;
		this.costly = costly;
		this.nanoTime = nanoTime;
	}

	@Override
	public GaugeSnapshot look(Collection<String> queues) {
		return nextLook(queues).reading();
	}

	private LastLook nextLook(Collection<String> queues) {
		LastLook previous = this.lastLook;
		LastLook next = previous.mayBeContinued(this.nanoTime.getAsLong(), queues) ? continued(previous)
				: full(queues, previous);
		this.lastLook = next;
		return next;
	}

	private LastLook full(Collection<String> queues, LastLook previous) {
		long begun = this.nanoTime.getAsLong();
		try {
			return previous.followedBy(full(queues, begun));
		}
		catch (QueryTimeoutException ex) {
			if (!previous.hasPlaces()) {
				throw ex;
			}
			logger.debug("A look at all jobs took too long; the previous one is continued", ex);
			this.lastLook = previous.followedByOneThatWasGivenUp(begun);
			return continued(this.lastLook);
		}
	}

	private LastLook full(Collection<String> queues, long begun) {
		List<SeenTier> tiers = query(PostgresGaugeSql.LOOK,
				(parameters) -> parameters.value(TIER_CAP).array("text", queues, (queue) -> queue).value(TIER_CAP),
				(row, number) -> SeenTier.of(row));
		return new LastLook(tiers, Set.copyOf(queues), tiers.size() < TIER_CAP, begun,
				tookLongSince(begun) ? Cost.HIGH : Cost.LOW);
	}

	private LastLook continued(LastLook previous) {
		return previous.continued(query(PostgresGaugeSql.LOOK_AGAIN,
				(parameters) -> SeenTier.set(parameters, previous.tiers()), (row, number) -> SeenTier.of(row)));
	}

	@Override
	public GaugeSnapshot read(Collection<String> queues) {
		LastLook look = nextLook(queues);
		try {
			GaugeSnapshot reading = look.reading(count(look.tiers()));
			recovered();
			return reading;
		}
		catch (DataAccessException | TransactionException ex) {
			report(ex);
			return look.reading();
		}
	}

	private List<TierCounts> count(List<SeenTier> tiers) {
		if (tiers.isEmpty()) {
			return List.of();
		}
		return new PlannerEstimates(this.own, this.schema).complete(nextCount(tiers).tiers());
	}

	private LastCount nextCount(List<SeenTier> tiers) {
		LastCount previous = this.lastCount;
		long begun = this.nanoTime.getAsLong();
		LastCount next = previous.mayBeContinued(begun) ? previous.continued(cappedCount(tiers, previous))
				: new LastCount(cappedCount(tiers, LastCount.NONE), begun, tookLongSince(begun));
		this.lastCount = next;
		return next;
	}

	private List<CappedTier> cappedCount(List<SeenTier> tiers, LastCount previous) {
		return query(PostgresGaugeSql.COUNT, (parameters) -> previous.set(parameters, tiers),
				(row, number) -> CappedTier.of(row));
	}

	private boolean tookLongSince(long begun) {
		return this.nanoTime.getAsLong() - begun > this.costly.toNanos();
	}

	private void report(Exception failure) {
		if (!this.miscounting) {
			logger.warn("Jobs cannot be counted; their numbers are unknown until they can: {}",
					FailureText.of(failure));
		}
		logger.debug("Counting jobs fails", failure);
		this.miscounting = true;
	}

	private void recovered() {
		if (this.miscounting) {
			logger.info("Jobs can be counted again");
		}
		this.miscounting = false;
	}

	@Override
	public List<TypeFailures> failuresByType(Collection<Tier> tiers) {
		return query(PostgresGaugeSql.FAILURES_BY_TYPE,
				(parameters) -> parameters.value(tiers.size())
					.array("text", tiers, Tier::queue)
					.array("smallint", tiers, Tier::priority),
				(row, number) -> new TypeFailures(new Tier(row.getString("queue"), row.getInt("priority")),
						row.getString("type"), row.getInt("max_failures"), row.getInt("unread")));
	}

	@Override
	public List<String> servedQueues() {
		return query(PostgresGaugeSql.SERVED_QUEUES, (parameters) -> {
		}, (row, number) -> row.getString(1));
	}

	@Override
	public WorkerCount workers(String name) {
		return query(PostgresGaugeSql.WORKERS, (parameters) -> parameters.value(name),
				(row, number) -> new WorkerCount(row.getLong("living"), row.getLong("here")))
			.get(0);
	}

	private <T> List<T> query(String sql, Parameters.Setter parameters, RowMapper<T> mapper) {
		return this.own.query(PostgresGaugeSql.BEGIN, this.schema.in(sql), parameters,
				new RowMapperResultSetExtractor<>(mapper));
	}

}
