package io.jobqueue.docs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

/**
 * Moves the rows of a table of its own to the queue.
 */
@Component
class Outbox {

	private final JdbcClient jdbc;

	private final JobQueue jobQueue;

	Outbox(JdbcClient jdbc, JobQueue jobQueue) {
		this.jdbc = jdbc;
		this.jobQueue = jobQueue;
	}

	@Transactional
	void moveToQueue() {
		List<JobRequest> jobs = this.jdbc.sql("""
				WITH moved AS (DELETE FROM outbox RETURNING id, user_id)
				SELECT id, user_id FROM moved ORDER BY id
				""").query(this::request).list();
		this.jobQueue.enqueueAll(jobs);
	}

	private JobRequest request(ResultSet row, int number) throws SQLException {
		return JobRequest.of(new ConfirmationEmail(row.getLong("user_id"))).key("outbox-" + row.getLong("id"));
	}

}
