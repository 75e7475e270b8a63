package io.jobqueue.performance;

import java.time.Duration;
import java.util.Arrays;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CountingDataSource;

/**
 * What a worker asks of the database for each job of a long row.
 */
@Tag("alone") // batches are smaller on a busy machine
class DrainGateTests extends GateTestBase {

	private static final int JOBS = 15_000;

	/**
	 * Code that is not compiled yet hands over few jobs at a time.
	 */
	@BeforeAll
	void warmUp() {
		enqueue(JOBS);
		drain(usual(Duration.ZERO), JOBS);
	}

	@BeforeEach
	void fill() {
		enqueue(JOBS);
		endSessions();
		this.figures.reset();
	}

	@Test
	void commits() {
		drain(usual(Duration.ZERO), JOBS);
		endSessions();
		Gate.note(perJob(this.figures.statementsOfRows()), "Statements per job without BEGIN, SET and COMMIT");
		Gate.atMost(0.02, perJob(this.figures.commits()), "Commits per job");
	}

	/**
	 * The server counts a prepared statement without rows, such as COMMIT, once only; all
	 * are counted on their way.
	 */
	@Test
	void statements() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		drain(usual(counting, Duration.ZERO), JOBS);
		endSessions();
		long sent = counting.sent().stream().mapToLong(DrainGateTests::statements).sum();
		Gate.atMost(0.02, perJob(sent), "Statements per job with BEGIN, settings and COMMIT");
	}

	private static long statements(String text) {
		return Arrays.stream(text.split(";")).filter((statement) -> !statement.isBlank()).count();
	}

	@Test
	void shareOfUpdatesThatTouchNoIndex() {
		drain(usual(Duration.ZERO), JOBS);
		endSessions();
		await().until(() -> this.figures.ofJobTable("n_tup_del") == JOBS);
		double updates = this.figures.ofJobTable("n_tup_upd");
		Gate.atLeast(0.95, this.figures.ofJobTable("n_tup_hot_upd") / updates, "HOT share of updates");
	}

	private static double perJob(long figure) {
		return figure / (double) JOBS;
	}

}
