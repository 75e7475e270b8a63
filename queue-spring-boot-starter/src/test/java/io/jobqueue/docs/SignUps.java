package io.jobqueue.docs;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobQueue;

/**
 * The producer of the first example.
 */
@Service
class SignUps {

	private final JdbcClient jdbc;

	private final JobQueue jobQueue;

	SignUps(JdbcClient jdbc, JobQueue jobQueue) {
		this.jdbc = jdbc;
		this.jobQueue = jobQueue;
	}

	@Transactional
	void signUp(long userId) {
		this.jdbc.sql("INSERT INTO users (id) VALUES (?)").param(userId).update();
		this.jobQueue.enqueue(new ConfirmationEmail(userId));
	}

}
