package io.jobqueue.benchmark;

import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.UsageException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Scenarios}.
 */
class ScenariosTests {

	@Test
	void namesAreUnique() {
		assertThat(Scenarios.named(Arguments.of("all", "chaos"))).extracting(Scenario::name).doesNotHaveDuplicates();
	}

	@Test
	void allMeansEveryScenarioThatMeasures() {
		Arguments all = Arguments.of("all");
		assertThat(Scenarios.named(all)).hasSameSizeAs(Scenarios.all(all))
			.extracting(Scenario::name)
			.doesNotContain("chaos");
	}

	@Test
	void unknownNameIsRefusedWithTheKnownOnes() {
		assertThatExceptionOfType(UsageException.class)
			.isThrownBy(() -> Scenarios.named(Arguments.of("drain", "nonsense")))
			.withMessageStartingWith("Unknown scenario 'nonsense'; the known ones are drain, drain-archive,")
			.withMessageEndingWith("all for all of these, and chaos");
	}

}
