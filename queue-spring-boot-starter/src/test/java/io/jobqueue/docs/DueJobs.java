package io.jobqueue.docs;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobState;

/**
 * Runs jobs on the thread of a test.
 */
class DueJobs {

	private final JobOperations operations;

	private final JdbcClient jdbc;

	DueJobs(JobOperations operations, JdbcClient jdbc) {
		this.operations = operations;
		this.jdbc = jdbc;
	}

	void run() throws Exception {
		List<JobInfo> due = due();
		while (!due.isEmpty()) {
			for (JobInfo job : due) {
				this.operations.runHere(job.id());
			}
			due = due();
		}
	}

	private List<JobInfo> due() {
		return this.operations.list(JobQuery.all().states(JobState.READY)).jobs();
	}

	void delete() {
		this.jdbc.sql("""
				TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_key, jobqueue_dedupe, jobqueue_rate, jobqueue_pause,
				    jobqueue_recurring
				""").update();
	}

}
