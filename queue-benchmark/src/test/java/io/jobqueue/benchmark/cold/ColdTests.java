package io.jobqueue.benchmark.cold;

import java.io.IOException;
import java.util.List;

import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Scale;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs each task once at a tiny size, those with an idle time in JVMs of their own.
 */
class ColdTests {

	private static final int SIZE = 20;

	private static BenchmarkDatabase database;

	@BeforeAll
	static void open() throws IOException {
		database = BenchmarkDatabase.open();
		MeasuredQueue.start(database).close();
	}

	@AfterAll
	static void close() throws IOException {
		database.close();
	}

	static List<ColdTask> tasks() {
		return ColdTask.all().stream().filter((task) -> !task.name().endsWith("-idle")).toList();
	}

	@ParameterizedTest
	@MethodSource("tasks")
	void taskIsMeasured(ColdTask task) throws Exception {
		try (MeasuredQueue application = task.start(database)) {
			task.preparation().prepare(database, SIZE);
			ColdFigures figures = task.measurement().measure(application, SIZE);
			assertThat(figures.value()).isPositive();
			assertThat(figures.p99()).isGreaterThanOrEqualTo(figures.value());
		}
	}

	@Test
	void idleApplicationsRunInFreshJvms() throws Exception {
		Result result = new Idle(1, 1).run(new Workbench(database, new Scale(1, 1)));
		assertThat(result.figure("value")).isPositive();
		assertThat(result.figure("floor")).isPositive();
		assertThat(
				database.sql().sql("SELECT datname FROM pg_database WHERE datname LIKE 'idle%'").query().listOfRows())
			.isEmpty();
	}

}
