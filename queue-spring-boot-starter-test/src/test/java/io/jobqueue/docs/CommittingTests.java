package io.jobqueue.docs;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import io.jobqueue.JobQueue;
import io.jobqueue.docs.ExampleApplication.ConfirmationEmail;
import io.jobqueue.docs.ExampleApplication.Mailbox;
import io.jobqueue.docs.ExampleApplication.Reminder;
import io.jobqueue.test.InlineJobs;
import io.jobqueue.test.TestJobs;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of tests that commit.
 */
@SpringBootTest(properties = "spring.sql.init.mode=always")
class CommittingTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private JobQueue jobQueue;

	@Autowired
	private Mailbox mailbox;

	@BeforeEach
	void empty() {
		this.jobs.deleteAll();
	}

	@Test
	void onlyRemindersRunInline() throws Exception {
		this.jobQueue.enqueue("emails", new Reminder(1));
		this.jobQueue.enqueue("emails", new ConfirmationEmail(2));
		List<Long> inline = new ArrayList<>(this.mailbox.sent());
		assertThat(this.jobs.runAll()).hasSize(1);
		assertThat(inline).containsExactly(1L);
		assertThat(this.mailbox.sent()).containsExactly(1L, 2L);
	}

	@TestConfiguration
	static class OnlyReminders {

		@Bean
		InlineJobs onlyReminders() {
			return (request) -> request.payload() instanceof Reminder;
		}

	}

}
