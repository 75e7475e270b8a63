package io.jobqueue.benchmark.dashboard;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Threads;

/**
 * Live jobs in ten queues, one of ten of them failing, and as many archived ones, one of
 * ten of them dead. Each queue has ten kinds of errors, so that each of 100 errors has
 * 10,000 retrying jobs of ten million, and as many dead ones. Beside them are a family of
 * 1,000 jobs in a batch, 10,000 more open batches, an instance of a workflow for each ten
 * live jobs, 1,000 schedules, 100,000 entries of the operator log, and a week of
 * statistics of four nodes.
 */
final class DashboardTables {

	static final String PARENT = "01900000-0000-7000-8000-000000000001";

	static final String CHILD = "01900000-0000-7000-8000-000000000007";

	static final String BATCH = "01900000-0000-7000-8000-00000000ba7c";

	static final String INSTANCE = "01900001-0000-0007-7000-800000000000";

	private static final String ID = """
			(lpad(to_hex((extract(epoch FROM j.at) * 1000)::bigint), 12, '0') || '7'
			            || right(replace(gen_random_uuid()::text, '-', ''), 19))::uuid""";

	private static final String HISTORY = """
			jsonb_build_array(jsonb_build_object('attempt', 3, 'began', statement_timestamp(), 'ended', statement_timestamp(),
			           'worker', 'node-1', 'outcome', '%s', 'error', 'java.net.ConnectException: refused ' || n,
			           'fingerprint', 'java.net.ConnectException at com.acme.Client' || n / 1000 %% 10 || '.send'))""";

	private static final String PRIORITY = "CASE n / 10 % 10 WHEN 0 THEN 0 WHEN 1 THEN 20 WHEN 2 THEN 30 ELSE 10 END";

	/**
	 * Seven of ten jobs in the usual priority, and eight of ten due.
	 */
	private static final String LIVE = """
			INSERT INTO jobqueue_job (id, queue, type, payload, priority, run_at, created_at, attempts, failures, last_error,
			                          history)
			SELECT %s, 'queue-' || n %% 10, 'type-' || n %% 7, '{"value":' || n || '}', %s,
			       j.at + CASE n / 100 %% 10 WHEN 0 THEN interval '1 hour' WHEN 1 THEN interval '1 day' ELSE interval '0' END,
			       j.at, j.failures, j.failures, CASE WHEN j.failures > 0 THEN 'java.net.ConnectException: refused ' || n END,
			       CASE WHEN j.failures > 0 THEN %s END
			FROM (
			    SELECT n, statement_timestamp() - (jobs - n) * interval '10 microseconds' AS at,
			           CASE n / 100 %% 10 WHEN 0 THEN 3 ELSE 0 END AS failures
			    FROM (SELECT ? AS jobs) total CROSS JOIN generate_series(1, jobs) n) j
			"""
		.formatted(ID, PRIORITY, HISTORY.formatted("RETRIED"));

	private static final String ARCHIVED = """
			INSERT INTO jobqueue_archive (id, seq, queue, type, payload, priority, run_at, created_at, finished_at, keep_until,
			                              attempts, failures, state, last_error, history)
			SELECT %s, -n, 'queue-' || n %% 10, 'type-' || n %% 7, '{"value":' || n || '}', %s, j.at, j.at, j.at,
			       CASE WHEN NOT j.dead THEN j.at + interval '7 days' END, 1, CASE WHEN j.dead THEN 3 ELSE 0 END,
			       CASE WHEN j.dead THEN 'DEAD' ELSE 'SUCCEEDED' END,
			       CASE WHEN j.dead THEN 'java.net.ConnectException: refused ' || n END, CASE WHEN j.dead THEN %s END
			FROM (
			    SELECT n, statement_timestamp() - (jobs - n) * interval '10 microseconds' AS at, n / 100 %% 10 = 0 AS dead
			    FROM (SELECT ? AS jobs) total CROSS JOIN generate_series(1, jobs) n) j
			"""
		.formatted(ID, PRIORITY, HISTORY.formatted("DEAD"));

	private static final String FAMILY = """
			INSERT INTO jobqueue_archive (id, seq, queue, type, payload, priority, run_at, created_at, finished_at, keep_until,
			                              attempts, failures, state)
			SELECT '%1$s', 0, 'queue-3', 'type-3', '{}', 10, at, at, at, at + interval '7 days', 1, 0, 'SUCCEEDED'
			FROM (SELECT statement_timestamp() AS at) n;
			INSERT INTO jobqueue_job (id, queue, type, payload, priority, run_at, created_at, parent_id, root_id, batch_id,
			                          job_group, unique_key)
			SELECT (left('%1$s', 24) || lpad(to_hex(n), 12, '0'))::uuid, 'queue-3', 'type-3', '{}', 10, statement_timestamp(),
			       statement_timestamp(), '%1$s', '%1$s', '%2$s', 'import', 'key-' || n
			FROM generate_series(2, 1001) n;
			INSERT INTO jobqueue_key (job_id, used_by, queue, unique_key)
			SELECT id, pg_current_xact_id(), queue, unique_key FROM jobqueue_job WHERE root_id = '%1$s';
			INSERT INTO jobqueue_batch (id, then_id, created_at, name)
			VALUES ('%2$s', gen_random_uuid(), statement_timestamp(), 'import');
			INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled) VALUES ('%2$s', 1000, 0, 0, 0)
			"""
		.formatted(PARENT, BATCH);

	private static final String BATCHES = """
			INSERT INTO jobqueue_batch (id, then_id, created_at, name)
			SELECT gen_random_uuid(), gen_random_uuid(), statement_timestamp() - n * interval '1 minute', 'import ' || n
			FROM generate_series(1, 10000) n;
			INSERT INTO jobqueue_batch_tally (batch_id, total, succeeded, dead, cancelled)
			SELECT id, 100, 90, 1, 2 FROM jobqueue_batch WHERE name LIKE 'import %'
			""";

	/**
	 * Of ten workflows. One of ten instances runs, and one of 1,000 has failed. The job
	 * of a family is a step.
	 */
	private static final String WORKFLOWS = """
			INSERT INTO jobqueue_workflow (id, created_at, finished_at, state, name)
			SELECT ('01900001' || lpad(to_hex(n), 8, '0') || '7000800000000000')::uuid, statement_timestamp(),
			       CASE WHEN n %% 10 > 0 THEN statement_timestamp() END,
			       CASE WHEN n %% 10 = 0 THEN 'RUNNING' WHEN n %% 1000 = 37 THEN 'FAILED' ELSE 'SUCCEEDED' END,
			       'workflow-' || n / 10 %% 10
			FROM generate_series(1, %1$s) n;
			INSERT INTO jobqueue_workflow_step (workflow_id, position, job_id, changed_at, delay_millis, priority, state, name,
			                                    conditions, queue, type, payload, result)
			SELECT ('01900001' || lpad(to_hex(n), 8, '0') || '7000800000000000')::uuid, s,
			       CASE WHEN n = 7 AND s = 1 THEN '%2$s' ELSE gen_random_uuid() END, statement_timestamp(), 0, 10,
			       CASE WHEN n %% 10 > 0 OR s = 0 THEN 'SUCCEEDED' WHEN s = 1 THEN 'STARTED' ELSE 'WAITING' END, 'step-' || s,
			       CASE WHEN s > 0 THEN ARRAY['AFTER:step-' || s - 1] ELSE '{}' END, 'queue-3', 'type-' || s, '{}', '"done"'
			FROM generate_series(1, %1$s) n CROSS JOIN generate_series(0, 2) s
			""";

	/**
	 * They do not tick while the pages are loaded.
	 */
	private static final String SCHEDULES = """
			INSERT INTO jobqueue_recurring (name, queue, type, payload, cron, zone, misfire, overlap, jitter_millis, declared,
			                                version, next_at, anchor_at)
			SELECT 'schedule-' || n, 'queue-' || n % 10, 'type-' || n % 7, '{}', '0 0 0 1 1 *', 'UTC', 'ONCE', 'SKIP', 0, false,
			       1, (date_trunc('year', statement_timestamp() AT TIME ZONE 'UTC') + interval '1 year') AT TIME ZONE 'UTC',
			       statement_timestamp()
			FROM generate_series(1, 1000) n
			""";

	private static final String LOG = """
			INSERT INTO jobqueue_operator_log (id, at, ended_at, affected, operation, subject, operator, reason)
			SELECT gen_random_uuid(), at, at, n % 100, 'retry', 'queue-' || n % 10, 'operator-' || n % 10, 'the reason ' || n
			FROM (SELECT n, statement_timestamp() - n * interval '1 minute' AS at FROM generate_series(1, 100000) n) l
			""";

	private static final String WEEK = """
			INSERT INTO jobqueue_statistics (at, worker_id, succeeded, failed, dead, cancelled, minutes, priority, queue,
			                                 run_times)
			SELECT date_bin('10 minutes', statement_timestamp(), 'epoch') - n * interval '10 minutes',
			       '00000000-0000-0000-0000-000000000000', 1000, 10, 1, 0, 10, p, 'queue-' || q, '{0,0,5,500,490,5}'
			FROM generate_series(18, 1008) n CROSS JOIN generate_series(0, 9) q CROSS JOIN unnest('{0,10,20,30}'::smallint[]) p;
			INSERT INTO jobqueue_statistics (at, worker_id, succeeded, failed, dead, cancelled, minutes, priority, queue,
			                                 run_times)
			SELECT date_trunc('minute', statement_timestamp()) - n * interval '1 minute', w, 100, 1, 0, 0, 1, p, 'queue-' || q,
			       '{0,0,5,50,40,5}'
			FROM generate_series(1, 180) n CROSS JOIN generate_series(0, 9) q CROSS JOIN unnest('{0,10,20,30}'::smallint[]) p
			CROSS JOIN (SELECT gen_random_uuid() AS w FROM generate_series(1, 4)) workers
			""";

	private final BenchmarkDatabase database;

	DashboardTables(BenchmarkDatabase database) {
		this.database = database;
	}

	/**
	 * Create the tables, and fill both kinds of jobs at the same time: a session is bound
	 * by its processor.
	 */
	void fill(int jobs) throws Exception {
		MeasuredQueue.start(this.database, "jobqueue.worker.enabled=false").close();
		try (Threads threads = new Threads(2)) {
			double unused = threads.rate(2L * jobs,
					(thread) -> this.database.sql().sql((thread == 0) ? LIVE : ARCHIVED).param(jobs).update());
		}
		String workflows = WORKFLOWS.formatted(Math.max(10, jobs / 10), CHILD);
		for (String further : new String[] { FAMILY, BATCHES, workflows, SCHEDULES, LOG, WEEK }) {
			this.database.execute(further);
		}
		this.database.settle();
	}

}
