package io.jobqueue.docs;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.docs.ExampleApplication.Reminder;
import io.jobqueue.test.RecordingJobQueue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of a test without a database.
 */
class RemindersTests {

	@Test
	void reminderFollowsAfterThreeDays() {
		RecordingJobQueue queue = new RecordingJobQueue();
		new Reminders(queue).remind(7);
		assertThat(queue).enqueued(Reminder.class).withPayload(new Reminder(7)).after(Duration.ofDays(3)).once();
		assertThat(queue.requests()).containsExactly(JobRequest.of(new Reminder(7)).delay(Duration.ofDays(3)));
	}

	/**
	 * Enqueues reminders.
	 */
	static class Reminders {

		private final JobQueue jobQueue;

		Reminders(JobQueue jobQueue) {
			this.jobQueue = jobQueue;
		}

		void remind(long userId) {
			this.jobQueue.enqueue(JobRequest.of(new Reminder(userId)).delay(Duration.ofDays(3)));
		}

	}

}
