package io.jobqueue.benchmark;

/**
 * What the benchmark asks of the queue's own tables.
 */
final class QueueSql {

	static final String EMPTY = """
			TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_claim
			""";

	static final String ANY_LEFT = """
			SELECT EXISTS (SELECT 1 FROM jobqueue_job)
			""";

	private QueueSql() {
	}

}
