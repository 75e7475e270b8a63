package io.jobqueue.benchmark.nodes;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * As many processes work as are asked to.
 */
class WorkerNodesTests {

	private static final int JOBS = 100;

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void drainWithTheGivenNumberOfProcesses(int count) throws Exception {
		try (BenchmarkDatabase database = BenchmarkDatabase.open();
				WorkerNodes nodes = new WorkerNodes(database, List.of(), 2)) {
			AtomicInteger most = new AtomicInteger();
			Backlog.DUE.fill(database, JOBS);
			nodes.drain(count, JOBS, () -> {
				most.accumulateAndGet(workers(database), Math::max);
				return most.get() < count || database.hasJobs();
			});
			assertThat(most).hasValue(count);
		}
	}

	@Test
	void idleWithTheGivenNumberOfProcesses() throws Exception {
		try (BenchmarkDatabase database = BenchmarkDatabase.open();
				WorkerNodes nodes = new WorkerNodes(database, List.of(), 2)) {
			assertThat(nodes.idle(2,
					() -> await().atMost(ofMinutes(1)).until(() -> workers(database), (workers) -> workers >= 2)))
				.isEqualTo(2);
		}
	}

	private static int workers(BenchmarkDatabase database) {
		return database.sql().sql("SELECT count(*) FROM jobqueue_worker").query(Integer.class).single();
	}

}
