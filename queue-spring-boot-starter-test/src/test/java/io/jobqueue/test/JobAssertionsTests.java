package io.jobqueue.test;

import java.time.Duration;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.transaction.BeforeTransaction;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.test.TestApplication.Booking;
import io.jobqueue.test.TestApplication.Mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(properties = "spring.sql.init.mode=always")
@Transactional
class JobAssertionsTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private JobQueue queue;

	@Autowired
	private JobOperations operations;

	/**
	 * Tests of other classes that share the context commit.
	 */
	@BeforeTransaction
	void empty() {
		this.jobs.deleteAll();
	}

	@Test
	void seesUncommittedJobs() {
		this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofMinutes(5)));
		this.queue.enqueue(new Mail("grace"));
		assertThat(this.jobs).enqueued(Mail.class)
			.withPayload(new Mail("ada"))
			.onQueue("emails")
			.after(Duration.ofMinutes(5))
			.once();
		assertThat(this.jobs).enqueued("Mail").times(2);
	}

	@Test
	void seesJobsThatHaveRun() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		this.jobs.runNext();
		assertThat(this.jobs).enqueued(Mail.class).once();
	}

	@RepeatedTest(2)
	void pauseEndsWithItsTest() {
		assertThat(this.operations.pauses()).isEmpty();
		this.operations.pause("emails");
		this.operations.pause("bookings", "Booking");
	}

	@Test
	void nothingEnqueued() {
		assertThat(this.jobs).nothingEnqueued();
		this.queue.enqueue(new Mail("ada"));
		fails(() -> assertThat(this.jobs).nothingEnqueued(),
				"Expected no job to be enqueued.\nThere are these jobs:\n  Mail in queue emails, READY: {\"recipient\":\"ada\"}");
	}

	@Test
	void failureListsTheJobs() {
		fails(() -> assertThat(this.jobs).enqueued(Booking.class),
				"Expected a job of type 'Booking'.\nThere are no jobs.");
		this.queue.enqueue(new Mail("ada"));
		fails(() -> assertThat(this.jobs).enqueued(Mail.class).withPayload(new Mail("grace")),
				"Expected a job of type 'Mail' with payload <Mail[recipient=grace]>.\nThere are these jobs:\n  Mail in queue emails, READY: {\"recipient\":\"ada\"}");
		fails(() -> assertThat(this.jobs).enqueued(Mail.class).onQueue("other"), "in queue 'other'");
		fails(() -> assertThat(this.jobs).enqueued(Mail.class).after(Duration.ofSeconds(1)), "due PT1S after");
		this.queue.enqueue(new Mail("ada"));
		fails(() -> assertThat(this.jobs).enqueued(Mail.class).once(),
				"Expected 1, but 2 were enqueued: jobs of type 'Mail'.");
	}

	private static void fails(org.assertj.core.api.ThrowableAssert.ThrowingCallable assertion, String message) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessageContaining(message);
	}

}
