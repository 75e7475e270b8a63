package io.jobqueue.internal.dependency;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In random graphs of up to 30 jobs, no job runs before its predecessors, none succeeds
 * twice and none is forgotten; a batch of some of the jobs calls back once, after its
 * last member. Half of the graphs have no sweep: nothing is lost there without it.
 * {@code -Ddependency.graphs=10000} runs more of them, {@code -Ddependency.seed} starts
 * with another one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GraphModelTests {

	private static final Logger logger = LoggerFactory.getLogger(GraphModelTests.class);

	private static final int GRAPHS = Integer.getInteger("dependency.graphs", 60);

	private static final int FEW = 15;

	private static final long SEED = Long.getLong("dependency.seed", System.nanoTime());

	private static final int GRAPHS_OF_A_DATABASE = 200;

	private final GraphDatabase database = new GraphDatabase();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterAll
	void close() {
		this.threads.shutdownNow();
		this.database.close();
	}

	@Test
	@Tag("slow") // 60 graphs
	@Timeout(value = 60, unit = TimeUnit.MINUTES)
	void jobsRunAfterTheirPredecessors() throws Exception {
		run(GRAPHS);
	}

	@Test
	void jobsRunAfterTheirPredecessorsInAFewGraphs() throws Exception {
		run(FEW);
	}

	private void run(int graphs) throws Exception {
		logger.info("Running {} graphs from seed {}", graphs, SEED);
		for (int number = 0; number < graphs; number++) {
			if (number % GRAPHS_OF_A_DATABASE == 0) {
				this.database.empty();
			}
			run(Graph.of(SEED + number));
		}
	}

	private void run(Graph graph) throws Exception {
		try {
			new GraphRun(graph, this.database).run(this.threads);
		}
		catch (AssertionError ex) {
			throw new AssertionError("With -Ddependency.seed=%d: %s".formatted(graph.seed(), graph), ex);
		}
	}

}
