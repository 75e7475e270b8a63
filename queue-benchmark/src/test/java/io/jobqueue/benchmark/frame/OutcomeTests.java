package io.jobqueue.benchmark.frame;

import io.jobqueue.benchmark.drain.Drain;
import io.jobqueue.benchmark.latency.Latency;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Outcome}.
 */
class OutcomeTests {

	@Test
	void lineBeginsWithValueUnitFloorAndRatio() {
		Result result = Result.in("jobs/s").with("value", 95_000.4).with("floor", 50_000).with("ratio", 1.9);
		assertThat(new Outcome(Drain.deleting(), result).line())
			.isEqualTo("RESULT scenario=drain value=95000 unit=jobs/s floor=50000 ratio=1.90 bar=1.3 met=true");
	}

	@Test
	void lineWithoutValueEndsWithUnitAndAllBars() {
		Result result = Result.in("ms").with("p50", 0.5).with("p99", 3).with("p50_other_jvm", 2);
		assertThat(new Outcome(new Latency(), result).line()).isEqualTo("RESULT scenario=latency p50=0.50 p99=3.00 "
				+ "p50_other_jvm=2.00 unit=ms bar=p50<=0.7,p99<=2.5,p50_other_jvm<=2.5 met=false");
	}

}
