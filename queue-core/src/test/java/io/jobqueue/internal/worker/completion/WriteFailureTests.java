package io.jobqueue.internal.worker.completion;

import java.sql.SQLException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the state of a failed statement says about the outcome.
 */
class WriteFailureTests {

	/**
	 * As of a process that was suspended, of a login that PgBouncer refuses, and of a
	 * disk of the server.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "08006", "25P03", "28P01", "3D000", "57P01", "58030" })
	void failureOfTheSessionOrTheServerIsAnOutage(String state) {
		assertThat(WriteFailure.of(new SQLException("ended", state))).isEqualTo(WriteFailure.OUTAGE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "57014", "25P04", "53200" })
	void limitOfTimeOrMemoryDependsOnTheBatch(String state) {
		assertThat(WriteFailure.of(new SQLException("ended", state))).isEqualTo(WriteFailure.TOO_LARGE);
	}

}
