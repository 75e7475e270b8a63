package io.jobqueue.benchmark.waiting;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Waiting}, at a tiny scale.
 */
@Tag("slow") // runs handlers that wait
@Tag("measurement") // a scenario
class WaitingTests {

	@Test
	void handlersWaitAtTheSameTime() throws Exception {
		Waiting scenario = new Waiting(1_000, 1_200);
		try (BenchmarkDatabase database = BenchmarkDatabase.open()) {
			Outcome outcome = new Outcome(scenario, scenario.run(new Workbench(database, new Scale(0.01, 1))));
			assertThat(outcome.line()).startsWith("RESULT scenario=waiting value=")
				.contains(" ratio=", " threads=", " connections=", " heap_mib=", " many_value=", " bar=0.9 met=");
			assertThat(outcome.result().figure("value")).isGreaterThan(100);
		}
	}

}
