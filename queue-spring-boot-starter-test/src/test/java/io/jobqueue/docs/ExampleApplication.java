package io.jobqueue.docs;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.test.TestDatabaseConfiguration;

/**
 * The application that the examples test.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
@Import(TestDatabaseConfiguration.class)
class ExampleApplication {

	@Bean
	Mailbox mailbox() {
		return new Mailbox();
	}

	@Bean
	Clock clock() {
		return Clock.systemUTC();
	}

	@Bean
	SignUps signUps(JdbcClient jdbc, JobQueue jobQueue) {
		return new SignUps(jdbc, jobQueue);
	}

	@Bean
	ConfirmationEmails confirmationEmails(Mailbox mailbox) {
		return new ConfirmationEmails(mailbox);
	}

	@Bean
	Billing billing(JdbcClient jdbc) {
		return new Billing(jdbc);
	}

	record ConfirmationEmail(long userId) {
	}

	record Reminder(long userId) {
	}

	record Invoice(long userId, int amount) {
	}

	/**
	 * Stands for the outside.
	 */
	static class Mailbox {

		private final List<Long> sent = new ArrayList<>();

		List<Long> sent() {
			return this.sent;
		}

	}

	/**
	 * Enqueues jobs.
	 */
	static class SignUps {

		private final JdbcClient jdbc;

		private final JobQueue jobQueue;

		SignUps(JdbcClient jdbc, JobQueue jobQueue) {
			this.jdbc = jdbc;
			this.jobQueue = jobQueue;
		}

		@Transactional
		public void signUp(long userId) {
			this.jdbc.sql("INSERT INTO booking (amount) VALUES (0)").update();
			this.jobQueue.enqueue(new ConfirmationEmail(userId));
			this.jobQueue.enqueue(JobRequest.of("emails", new Reminder(userId)).delay(Duration.ofDays(3)));
		}

		@Transactional
		public JobReceipt bill(long userId, int amount) {
			return this.jobQueue.enqueue(new Invoice(userId, amount));
		}

	}

	/**
	 * Handles mails.
	 */
	@JobHandler(queue = "emails")
	static class ConfirmationEmails {

		private final Mailbox mailbox;

		ConfirmationEmails(Mailbox mailbox) {
			this.mailbox = mailbox;
		}

		void handle(ConfirmationEmail email) {
			this.mailbox.sent().add(email.userId());
		}

		void handle(Reminder reminder) {
			this.mailbox.sent().add(reminder.userId());
		}

	}

	/**
	 * Handles invoices.
	 */
	@JobHandler(queue = "invoices", delivery = Delivery.TRANSACTIONAL)
	static class Billing {

		private final JdbcClient jdbc;

		Billing(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		void handle(Invoice invoice) {
			this.jdbc.sql("INSERT INTO booking (amount) VALUES (?)").param(invoice.amount()).update();
		}

	}

}
