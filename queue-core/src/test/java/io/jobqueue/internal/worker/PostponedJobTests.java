package io.jobqueue.internal.worker;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import org.springframework.transaction.CannotCreateTransactionException;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.NoStepResults;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.worker.execution.OutcomePolicy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is said of a transactional job for which no connection can be had.
 */
class PostponedJobTests {

	private final ClaimedJob job = new ClaimedJobBuilder().build();

	private final CannotCreateTransactionException failure = new CannotCreateTransactionException("Could not open",
			new SQLException("No connection left", "08001"));

	@Test
	void logLineHasTheCauseWithoutItsTrace() {
		try (CapturedLog log = new CapturedLog()) {
			assertThat(new OutcomePolicy((queue) -> {
				throw new AssertionError();
			}, NoStepResults.INSTANCE).postponed(this.job, this.failure)).isInstanceOf(Snoozed.class);
			assertThat(log.text("could not start").lines()).satisfiesExactly((line) -> assertThat(line).endsWith(
					"could not start; next attempt in 5s, and this one is not counted: SQLState 08001: No connection left"));
		}
	}

}
