package io.jobqueue.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.jobqueue.benchmark.dashboard.Dashboard;
import io.jobqueue.benchmark.drain.Depth;
import io.jobqueue.benchmark.enqueue.EnqueueInTransaction;
import io.jobqueue.benchmark.enqueue.QueueTransaction;
import io.jobqueue.benchmark.frame.Outcome;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainJob;
import io.jobqueue.benchmark.plain.PlainPortion;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.plain.PlainTransaction;
import io.jobqueue.benchmark.report.Report;
import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs scenarios at a tiny scale, so that the benchmark cannot rot.
 */
@Tag("slow") // runs scenarios
@Tag("measurement") // a scenario
class BenchTests {

	private static final Scale TINY = new Scale(0.002, 1);

	private static final List<String> NAMES = List.of("drain", "drain-archive", "batch", "relay", "enqueue-tx",
			"enqueue-bulk", "latency", "depth", "future", "held-snapshot", "mixed", "gauges", "dashboard", "startup");

	private static BenchmarkDatabase database;

	@TempDir
	private Path folder;

	@BeforeAll
	static void open() throws IOException {
		database = BenchmarkDatabase.open();
	}

	@AfterAll
	static void close() throws IOException {
		database.close();
	}

	@Test
	void scenariosPrintTheirLinesAndAreReported() throws Exception {
		Workbench workbench = new Workbench(database, TINY);
		List<Outcome> outcomes = Bench.run(scenarios(), workbench);
		assertThat(outcomes).extracting((outcome) -> outcome.scenario().name()).isEqualTo(NAMES);
		assertThat(outcomes).extracting(Outcome::line).allSatisfy(BenchTests::isResult);
		assertThat(outcomes).extracting(Outcome::line)
			.filteredOn((line) -> line.contains("scenario=enqueue"))
			.hasSize(2)
			.allSatisfy((line) -> assertThat(line).contains(" lean=", " lean_ratio="));
		assertThat(outcomes).extracting(Outcome::line)
			.filteredOn((line) -> line.contains("scenario=relay"))
			.singleElement()
			.asString()
			.contains(" ratio=", " handler_ratio=", " keyed_ratio=", " keyed_handler_ratio=");
		String report = Files.readString(new Report(workbench, outcomes).writeTo(this.folder));
		assertThat(report).contains(outcomes.get(0).line(), "for development", "| fsync | on |")
			.doesNotContain(System.getProperty("user.dir"), this.folder.toString());
		assertThat(this.folder).isDirectoryContaining("glob:**-rates.png")
			.isDirectoryContaining("glob:**-ratios.png")
			.isDirectoryContaining("glob:**-latencies.png");
	}

	private static List<Scenario> scenarios() {
		return Scenarios.named(Arguments.of(NAMES.toArray(String[]::new))).stream().map(BenchTests::smaller).toList();
	}

	private static Scenario smaller(Scenario scenario) {
		if (scenario instanceof Depth) {
			return Depth.with(2);
		}
		return (scenario instanceof Dashboard) ? Dashboard.once() : scenario;
	}

	private static void isResult(String line) {
		assertThat(line).matches("RESULT scenario=[a-z-]+( [a-z0-9_]+=[^ ]+)+ bar=[^ ]+ met=(true|false)")
			.containsPattern("( unit=(jobs/s|ms)| added_s=[^ ]+)( |$)");
	}

	@Test
	void plainSqlWritesTheRowsOfTheQueue() throws Exception {
		database.execute(PlainSql.CREATE_BUSINESS);
		try (MeasuredQueue queue = MeasuredQueue.start(database, EnqueueInTransaction.NO_WORKER)) {
			database.removeJobs();
			new QueueTransaction(queue, 1).commit(7);
			PlainTransaction.of(queue.dataSource(), 1).commit(7);
			PlainPortion.insert(queue.dataSource(), List.of(PlainJob.of(7)));
			Backlog.DUE.fill(database, 7);
			database.execute("DELETE FROM jobqueue_job WHERE payload <> '{\"value\":7}'");
			List<Map<String, Object>> rows = rows();
			assertThat(rows).hasSize(4).containsOnly(rows.get(0));
		}
	}

	@Test
	void plainSqlWritesTheSameJobsIntoTheLeanTable() throws Exception {
		database.execute(PlainSql.CREATE_BUSINESS);
		database.execute(PlainSql.CREATE_LEAN);
		PlainTransaction.lean(database.dataSource(), 2).commit(3);
		PlainPortion.insertLean(database.dataSource(), List.of(PlainJob.of(6), PlainJob.of(7)));
		assertThat(database.sql().sql("SELECT queue, type, payload, priority FROM plain_lean").query().listOfRows())
			.hasSize(4)
			.containsOnly(lean(6), lean(7));
	}

	private static Map<String, Object> lean(int number) {
		PlainJob job = PlainJob.of(number);
		return Map.of("queue", job.queue(), "type", job.type(), "payload", job.payload(), "priority", job.priority());
	}

	private static List<Map<String, Object>> rows() {
		List<Map<String, Object>> rows = database.sql().sql("SELECT * FROM jobqueue_job").query().listOfRows();
		rows.forEach((row) -> row.keySet().removeAll(List.of("id", "seq", "run_at", "created_at")));
		return rows;
	}

}
