package io.jobqueue.performance;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CountingDataSource;

/**
 * What a worker asks of the database for each job of a long row.
 */
@Tag("slow") // drains 60,000 jobs
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
	 * are counted on their way. How many jobs share a transaction depends on the pace of
	 * the machine, the statements of a transaction do not.
	 */
	@Test
	void statements() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		drain(usual(counting, Duration.ZERO), JOBS);
		endSessions();
		List<String> sent = counting.sent().stream().flatMap(DrainGateTests::statements).toList();
		Gate.note(perJob(sent.size()), "Statements per job with BEGIN, settings and COMMIT");
		double commits = Collections.frequency(sent, "COMMIT");
		Gate.atMost(5, sent.size() / commits, "Statements per transaction with BEGIN, settings and COMMIT");
	}

	private static Stream<String> statements(String text) {
		return Arrays.stream(text.split(";")).map(String::strip).filter((statement) -> !statement.isEmpty());
	}

	@Test
	void shareOfUpdatesThatTouchNoIndex() {
		drain(usual(Duration.ZERO), JOBS);
		endSessions();
		awaitDeletions(JOBS);
		double updates = this.figures.ofJobTable("n_tup_upd");
		Gate.atLeast(0.95, this.figures.ofJobTable("n_tup_hot_upd") / updates, "HOT share of updates");
	}

	private static double perJob(long figure) {
		return figure / (double) JOBS;
	}

}
