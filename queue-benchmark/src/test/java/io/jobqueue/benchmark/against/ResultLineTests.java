package io.jobqueue.benchmark.against;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link ResultLine}.
 */
class ResultLineTests {

	@Test
	void figuresStandBeforeTheBars() {
		assertThat(ResultLine.figures(
				"RESULT scenario=depth value=66413 unit=jobs/s growth=-0.50 depth_5000000=12.25 bar=p50<=1 met=true"))
			.containsExactly(entry("value", 66413.0), entry("growth", -0.5), entry("depth_5000000", 12.25));
	}

	@Test
	void lineBelongsToTheScenarioOfThatName() {
		assertThat(ResultLine.isOf("drain", "RESULT scenario=drain value=1.00")).isTrue();
		assertThat(ResultLine.isOf("drain", "RESULT scenario=drain-archive value=1.00")).isFalse();
	}

}
