package io.jobqueue.docs;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobState;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.docs.ExampleApplication.ConfirmationEmail;
import io.jobqueue.docs.ExampleApplication.Mailbox;
import io.jobqueue.docs.ExampleApplication.Reminder;
import io.jobqueue.docs.ExampleApplication.SignUps;
import io.jobqueue.test.CrashPoint;
import io.jobqueue.test.TestJobs;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of tests.
 */
@SpringBootTest(properties = "spring.sql.init.mode=always")
@Transactional
class SignUpsTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private SignUps signUps;

	@Autowired
	private Mailbox mailbox;

	@Autowired
	private JdbcClient jdbc;

	@BeforeEach
	void emptyMailbox() {
		this.mailbox.sent().clear();
	}

	@Test
	void signUpIsConfirmedByMail() throws Exception {
		this.signUps.signUp(7);
		assertThat(this.jobs).enqueued(ConfirmationEmail.class).withPayload(new ConfirmationEmail(7)).once();
		this.jobs.runNext("emails");
		assertThat(this.mailbox.sent()).containsExactly(7L);
	}

	@Test
	void userIsRemindedAfterThreeDays() throws Exception {
		this.signUps.signUp(7);
		assertThat(this.jobs).enqueued(Reminder.class).onQueue("emails").after(Duration.ofDays(3));
		this.jobs.runAll();
		this.jobs.advance(Duration.ofDays(3));
		this.jobs.runAll();
		assertThat(this.mailbox.sent()).containsExactly(7L, 7L);
	}

	@Test
	void invoiceIsBookedOnceIfItsJobRunsTwice() throws Exception {
		UUID id = this.signUps.bill(7, 42).id();
		this.jobs.runTwice(id);
		assertThat(this.jdbc.sql("SELECT count(*) FROM booking").query(Long.class).single()).isOne();
	}

	@Test
	void crashBeforeTheCommitBooksNothing() throws Exception {
		this.signUps.bill(7, 42);
		assertThat(this.jobs.crashAt(CrashPoint.BEFORE_COMMIT).state()).isEqualTo(JobState.READY);
		assertThat(this.jdbc.sql("SELECT count(*) FROM booking").query(Long.class).single()).isZero();
		assertThat(this.jobs.runNext().attempt()).isEqualTo(2);
	}

	@Test
	void digestIsSentAtItsTick(@Autowired RecurringJobs schedules) throws Exception {
		schedules.save(RecurringJobRequest.of("digest-42", new ConfirmationEmail(42)).cron("0 0 7 * * MON"));
		this.jobs.tick("digest-42");
		this.jobs.runNext();
		assertThat(this.mailbox.sent()).containsExactly(42L);
	}

	@Test
	void timeOfTheApplicationMovesAlong(@Autowired Clock clock) {
		this.jobs.advance(Duration.ofDays(3));
		assertThat(clock.instant()).isAfter(Clock.systemUTC().instant().plus(Duration.ofDays(2)));
	}

	@TestConfiguration
	static class TestClock {

		@Bean
		@Primary
		Clock testClock(TestJobs jobs) {
			return jobs.clock();
		}

	}

}
