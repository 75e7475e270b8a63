package io.jobqueue.benchmark.gauges;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Tables with many jobs in ten queues: seven of ten in the usual priority, the others in
 * three more; four of five due, the rest due tomorrow or retried within the hour. Nothing
 * vacuums them but who measures.
 */
final class GaugeTables {

	static final int QUEUES = 10;

	static final int PRIORITIES = 4;

	private static final long NOTED_MILLIS = 200;

	private static final String KEEP = """
			ALTER TABLE jobqueue_job SET (autovacuum_enabled = off)
			""";

	private static final String FILL = """
			INSERT INTO jobqueue_job (id, queue, type, payload, priority, run_at, created_at, attempts, failures)
			SELECT (lpad(to_hex((extract(epoch FROM j.at) * 1000)::bigint), 12, '0') || '7'
			            || right(replace(gen_random_uuid()::text, '-', ''), 19))::uuid,
			       'queue-' || n % 10, 'NoOp', '{"value":' || n || '}',
			       CASE n / 10 % 10 WHEN 0 THEN 0 WHEN 1 THEN 20 WHEN 2 THEN 30 ELSE 10 END,
			       j.at + CASE WHEN j.retried THEN interval '1 hour' WHEN j.scheduled THEN interval '1 day'
			                   ELSE interval '0' END,
			       j.at, CASE WHEN j.retried THEN 1 + n % 5 ELSE 0 END, CASE WHEN j.retried THEN 1 + n % 5 ELSE 0 END
			FROM (
			    SELECT n, n / 100 % 20 = 0 AS retried, n / 100 % 20 BETWEEN 1 AND 3 AS scheduled,
			           statement_timestamp() - (jobs - n) * interval '10 microseconds' AS at
			    FROM (SELECT ? AS jobs) total CROSS JOIN generate_series(1, jobs) n) j
			""";

	private static final String DELETE_HEAD = """
			DELETE FROM jobqueue_job
			WHERE id IN (
			    SELECT id FROM jobqueue_job
			    WHERE queue = 'queue-0' AND priority = 10
			    ORDER BY run_at, seq
			    LIMIT ?)
			""";

	private static final String SEQUENTIAL_SCANS = """
			SELECT sum(seq_scan)::bigint FROM pg_stat_user_tables
			WHERE schemaname = current_schema() AND relname IN ('jobqueue_job', 'jobqueue_archive')
			""";

	private final BenchmarkDatabase database;

	GaugeTables(BenchmarkDatabase database) {
		this.database = database;
	}

	static List<String> queues() {
		return IntStream.range(0, QUEUES).mapToObj((number) -> "queue-" + number).toList();
	}

	void fill(int jobs) {
		MeasuredQueue.start(this.database, "jobqueue.worker.enabled=false").close();
		this.database.execute(KEEP);
		this.database.sql().sql(FILL).param(jobs).update();
		this.database.settle("jobqueue_job, jobqueue_archive, jobqueue_claim, jobqueue_worker");
	}

	void deleteHead(int jobs) {
		this.database.sql().sql(DELETE_HEAD).param(jobs).update();
	}

	<T> T onOneConnection(Function<DataSource, T> work) {
		SingleConnectionDataSource dataSource = new SingleConnectionDataSource(this.database.url(), true);
		try {
			return work.apply(dataSource);
		}
		finally {
			dataSource.destroy();
		}
	}

	/**
	 * Return how often live or finished jobs were read from the first to the last. The
	 * server notes it a moment after a connection was closed.
	 */
	long sequentialScans() throws InterruptedException {
		Thread.sleep(NOTED_MILLIS);
		return this.database.sql().sql(SEQUENTIAL_SCANS).query(Long.class).single();
	}

}
