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
	 * As of a process that was suspended, or of a primary that is a standby now.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "08006", "25006", "25P03", "40001", "53300", "57P01" })
	void failureOfTheSessionOrTheServerIsAnOutage(String state) {
		assertThat(WriteFailure.of(new SQLException("ended", state))).isEqualTo(WriteFailure.OUTAGE);
	}

	/**
	 * A login that PgBouncer refuses fails for all outcomes, a damaged block for some of
	 * them: they are isolated, and kept for an hour.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "28P01", "3D000", "42501", "58030" })
	void whatAnOperatorCanMendIsKept(String state) {
		assertThat(WriteFailure.of(new SQLException("denied", state))).isEqualTo(WriteFailure.DENIED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "57014", "25P04", "53200" })
	void limitOfTimeOrMemoryDependsOnTheBatch(String state) {
		assertThat(WriteFailure.of(new SQLException("ended", state))).isEqualTo(WriteFailure.TOO_LARGE);
	}

}
