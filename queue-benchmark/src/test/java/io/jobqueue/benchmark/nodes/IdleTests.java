package io.jobqueue.benchmark.nodes;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Idle}, for some seconds.
 */
@Tag("slow") // starts JVMs
@Tag("measurement") // a scenario
class IdleTests {

	@Test
	void requestsOfNodesAreCounted() throws Exception {
		Idle scenario = new Idle(Duration.ofMinutes(1), List.of("jobqueue.worker.heartbeat-interval=1s"));
		try (BenchmarkDatabase database = BenchmarkDatabase.open()) {
			Outcome outcome = new Outcome(scenario, scenario.run(new Workbench(database, new Scale(0.04, 1))));
			assertThat(outcome.line()).startsWith("RESULT scenario=idle trips=")
				.contains(" server_ms=", " bytes=", " rest_ms=", " seconds=2 ", "trips<=12,server_ms<=2");
			assertThat(outcome.result().figure("trips")).isBetween(6.0, 1_500.0);
		}
	}

}
