package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobQueue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that is enqueued in a listener of any phase exists if the call returns.
 */
class TransactionalEventListenerTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner.withBean(Listeners.class)
		.withPropertyValues("jobqueue.worker.enabled=false");

	@ParameterizedTest
	@CsvSource({ "true", "false" })
	void jobIsEnqueuedInATransactionOfJdbc(boolean autoCommit) {
		this.application.withPropertyValues("spring.datasource.hikari.auto-commit=" + autoCommit).run((context) -> {
			assertThat(context).getBean(PlatformTransactionManager.class).isInstanceOf(JdbcTransactionManager.class);
			assertJobOfEveryPhaseExists(context);
		});
	}

	@ParameterizedTest
	@CsvSource({ "true", "false" })
	void jobIsEnqueuedInATransactionOfJpa(boolean autoCommit) {
		this.application.withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
			.withUserConfiguration(Entities.class)
			.withPropertyValues("spring.datasource.hikari.auto-commit=" + autoCommit,
					"spring.jpa.properties.hibernate.connection.provider_disables_autocommit=" + !autoCommit)
			.run((context) -> {
				assertThat(context).getBean(PlatformTransactionManager.class).isInstanceOf(JpaTransactionManager.class);
				assertJobOfEveryPhaseExists(context);
			});
	}

	private void assertJobOfEveryPhaseExists(ApplicationContext context) {
		publish(context, TransactionPhase.BEFORE_COMMIT, false);
		publish(context, TransactionPhase.AFTER_COMMIT, false);
		publish(context, TransactionPhase.AFTER_COMPLETION, false);
		publish(context, TransactionPhase.AFTER_COMPLETION, true);
		publish(context, TransactionPhase.AFTER_ROLLBACK, true);
		assertThat(context.getBean(Listeners.class).enqueued).hasSize(5)
			.containsExactlyInAnyOrderElementsOf(this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list());
	}

	private static void publish(ApplicationContext context, TransactionPhase phase, boolean rolledBack) {
		new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
			context.publishEvent(new Ordered(phase));
			if (rolledBack) {
				status.setRollbackOnly();
			}
		});
	}

	/**
	 * Something happened.
	 */
	record Ordered(TransactionPhase phase) {
	}

	static class Listeners {

		private final JobQueue queue;

		private final List<UUID> enqueued = new CopyOnWriteArrayList<>();

		Listeners(JobQueue queue) {
			this.queue = queue;
		}

		@TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
		void beforeCommit(Ordered event) {
			enqueue(event, TransactionPhase.BEFORE_COMMIT);
		}

		@TransactionalEventListener
		void afterCommit(Ordered event) {
			enqueue(event, TransactionPhase.AFTER_COMMIT);
		}

		@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
		void afterRollback(Ordered event) {
			enqueue(event, TransactionPhase.AFTER_ROLLBACK);
		}

		@TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
		void afterCompletion(Ordered event) {
			enqueue(event, TransactionPhase.AFTER_COMPLETION);
		}

		private void enqueue(Ordered event, TransactionPhase phase) {
			if (event.phase() == phase) {
				this.enqueued.add(this.queue.enqueue(new Greeting("world")).id());
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage(basePackageClasses = Customer.class)
	static class Entities {

	}

}
