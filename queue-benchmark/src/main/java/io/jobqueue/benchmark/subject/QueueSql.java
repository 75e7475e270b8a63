package io.jobqueue.benchmark.subject;

/**
 * What the benchmark asks of the queue's own tables and of the server.
 */
final class QueueSql {

	static final String EMPTY = """
			TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_claim
			""";

	static final String ANY_LEFT = """
			SELECT EXISTS (SELECT 1 FROM jobqueue_job)
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
