package io.jobqueue.benchmark.transactional;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.transactional.SystemJvm.Kind;
import io.jobqueue.benchmark.transactional.SystemJvm.Rates;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Transactional}, at a tiny scale.
 */
@Tag("slow") // starts applications and a JVM
@Tag("measurement") // a scenario
class TransactionalTests {

	@Test
	void systemsAreMeasuredFreshAndWarm() throws Exception {
		Transactional scenario = new Transactional(TransactionalTests::measure);
		try (BenchmarkDatabase database = BenchmarkDatabase.open()) {
			Outcome outcome = new Outcome(scenario, scenario.run(new Workbench(database, new Scale(0.002, 1))));
			assertThat(outcome.line()).startsWith("RESULT scenario=transactional value=")
				.contains(" floor=", " jpa_ratio=", " outbox_ratio=", " shared_ratio=", " fresh_value=",
						" fresh_outbox_ratio=", " unit=jobs/s", " met=");
			assertThat(outcome.result().figures()).allSatisfy((name, value) -> assertThat(value).isPositive());
		}
	}

	/**
	 * One JVM of its own shows that systems run there.
	 */
	private static Rates measure(Kind system, BenchmarkDatabase database, int jobs) throws Exception {
		return (system == Kind.PLAIN) ? SystemJvm.measure(system, database, jobs)
				: SystemJvm.measureHere(system, database, jobs);
	}

}
