package io.jobqueue.store.jdbc;

/**
 * What operators ask for on PostgreSQL.
 */
final class PostgresOperationSql {

	/**
	 * Tells of a job by its id, live or finished, by what one moment saw.
	 */
	static final String FIND = """
			SELECT queue, false AS finished FROM jobqueue_job WHERE id = ?
			UNION ALL
			SELECT queue, true FROM jobqueue_archive WHERE id = ?
			""";

	static final String REQUEST_CANCEL = """
			UPDATE jobqueue_job SET cancel_requested = true, keep_cancelled_millis = ? WHERE id = ?
			""";

	private PostgresOperationSql() {
	}

}
