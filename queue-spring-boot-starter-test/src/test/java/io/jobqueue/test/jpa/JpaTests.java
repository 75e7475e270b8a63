package io.jobqueue.test.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.transaction.TestTransaction;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobType;
import io.jobqueue.test.AutoConfigureTestJobs;
import io.jobqueue.test.CrashPoint;
import io.jobqueue.test.TestDatabaseConfiguration;
import io.jobqueue.test.TestJobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * A slice, whose transaction manager has no savepoints, with a pool of one connection.
 */
@DataJpaTest(properties = { "spring.jpa.hibernate.ddl-auto=create", "spring.datasource.hikari.maximum-pool-size=1",
		"spring.datasource.hikari.connection-timeout=5000" })
@AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
@AutoConfigureTestJobs
class JpaTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private JobQueue queue;

	@Autowired
	private EntityManager entities;

	@Test
	void runsWithinTheTransaction() throws Exception {
		this.entities.persist(new Customer(1));
		this.queue.enqueue(new Greeting(1));
		assertThat(this.jobs.runNext().succeeded()).isTrue();
		assertThat(this.entities.find(Customer.class, 1L).greeted).isTrue();
		assertThat(TestTransaction.isFlaggedForRollback()).isTrue();
	}

	@Test
	void failureMarksTheTransactionRollbackOnly() {
		this.queue.enqueue(new Greeting(2));
		assertThatIllegalArgumentException().isThrownBy(this.jobs::runNext)
			.satisfies((failure) -> assertThat(failure.getSuppressed()).singleElement()
				.isInstanceOf(JobQueueException.class)
				.asString()
				.contains("has no savepoints, so that the transaction of the test is marked rollback-only"));
	}

	@Test
	void crashIsRefused() {
		this.queue.enqueue(new Greeting(1));
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> this.jobs.crashAt(CrashPoint.AFTER_HANDLER))
			.withMessageContaining("has no savepoints, which crashAt needs in the transaction of a test");
	}

	@Test
	void deleteAllNeedsNoSecondConnection() {
		this.queue.enqueue(new Greeting(1));
		this.jobs.deleteAll();
		assertThat(this.jobs).nothingEnqueued();
	}

	@JobType(queue = "greetings")
	record Greeting(long customer) {
	}

	@Entity(name = "customer")
	static class Customer {

		@Id
		private long id;

		private boolean greeted;

		Customer() {
		}

		Customer(long id) {
			this.id = id;
		}

	}

	static class Greetings {

		private final EntityManager entities;

		Greetings(EntityManager entities) {
			this.entities = entities;
		}

		@JobHandler(queue = "greetings", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting) {
			Customer customer = this.entities.find(Customer.class, greeting.customer());
			if (customer == null) {
				throw new IllegalArgumentException("unknown customer");
			}
			customer.greeted = true;
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EntityScan(basePackageClasses = Customer.class)
	@Import(TestDatabaseConfiguration.class)
	static class JpaApplication {

		@Bean
		Greetings greetings(EntityManager entities) {
			return new Greetings(entities);
		}

	}

}
