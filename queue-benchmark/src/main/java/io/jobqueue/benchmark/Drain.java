package io.jobqueue.benchmark;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.benchmark.BenchmarkApplication.NoOp;
import io.jobqueue.benchmark.BenchmarkApplication.NoOps;
import io.jobqueue.worker.JobWorker;

/**
 * How many no-op jobs a second one process runs with default settings, from the start of
 * its worker until no job is left in the table.
 */
final class Drain {

	private static final int ROUNDS = 5;

	private static final int CALL = 1_000;

	private final BenchmarkDatabase database;

	private final int jobs;

	Drain(BenchmarkDatabase database, int jobs) {
		this.database = database;
		this.jobs = jobs;
	}

	String run() throws Exception {
		double[] floor = new double[ROUNDS];
		double[] value = new double[ROUNDS];
		try (ConfigurableApplicationContext application = BenchmarkApplication.start(this.database.url())) {
			for (int round = 0; round < ROUNDS; round++) {
				floor[round] = new PlainSql(this.database).drain(this.jobs);
				value[round] = drain(application);
			}
		}
		return "RESULT scenario=drain-archive value=%.0f unit=jobs/s floor=%.0f ratio=%.2f"
			.formatted(Rate.median(value), Rate.median(floor), Rate.median(value) / Rate.median(floor));
	}

	private double drain(ConfigurableApplicationContext application) throws InterruptedException {
		JobWorker worker = application.getBean(JobWorker.class);
		worker.stop();
		fill(application.getBean(JobQueue.class));
		CountDownLatch handled = application.getBean(NoOps.class).expect(this.jobs);
		this.database.settle();
		long start = System.nanoTime();
		worker.start();
		handled.await();
		awaitEmptyTable();
		return Rate.of(this.jobs, start);
	}

	private void fill(JobQueue queue) {
		for (int from = 0; from < this.jobs; from += CALL) {
			queue.enqueueAll(
					IntStream.range(from, from + CALL).mapToObj((number) -> JobRequest.of(new NoOp(number))).toList());
		}
	}

	private void awaitEmptyTable() throws InterruptedException {
		JdbcClient sql = this.database.sql();
		while (sql.sql("SELECT EXISTS (SELECT 1 FROM jobqueue_job)").query(Boolean.class).single()) {
			Thread.sleep(Duration.ofMillis(1).toMillis());
		}
	}

}
