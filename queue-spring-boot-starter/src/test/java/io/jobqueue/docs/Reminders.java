package io.jobqueue.docs;

import java.time.Duration;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;

/**
 * Enqueues with options.
 */
@Service
class Reminders {

	private final JobQueue jobQueue;

	Reminders(JobQueue jobQueue) {
		this.jobQueue = jobQueue;
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

	void confirmSoon(long userId) {
		this.jobQueue.enqueue(JobRequest.of(new ConfirmationEmail(userId)).expiresAfter(Duration.ofMinutes(10)));
	}

}
