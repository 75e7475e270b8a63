package io.jobqueue.store.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.JobState;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Buried;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Outcome.RetryLater;

/**
 * Records the outcomes of one worker's jobs: one statement for each kind.
 */
final class Settlement {

	private static final ResultSetExtractor<List<UUID>> IDS = new RowMapperResultSetExtractor<>(
			(row, number) -> row.getObject("id", UUID.class));

	private final OwnTransaction.Statements statements;

	private final Schema schema;

	private final UUID worker;

	private final Set<UUID> settled = new HashSet<>();

	Settlement(OwnTransaction.Statements statements, Schema schema, UUID worker) {
		this.statements = statements;
		this.schema = schema;
		this.worker = worker;
	}

	Set<UUID> settle(Collection<? extends Outcome> outcomes, Collection<Long> endedClaims) {
		List<Finished> finished = new ArrayList<>();
		List<RetryLater> retries = new ArrayList<>();
		List<Released> released = new ArrayList<>();
		for (Outcome outcome : outcomes) {
			if (outcome instanceof Completed completed) {
				finished.add(Finished.of(completed));
			}
			else if (outcome instanceof Buried buried) {
				finished.add(Finished.of(buried));
			}
			else if (outcome instanceof RetryLater retry) {
				retries.add(retry);
			}
			else if (outcome instanceof Released release) {
				released.add(release);
			}
		}
		finish(finished);
		retryLater(retries);
		release(released);
		end(endedClaims);
		return this.settled;
	}

	private void finish(List<Finished> finished) {
		write(PostgresSql.FINISH, finished,
				(parameters) -> parameters.array("uuid", finished, Finished::id)
					.array("bigint", finished, Finished::claim)
					.array("text", finished, (job) -> job.state().name())
					.array("text", finished, Finished::error)
					.array("bigint", finished, (job) -> Columns.ofDuration(job.keep()))
					.value(this.worker));
	}

	private void retryLater(List<RetryLater> retries) {
		write(PostgresSql.RETRY_LATER, retries,
				(parameters) -> parameters.array("uuid", retries, RetryLater::id)
					.array("bigint", retries, RetryLater::claim)
					.array("bigint", retries, (retry) -> Columns.millis(retry.delay()))
					.array("text", retries, RetryLater::error)
					.value(this.worker));
	}

	private void release(List<Released> released) {
		write(PostgresSql.RELEASE, released,
				(parameters) -> parameters.array("uuid", released, Released::id)
					.array("bigint", released, Released::claim)
					.value(this.worker));
	}

	private void write(String sql, List<?> outcomes, Parameters.Setter parameters) {
		if (!outcomes.isEmpty()) {
			this.settled.addAll(this.statements.query(this.schema.in(sql), parameters, IDS));
		}
	}

	private void end(Collection<Long> claims) {
		if (!claims.isEmpty()) {
			this.statements.update(this.schema.in(PostgresSql.END_CLAIMS),
					(parameters) -> parameters.value(this.worker).array("bigint", claims, (claim) -> claim));
		}
	}

}
