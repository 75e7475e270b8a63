package io.jobqueue.benchmark.frame;

import java.time.Duration;

import io.jobqueue.benchmark.chaos.Chaos;
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

	@Test
	void countsHaveNoDecimalsAndUnitsInNamesAreNotRepeated() {
		Result result = kept(0).withCount("redelivered", 1_234_567).with("recovery_p99_s", 2);
		assertThat(outcome(result).line()).isEqualTo("RESULT scenario=chaos lost=0 doubled_transactional=0 "
				+ "doubled_at_most_once=0 early=0 miscounted_batches=0 dead_share_at_most_once=0.00 lost_ticks=0 "
				+ "doubled_ticks=0 redelivered=1234567 recovery_p99_s=2.00 bar=lost<=0,doubled_transactional<=0,doubled_at_most_once<=0,early<=0,"
				+ "miscounted_batches<=0,dead_share_at_most_once<=0.5,lost_ticks<=0,doubled_ticks<=0 met=true");
	}

	@Test
	void brokenPromiseIsAFailure() {
		assertThat(outcome(kept(0)).failed()).isFalse();
		assertThat(outcome(kept(1)).failed()).isTrue();
	}

	@Test
	void missedBarThatDependsOnTheMachineIsNoFailure() {
		Outcome slow = new Outcome(Drain.deleting(), Result.in("jobs/s").with("ratio", 0.1));
		assertThat(slow.met()).isFalse();
		assertThat(slow.failed()).isFalse();
	}

	private static Outcome outcome(Result result) {
		return new Outcome(new Chaos(Duration.ZERO, 1), result);
	}

	private static Result kept(long lost) {
		return Result.in("")
			.withCount("lost", lost)
			.withCount("doubled_transactional", 0)
			.withCount("doubled_at_most_once", 0)
			.withCount("early", 0)
			.withCount("miscounted_batches", 0)
			.with("dead_share_at_most_once", 0)
			.withCount("lost_ticks", 0)
			.withCount("doubled_ticks", 0);
	}

}
