package io.jobqueue.gates;

import java.time.Duration;
import java.util.Arrays;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CountingDataSource;

/**
 * What a worker asks of the database for each job of a long row.
 */
class DrainGateTests extends GateTestBase {

	private static final int JOBS = 30_000;

	@BeforeEach
	void fill() {
		enqueue(JOBS);
		endSessions();
		this.figures.reset();
	}

	/**
	 * Where a statement is prepared and is none of rows, such as SET, the server counts
	 * its first execution only; these are counted on their way.
	 */
	@Test
	void statementsAndCommits() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		drain(usual(counting, Duration.ZERO), JOBS);
		endSessions();
		long sent = counting.sent().stream().mapToLong(DrainGateTests::statements).sum();
		long transactions = this.figures.calls("BEGIN");
		Gate.note(perJob(this.figures.statementsOfRows()), "Statements per job without BEGIN, SET and COMMIT");
		Gate.atMost(0.02, perJob(this.figures.commits()), "Commits per job");
		Gate.atMost(0.02, perJob(sent + 2 * transactions), "Statements per job, all");
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
