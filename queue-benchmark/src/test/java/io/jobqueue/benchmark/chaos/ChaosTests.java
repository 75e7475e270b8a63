package io.jobqueue.benchmark.chaos;

import java.time.Duration;

import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Chaos}, for as long as it takes until something has broken.
 */
@Timeout(600)
@Tag("slow") // kills JVMs
class ChaosTests {

	private static final Workbench UNUSED = new Workbench(BenchmarkDatabase.at("unused"), new Scale(1, 1));

	private static final int SECONDS = Integer.getInteger("chaos.seconds", 8);

	private static final long SEED = Long.getLong("chaos.seed", 1);

	@Test
	void jobsSurviveAMomentOfIt() throws Exception {
		Chaos chaos = new Chaos(Duration.ofSeconds(SECONDS), SEED);
		Outcome outcome = new Outcome(chaos, chaos.run(UNUSED));
		assertThat(outcome.line()).as("chaos with seed %d", SEED)
			.matches("RESULT scenario=chaos seconds=" + SECONDS + " faults=\\d+ jobs=\\d+ lost=0 "
					+ "doubled_transactional=0 doubled_at_most_once=0 early=0 batches=\\d+ miscounted_batches=0 "
					+ "redelivered=\\d+ recovery_p99_s=\\d+\\.\\d\\d dead_share_at_most_once=0\\.\\d\\d "
					+ "ticks=\\d+ lost_ticks=0 doubled_ticks=0 bar=\\S+ met=true");
		assertThat(outcome.result().figure("faults")).isBetween(1.0, (double) SECONDS);
		assertThat(outcome.result().figure("jobs")).isGreaterThan(20);
		assertThat(outcome.result().figure("batches")).isPositive();
		assertThat(outcome.result().figure("ticks")).isPositive();
	}

}
