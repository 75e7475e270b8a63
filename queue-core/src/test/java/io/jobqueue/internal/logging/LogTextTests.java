package io.jobqueue.internal.logging;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What stands in lines of the log.
 */
class LogTextTests {

	@Test
	void oneIsSingular() {
		assertThat(LogText.counted(0, "job")).isEqualTo("0 jobs");
		assertThat(LogText.counted(1, "job")).isEqualTo("1 job");
		assertThat(LogText.counted(2, "job")).isEqualTo("2 jobs");
	}

}
