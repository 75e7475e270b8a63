package io.jobqueue.internal.logging;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Durations are written as settings write them.
 */
class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S,0ms", "PT0.5S,500ms", "PT0.0004S,0ms", "PT0.0006S,1ms", "PT1S,1s", "PT1.5S,1s 500ms",
			"PT1.0006S,1s", "PT25S,25s", "PT1M26.9S,1m 26s", "PT30M,30m", "PT2H5M,2h 5m", "PT1H0M5S,1h", "PT96H,4d",
			"PT97H30M,4d 1h", "P36500D,36500d", "PT-25S,-25s", "PT0.9996S,1s" })
	void isWrittenInItsTwoLargestUnits(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

}
