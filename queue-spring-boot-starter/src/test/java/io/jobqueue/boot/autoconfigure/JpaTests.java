package io.jobqueue.boot.autoconfigure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.boot.MigratedDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Entities and jobs are of one transaction.
 */
class JpaTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner
		.withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
		.withUserConfiguration(Entities.class)
		.withPropertyValues("spring.jpa.hibernate.ddl-auto=create", "jobqueue.worker.enabled=false");

	JpaTests() {
		super(MigratedDatabase.create());
	}

	@Test
	void entityAndJobAreCommittedTogether() {
		this.application.run((context) -> {
			assertThat(context).getBean(PlatformTransactionManager.class).isInstanceOf(JpaTransactionManager.class);
			signUp(context, (status) -> {
			});
			assertThat(count("customer")).isOne();
			assertThat(count("jobqueue_job")).isOne();
		});
	}

	@Test
	void entityAndJobAreRolledBackTogether() {
		this.application.run((context) -> {
			signUp(context, TransactionStatus::setRollbackOnly);
			assertThat(count("customer")).isZero();
			assertThat(count("jobqueue_job")).isZero();
		});
	}

	@Test
	void entityAndScheduleAreRolledBackTogether() {
		this.application.run((context) -> {
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					entities(context).persist(new Customer(1));
					context.getBean(RecurringJobs.class)
						.save(RecurringJobRequest.of("digest-1", new Greeting("world")).cron("0 0 3 * * *"));
					assertThat(entities(context).createNativeQuery("SELECT count(*) FROM jobqueue_recurring")
						.getSingleResult()).isEqualTo(1L);
					status.setRollbackOnly();
				});
			assertThat(count("customer")).isZero();
			assertThat(count("jobqueue_recurring")).isZero();
		});
	}

	@Test
	void lazyEntityIsNoPayload() {
		this.application.run((context) -> {
			signUp(context, (status) -> {
			});
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> assertThatExceptionOfType(JobRejectedException.class)
					.isThrownBy(() -> context.getBean(JobQueue.class)
						.enqueue(entities(context).getReference(Customer.class, 1L)))
					.withMessageContaining("$HibernateProxy, a subclass of " + Customer.class.getName()));
		});
	}

	@Test
	void entitiesAreThereWhenOurTablesAre() {
		this.application.run((context) -> {
			EntityManager entities = entities(context);
			assertThat(entities.createNativeQuery("SELECT count(*) FROM jobqueue_jobs").getSingleResult())
				.isEqualTo(0L);
		});
	}

	/**
	 * The database refuses an entity that comes after the completion.
	 */
	@Test
	void entitiesOfAHandlerAreWrittenBeforeTheCompletion() {
		this.application.withPropertyValues("jobqueue.worker.enabled=true")
			.withBean(Registrations.class)
			.run((context) -> {
				this.sql.sql("""
						CREATE FUNCTION refuse_late() RETURNS trigger LANGUAGE plpgsql AS $$
						BEGIN
						    IF NOT EXISTS (SELECT 1 FROM jobqueue_job) THEN
						        RAISE 'The job is complete';
						    END IF;
						    RETURN NEW;
						END $$;
						CREATE TRIGGER refuse_late BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION refuse_late()
						""").update();
				context.getBean(JobQueue.class)
					.enqueue(JobRequest.of("registrations", new Greeting("world")).maxAttempts(1));
				await().until(() -> count("jobqueue_archive") == 1);
				assertThat(this.sql.sql("SELECT state, last_error FROM jobqueue_archive").query().singleRow())
					.containsEntry("state", "SUCCEEDED");
				assertThat(count("customer")).isOne();
			});
	}

	/**
	 * The second attempt inserts the key that the first one has inserted.
	 */
	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void transactionOfAStuckHandlerIsRolledBack() {
		this.application
			.withPropertyValues("jobqueue.worker.enabled=true", "jobqueue.defaults.max-run-time=1s",
					"jobqueue.defaults.backoff.type=fixed", "jobqueue.defaults.backoff.delay=10ms")
			.withBean(StuckRegistrations.class)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("registrations", new Greeting("world"));
				await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == 1);
				assertThat(count("customer")).isOne();
				context.getBean(StuckRegistrations.class).release.countDown();
			});
	}

	@Test
	void transactionsOfEntitiesAreNotShared() {
		this.application
			.withPropertyValues("jobqueue.worker.enabled=true", "jobqueue.queues.registrations.transaction-size=20")
			.withBean(Registrations.class)
			.run((context) -> {
				FailureAnalysis analysis = analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).startsWith(
						"The transaction-size of queue registrations is 20, but jobs cannot share transactions of JpaTransactionManager: ")
					.contains("'nestedTransactionAllowed'");
				assertThat(analysis.getAction()).startsWith(
						"Set 'jobqueue.queues.registrations.transaction-size' to 1, or mark a JdbcTransactionManager ");
			});
	}

	@Test
	void sizeOfTransactionsOfAQueueThatIsNotServedIsIgnored() {
		this.application
			.withPropertyValues("jobqueue.worker.enabled=true", "jobqueue.defaults.transaction-size=20",
					"jobqueue.worker.queues=others", "jobqueue.queues.others.concurrency=1")
			.withBean(Registrations.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	static class StuckRegistrations {

		private final EntityManager entities;

		private final CountDownLatch release = new CountDownLatch(1);

		StuckRegistrations(EntityManagerFactory factory) {
			this.entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
		}

		@JobHandler(queue = "registrations", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting, JobContext job) {
			this.entities.persist(new Customer(2));
			this.entities.flush();
			while (job.attempt() == 1 && this.release.getCount() > 0) {
				LockSupport.parkNanos(1_000_000);
				boolean unused = Thread.interrupted();
			}
		}

	}

	static class Registrations {

		private final EntityManager entities;

		Registrations(EntityManagerFactory factory) {
			this.entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
		}

		@JobHandler(queue = "registrations", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting) {
			this.entities.persist(new Customer(2));
		}

	}

	@Test
	void handlerRunsAgainIfTheScopeOfItsDataSourceIsRefreshed() {
		this.application.withUserConfiguration(RefreshedDataSource.class)
			.withPropertyValues("jobqueue.worker.enabled=true", "jobqueue.defaults.backoff.type=fixed",
					"jobqueue.defaults.backoff.delay=10ms")
			.withBean(RefreshingRegistrations.class)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("registrations", new Greeting("world"));
				await().until(() -> count("jobqueue_archive") == 1);
				assertThat(this.sql.sql("SELECT state, attempts, last_error FROM jobqueue_archive").query().singleRow())
					.containsEntry("state", "SUCCEEDED")
					.containsEntry("attempts", 2)
					.hasEntrySatisfying("last_error",
							(error) -> assertThat((String) error).contains("DataSource that was replaced"));
				assertThat(count("customer")).isOne();
				assertThat(count("jobqueue_job")).isOne();
			});
	}

	record RefreshingRegistrations(EntityManagerFactory factory, JobQueue queue, RefreshScope scope) {

		@JobHandler(queue = "registrations", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting, JobContext job) {
			SharedEntityManagerCreator.createSharedEntityManager(this.factory).persist(new Customer(2));
			this.queue.enqueue("receipts", greeting);
			if (job.attempt() == 1) {
				this.scope.refresh();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RefreshedDataSource {

		@Bean
		static RefreshScope refreshScope() {
			return new RefreshScope();
		}

		@Bean
		static CustomScopeConfigurer scopes(RefreshScope scope) {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("refresh", scope);
			return scopes;
		}

		@Bean
		@Scope(scopeName = "refresh", proxyMode = ScopedProxyMode.TARGET_CLASS)
		HikariDataSource dataSource(DataSourceProperties properties) {
			return properties.initializeDataSourceBuilder().type(HikariDataSource.class).build();
		}

	}

	/**
	 * A refresh replaces the pool; all are closed with the context, so that the handler's
	 * connection stays open.
	 */
	static final class RefreshScope extends SimpleThreadScope implements DisposableBean {

		private final Map<String, Object> beans = new HashMap<>();

		private final List<Runnable> destructions = new ArrayList<>();

		synchronized void refresh() {
			this.beans.clear();
		}

		@Override
		public synchronized Object get(String name, ObjectFactory<?> factory) {
			return this.beans.computeIfAbsent(name, (key) -> factory.getObject());
		}

		@Override
		public synchronized void registerDestructionCallback(String name, Runnable callback) {
			this.destructions.add(callback);
		}

		@Override
		public synchronized void destroy() {
			this.destructions.forEach(Runnable::run);
		}

	}

	@Test
	void transactionsWithoutJdbcAreRefused() {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		this.application.withBean(JpaTransactionManager.class, JpaTransactionManagerWithoutJdbc::new)
			.run((context) -> failure.set(context.getStartupFailure()));
		assertThat(analyze(failure.get()).getDescription()).startsWith(
				"The transactions of the JpaTransactionManagerWithoutJdbc do not include writes through the DataSource 'dataSource':");
	}

	private static void signUp(ApplicationContext context, Consumer<TransactionStatus> last) {
		new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
			entities(context).persist(new Customer(1));
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			last.accept(status);
		});
	}

	private static EntityManager entities(ApplicationContext context) {
		return SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
	}

	private long count(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage(basePackageClasses = Customer.class)
	static class Entities {

	}

	@SuppressWarnings("serial")
	static class JpaTransactionManagerWithoutJdbc extends JpaTransactionManager {

		@Override
		public void afterPropertiesSet() {
			super.afterPropertiesSet();
			setDataSource(null);
		}

	}

}
