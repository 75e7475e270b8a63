package io.jobqueue.docs;

import java.time.Duration;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;

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

	@Transactional
	void remindLater(long userId) {
		this.jobQueue.enqueue(JobRequest.of(new ConfirmationEmail(userId))
			.priority(Priority.INTERACTIVE)
			.delay(Duration.ofMinutes(5))
			.maxAttempts(10)
			.maxRunTime(Duration.ofMinutes(1))
			.header("tenant", "acme"));
	}

}
