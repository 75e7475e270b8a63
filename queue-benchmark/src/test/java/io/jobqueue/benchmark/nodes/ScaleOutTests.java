package io.jobqueue.benchmark.nodes;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScaleOut}, at a tiny scale.
 */
@Tag("slow") // starts JVMs
@Tag("measurement") // a scenario
class ScaleOutTests {

	@Test
	void processesAreMeasured() throws Exception {
		ScaleOut scenario = ScaleOut.to(1);
		try (BenchmarkDatabase database = BenchmarkDatabase.open()) {
			Outcome outcome = new Outcome(scenario, scenario.run(new Workbench(database, new Scale(0.002, 1))));
			assertThat(outcome.line()).startsWith("RESULT scenario=scale-out value=")
				.contains("rate_1=", "looks_1=", "looks_20_queues=", " unit=jobs/s ", " met=");
		}
	}

}
