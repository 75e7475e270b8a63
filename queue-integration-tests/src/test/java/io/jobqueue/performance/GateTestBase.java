package io.jobqueue.performance;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.assertj.core.api.Assumptions;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.testpostgres.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes as applications have them, and what the server counts meanwhile. The server's own
 * upkeep stays out of it.
 */
abstract class GateTestBase extends NodeTestBase {

	private static final int PER_CALL = 1_000;

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	final AtomicInteger handled = new AtomicInteger();

	ServerFigures figures;

	GateTestBase() {
	}

	GateTestBase(TestDatabase database) {
		super(database);
	}

	@BeforeAll
	void prepare() {
		Assumptions.assumeThat(this.sql.sql("SHOW shared_preload_libraries").query(String.class).single())
			.contains("pg_stat_statements");
		this.figures = new ServerFigures(this.sql);
		for (String table : List.of("jobqueue_job", "jobqueue_archive", "jobqueue_claim", "jobqueue_worker",
				"jobqueue_key", "jobqueue_dedupe", "jobqueue_dependency")) {
			this.sql.sql("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table)).update();
		}
	}

	@BeforeEach
	void resetCount() {
		this.handled.set(0);
	}

	final TestNodeSettings usual(Duration keepSucceeded) {
		return usual(this.pool, keepSucceeded);
	}

	final TestNodeSettings usual(DataSource dataSource, Duration keepSucceeded) {
		return settings(dataSource).defaults()
			.keepSucceeded(keepSucceeded)
			.handler((mail, job) -> this.handled.incrementAndGet());
	}

	final void enqueue(int jobs) {
		enqueue(jobs, (number) -> JobRequest.of("emails", new Mail("hello")));
	}

	final void enqueue(int jobs, IntFunction<JobRequest> request) {
		QueueNode producer = producer();
		for (int start = 0; start < jobs; start += PER_CALL) {
			int end = Math.min(jobs, start + PER_CALL);
			producer.queue().enqueueAll(IntStream.range(start, end).mapToObj(request).toList());
		}
	}

	/**
	 * How long tens of thousands of jobs take is not what is measured.
	 */
	@Override
	protected final ConditionFactory await() {
		return super.await().atMost(PATIENCE);
	}

	/**
	 * Handle all jobs, and write their outcomes.
	 */
	final void drain(TestNodeSettings settings, int jobs) {
		QueueNode node = node(settings).start();
		await().until(() -> this.handled.get() == jobs);
		node.close();
	}

	/**
	 * Wait until the server has counted the deletion of all jobs. It counts those of a
	 * transaction that is rolled back too, such as an outcome that meets a lock and is
	 * written again.
	 */
	final void awaitDeletions(int jobs) {
		await().untilAsserted(() -> assertThat(this.figures.ofJobTable("n_tup_del")).isGreaterThanOrEqualTo(jobs));
	}

	/**
	 * A session reports the last of its figures when it ends.
	 */
	final void endSessions() {
		this.pool.getHikariPoolMXBean().softEvictConnections();
		await().until(() -> count(
				"""
						pg_stat_activity
						WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()""") == 0);
	}

}
