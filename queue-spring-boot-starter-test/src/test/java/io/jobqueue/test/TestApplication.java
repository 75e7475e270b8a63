package io.jobqueue.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.AsyncJob;
import io.jobqueue.Delivery;
import io.jobqueue.JobBatch;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;
import io.jobqueue.RecurringJob;

/**
 * An application with a handler for each delivery.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
@Import(TestDatabaseConfiguration.class)
class TestApplication {

	private static final Duration PAUSE = Duration.ofMillis(1);

	@Bean
	Mails mails(JdbcClient jdbc, TransactionTemplate transaction) {
		return new Mails(jdbc, transaction);
	}

	@Bean
	Bookings bookings(JdbcClient jdbc) {
		return new Bookings(jdbc);
	}

	@Bean
	Texts texts() {
		return new Texts();
	}

	@Bean
	Chains chains(JobQueue queue) {
		return new Chains(queue);
	}

	@Bean
	Exports exports() {
		return new Exports();
	}

	@Bean
	Postcards postcards() {
		return new Postcards();
	}

	@Bean
	Ledgers ledgers() {
		return new Ledgers();
	}

	@Bean
	Archives archives(JdbcClient jdbc) {
		return new Archives(jdbc);
	}

	@Bean
	Newsletters newsletters(JdbcClient jdbc) {
		return new Newsletters(jdbc);
	}

	/**
	 * @param attentive whether it ends when its cancellation is requested, else it waits
	 * for an interrupt
	 */
	@JobType(queue = "exports")
	record Export(boolean attentive) {
	}

	@JobType(queue = "postcards")
	record Postcard(String recipient) {
	}

	@JobType(queue = "ledgers")
	record Ledger(int year) {
	}

	@JobType(queue = "emails")
	record Mail(String recipient) {
	}

	@JobType(queue = "bookings")
	record Booking(int amount) {
	}

	@JobType(queue = "texts")
	record Text(String recipient) {
	}

	/**
	 * @param left the number of jobs to follow, negative for no end
	 */
	@JobType(queue = "chains")
	record Chain(int left) {
	}

	/**
	 * Takes several postcards in one call, and refuses those to {@code nobody}.
	 */
	static class Postcards {

		private final List<Integer> sizes = new ArrayList<>();

		@JobHandler(queue = "postcards", batchSize = 10, batchWait = "500ms")
		List<JobResult> handle(List<Postcard> postcards) {
			this.sizes.add(postcards.size());
			return postcards.stream()
				.map((postcard) -> postcard.recipient().equals("nobody") ? JobResult.fail("no address")
						: JobResult.success())
				.toList();
		}

		List<Integer> sizes() {
			return this.sizes;
		}

	}

	/**
	 * Stores a mail in a transaction of its own, and fails after that for the recipient
	 * {@code nobody}.
	 */
	@JobHandler(queue = "emails", maxAttempts = 3, backoff = "10m")
	static class Mails {

		private final JdbcClient jdbc;

		private final TransactionTemplate transaction;

		Mails(JdbcClient jdbc, TransactionTemplate transaction) {
			this.jdbc = jdbc;
			this.transaction = transaction;
		}

		JobResult handle(Mail mail, JobContext job) {
			job.extend(Duration.ofHours(1));
			job.progress(50, mail.recipient());
			this.transaction.executeWithoutResult((status) -> {
				this.jdbc.sql("INSERT INTO mail (recipient) VALUES (?)").param(mail.recipient()).update();
				if (mail.recipient().equals("broken")) {
					this.jdbc.sql("SELECT 1 / 0").query().singleValue();
				}
			});
			if (mail.recipient().equals("nobody")) {
				throw new IllegalArgumentException("nobody has no address");
			}
			return mail.recipient().equals("later") ? JobResult.snooze(Duration.ofHours(1)) : JobResult.success();
		}

		@RecurringJob(name = "newsletter", fixedRate = "1d")
		void newsletter() {
			this.jdbc.sql("INSERT INTO mail (recipient) VALUES ('readers')").update();
		}

	}

	/**
	 * Books in the transaction of its job. The amount zero is refused.
	 */
	static class Bookings {

		private final AtomicInteger callbacks = new AtomicInteger();

		private final JdbcClient jdbc;

		Bookings(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		/**
		 * Return how many callbacks before the commit have run, and reset it.
		 */
		int callbacks() {
			return this.callbacks.getAndSet(0);
		}

		@JobHandler(queue = "bookings", delivery = Delivery.TRANSACTIONAL, backoff = "10m")
		JobResult handle(Booking booking) {
			this.jdbc.sql("INSERT INTO booking (amount) VALUES (?)").param(booking.amount()).update();
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					Bookings.this.callbacks.incrementAndGet();
				}

			});
			return (booking.amount() == 0) ? JobResult.fail("nothing to book") : JobResult.success();
		}

	}

	/**
	 * Sends a text at most once.
	 */
	static class Texts {

		@JobHandler(queue = "texts", delivery = Delivery.AT_MOST_ONCE)
		void handle(Text text) {
		}

	}

	/**
	 * Goes on until it is cancelled.
	 */
	static class Exports {

		@JobHandler(queue = "exports")
		JobResult handle(Export export, JobContext job) throws InterruptedException {
			job.extend(Duration.ofHours(1));
			job.progress(30, "rows");
			if (!export.attentive()) {
				new CountDownLatch(1).await();
			}
			while (!job.cancelRequested()) {
				LockSupport.parkNanos(PAUSE.toNanos());
			}
			return JobResult.fail("cancelled after 30 rows");
		}

	}

	/**
	 * Takes several ledgers in one call, and goes on for 300 ms once one is cancelled.
	 */
	static class Ledgers {

		private final AtomicBoolean ended = new AtomicBoolean();

		@JobHandler(queue = "ledgers", batchSize = 10)
		void handle(JobBatch<Ledger> ledgers) throws InterruptedException {
			JobContext job = ledgers.items().get(0).job();
			job.progress(30, "rows");
			while (!job.cancelRequested()) {
				LockSupport.parkNanos(PAUSE.toNanos());
			}
			new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
			this.ended.set(true);
		}

		boolean haveEnded() {
			return this.ended.get();
		}

	}

	/**
	 * Stores a mail for each reader, each in a job of its own.
	 */
	static class Newsletters {

		private final JdbcClient jdbc;

		Newsletters(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@AsyncJob(value = "subscriber", queue = "newsletters", maxAttempts = 1)
		JobReceipt send(String subscriber, int edition) {
			this.jdbc.sql("INSERT INTO mail (recipient) VALUES (?)").param(subscriber + " " + edition).update();
			return null;
		}

	}

	/**
	 * Stores what is published.
	 */
	static class Archives {

		private final JdbcClient jdbc;

		Archives(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@JobHandler(topic = "news", subscriber = "archives")
		void archive(Mail mail) {
			this.jdbc.sql("INSERT INTO mail (recipient) VALUES (?)").param("archived " + mail.recipient()).update();
		}

	}

	/**
	 * Enqueues the next job of a chain.
	 */
	static class Chains {

		private final JobQueue queue;

		Chains(JobQueue queue) {
			this.queue = queue;
		}

		@JobHandler(queue = "chains")
		void handle(Chain chain) {
			if (chain.left() != 0) {
				this.queue.enqueue(new Chain(chain.left() - 1));
			}
		}

	}

}
