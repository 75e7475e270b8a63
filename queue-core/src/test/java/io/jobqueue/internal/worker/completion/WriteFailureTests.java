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
	 * As that of a process that was suspended, which writes the outcome again.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "25P03", "25P04", "57P01" })
	void sessionThatTheServerHasEndedIsAnOutage(String state) {
		assertThat(WriteFailure.of(new SQLException("ended", state))).isEqualTo(WriteFailure.OUTAGE);
	}

}
