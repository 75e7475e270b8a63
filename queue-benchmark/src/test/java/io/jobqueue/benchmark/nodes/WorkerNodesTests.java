package io.jobqueue.benchmark.nodes;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * As many processes work as are asked to.
 */
@Tag("slow") // starts JVMs
@Tag("measurement") // a scenario
class WorkerNodesTests {

	private static final int JOBS = 100;

	private static BenchmarkDatabase database;

	private static WorkerNodes nodes;

	@BeforeAll
	static void start() throws IOException {
		database = BenchmarkDatabase.open();
		nodes = new WorkerNodes(database, 2);
	}

	@AfterAll
	static void stop() throws IOException {
		nodes.close();
		database.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void drainWithTheGivenNumberOfProcesses(int count) throws Exception {
		AtomicInteger most = new AtomicInteger();
		Backlog.DUE.fill(database, JOBS);
		nodes.drain(count, JOBS, () -> {
			most.accumulateAndGet(workers(), Math::max);
			return most.get() < count || database.hasJobs();
		});
		assertThat(most).hasValue(count);
	}

	@Test
	void idleWithTheGivenNumberOfProcesses() throws Exception {
		assertThat(nodes.idle(2, () -> await().atMost(ofMinutes(1)).until(() -> workers(), (workers) -> workers >= 2)))
			.isEqualTo(2);
	}

	private static int workers() {
		return database.sql().sql("SELECT count(*) FROM jobqueue_worker").query(Integer.class).single();
	}

}
