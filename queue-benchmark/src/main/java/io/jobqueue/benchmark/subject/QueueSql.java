package io.jobqueue.benchmark.subject;

/**
 * What the benchmark asks of the queue's own tables and of the server.
 */
public final class QueueSql {

	static final String EMPTY = """
			TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_claim, jobqueue_batch, jobqueue_batch_tally
			""";

	/**
	 * Rows as enqueueing writes them, in the order of their time: the ids, too, begin
	 * with the milliseconds.
	 */
	static final String FILL = """
			INSERT INTO jobqueue_job (id, queue, type, payload, priority, run_at, created_at)
			SELECT (lpad(to_hex((extract(epoch FROM s.at) * 1000)::bigint), 12, '0') || '7'
			            || right(replace(gen_random_uuid()::text, '-', ''), 19))::uuid,
			       ?, ?, '{"value":' || s.n || '}', ?, s.at + ? * interval '1 second', s.at
			FROM (
			    SELECT n, statement_timestamp() - (jobs - n) * interval '10 microseconds' AS at
			    FROM (SELECT ? AS jobs) total CROSS JOIN generate_series(1, jobs) n) s
			""";

	static final String COUNT = """
			SELECT count(*) FROM jobqueue_job WHERE queue = ? AND priority = ?
			""";

	static final String ANY_LEFT = """
			SELECT EXISTS (SELECT 1 FROM jobqueue_job)
			""";

	/**
	 * Claims end in the transactions that record the last outcomes of their jobs. Reading
	 * their few rows costs a drain less than looking for a job among its dead rows.
	 */
	static final String ANY_CLAIMED = """
			SELECT EXISTS (SELECT 1 FROM jobqueue_claim)
			""";

	static final String SETTINGS = """
			SELECT name, current_setting(name) AS setting
			FROM pg_settings
			WHERE name IN ('autovacuum', 'autovacuum_naptime', 'checkpoint_timeout', 'data_checksums',
			               'effective_cache_size', 'fsync', 'full_page_writes', 'jit', 'max_connections', 'max_wal_size',
			               'shared_buffers', 'synchronous_commit', 'wal_compression', 'wal_level', 'wal_sync_method',
			               'work_mem')
			ORDER BY name
			""";

	private QueueSql() {
	}

}
