package io.jobqueue.store.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.store.FailureText;
import io.jobqueue.store.JobStore.CompletionEffects;
import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Buried;
import io.jobqueue.store.Outcome.Cancelled;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Recorded;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Outcome.RetryLater;
import io.jobqueue.store.Outcome.Snoozed;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Records the outcomes of one worker's jobs: one statement for each kind, and one for
 * claims that end with them, all in one transaction. Where jobs let go of keys, those
 * that wait for these come to the gate in the end of it.
 */
final class Settlement {

	private static final Logger logger = LoggerFactory.getLogger(Settlement.class);

	private final OwnTransaction own;

	private final Schema schema;

	private final KeyGate gate;

	private final UUID worker;

	private final List<Step> steps = new ArrayList<>();

	private final Writing writing = new Writing();

	Settlement(OwnTransaction own, Schema schema, KeyGate gate, UUID worker) {
		this.own = own;
		this.schema = schema;
		this.gate = gate;
		this.worker = worker;
	}

	CompletionResult settle(Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			CompletionEffects consequences) {
		finish(finished(outcomes));
		retryLater(those(RetryLater.class, outcomes));
		release(those(Released.class, outcomes));
		snooze(those(Snoozed.class, outcomes));
		those(Recorded.class, outcomes).forEach((recorded) -> this.writing.recorded(recorded.id()));
		end(endedClaims);
		write(following(consequences));
		cancel(this.writing.requested());
		return this.writing.written();
	}

	private List<Step> following(CompletionEffects consequences) {
		List<Step> following = new ArrayList<>();
		if (!consequences.probes().isEmpty()) {
			following.addAll(new Probing(this.schema, consequences.probes()).steps(this.writing::freed));
		}
		following.addAll(this.gate.handOver(consequences.freed(), this.writing::freed));
		return following;
	}

	/**
	 * Whoever keeps what the rest needs must not hold up the outcomes, nor may whoever
	 * keeps a job locked hold up the rest.
	 */
	private void write(List<Step> following) {
		try {
			run(waiting(following));
		}
		catch (CannotAcquireLockException ex) {
			if (following.isEmpty()) {
				throw ex;
			}
			run(this.steps);
			follow(following);
		}
	}

	private List<Step> waiting(List<Step> following) {
		List<Step> all = new ArrayList<>(this.steps);
		if (!following.isEmpty()) {
			all.add(new Step(PostgresSql.WAIT, (parameters) -> {
			}, Answer.ofEachRow((row) -> {
			})));
			all.addAll(following);
		}
		return all;
	}

	private void follow(List<Step> following) {
		try {
			run(following);
		}
		catch (CannotAcquireLockException ex) {
			logger.debug("Jobs that wait for others are left to the reaper", ex);
		}
	}

	private void run(List<Step> steps) {
		if (!steps.isEmpty()) {
			this.own.run(PostgresSql.BEGIN_SETTLEMENT, steps);
		}
	}

	/**
	 * What was given back although somebody had asked to cancel it is claimed by nobody.
	 */
	private void cancel(List<UUID> jobs) {
		if (!jobs.isEmpty()) {
			CancelledRows rows = new CancelledRows();
			try {
				this.own.run(PostgresSql.BEGIN_SETTLEMENT, List.of(rows.step(this.schema, jobs)));
				rows.handOver(this.gate);
				this.writing.cancelled(rows);
			}
			catch (DataAccessException ex) {
				logger.warn("The jobs {} are to be cancelled, and are left to the reaper: {}", jobs,
						FailureText.of(ex));
				logger.debug("Jobs could not be cancelled", ex);
			}
		}
	}

	private static List<Finished> finished(Collection<? extends Outcome> outcomes) {
		List<Finished> finished = new ArrayList<>();
		those(Completed.class, outcomes).forEach((completed) -> finished.add(Finished.of(completed)));
		those(Buried.class, outcomes).forEach((buried) -> finished.add(Finished.of(buried)));
		those(Cancelled.class, outcomes).forEach((cancelled) -> finished.add(Finished.of(cancelled)));
		return finished;
	}

	private static <T extends Outcome> List<T> those(Class<T> type, Collection<? extends Outcome> outcomes) {
		return outcomes.stream().filter(type::isInstance).map(type::cast).toList();
	}

	private void finish(List<Finished> finished) {
		add(PostgresOutcomeSql.FINISH, finished, (parameters) -> Finished.set(parameters, finished, this.worker),
				this.writing::finished);
	}

	private void retryLater(List<RetryLater> retries) {
		add(PostgresOutcomeSql.RETRY_LATER, retries,
				(parameters) -> parameters.array("uuid", retries, RetryLater::id)
					.array("bigint", retries, RetryLater::claim)
					.array("bigint", retries, (retry) -> Columns.millis(retry.delay()))
					.array("text", retries, RetryLater::error)
					.array("boolean", retries, RetryLater::expected)
					.value(this.worker),
				this.writing::waiting);
	}

	private void release(List<Released> released) {
		add(PostgresOutcomeSql.RELEASE, released,
				(parameters) -> parameters.array("uuid", released, Released::id)
					.array("bigint", released, Released::claim)
					.value(this.worker),
				this.writing::waiting);
	}

	private void snooze(List<Snoozed> snoozed) {
		add(PostgresOutcomeSql.SNOOZE, snoozed,
				(parameters) -> parameters.array("uuid", snoozed, Snoozed::id)
					.array("bigint", snoozed, Snoozed::claim)
					.array("bigint", snoozed, (snooze) -> Columns.millis(snooze.delay()))
					.value(this.worker),
				this.writing::waiting);
	}

	private void add(String sql, List<?> outcomes, Parameters.Setter parameters, RowCallbackHandler row) {
		if (!outcomes.isEmpty()) {
			this.steps.add(new Step(this.schema.in(sql), parameters, Answer.ofEachRow(row)));
		}
	}

	private void end(Collection<Long> claims) {
		if (!claims.isEmpty()) {
			this.steps.add(new Step(this.schema.in(PostgresOutcomeSql.END_CLAIMS),
					(parameters) -> parameters.value(this.worker).array("bigint", claims, (claim) -> claim),
					Answer.ofCount()));
		}
	}

}
