package io.jobqueue.boot.autoconfigure;

import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobQueue;
import io.jobqueue.JobQueueDataSource;
import io.jobqueue.JobQueueTransactionManager;
import io.jobqueue.boot.EmptyDatabase;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Which of several data sources and transaction managers the queue uses.
 */
class SeveralDataSourcesTests extends QueueTestBase {

	private final TestDatabase otherDatabase = TestPostgres.freshDatabase();

	private final DataSource orders = this.database.dataSource();

	private final DataSource jobs = this.otherDatabase.dataSource();

	private final JdbcTransactionManager jobsManager = new JdbcTransactionManager(this.jobs);

	SeveralDataSourcesTests() {
		super(EmptyDatabase.shared(), EmptyDatabase::clear);
	}

	@AfterEach
	void dropOtherDatabase() {
		this.otherDatabase.close();
	}

	@Test
	void markedOnesBeatThePrimaryOnes() {
		assertJobsAreRunThere(application(Role.PRIMARY, Role.MARKED, Role.MARKED));
	}

	@Test
	void markedOnesNeedNotBeCandidatesForOthers() {
		assertJobsAreRunThere(application(Role.ORDINARY, Role.ONLY_MARKED, Role.ONLY_MARKED));
	}

	@Test
	void primaryOnesAreUsedWhereNoneIsMarked() {
		assertJobsAreRunThere(application(Role.ORDINARY, Role.PRIMARY, Role.PRIMARY));
	}

	@Test
	void severalDataSourcesNeedAChoice() {
		FailureAnalysis analysis = failure(application(Role.ORDINARY, Role.ORDINARY, Role.ORDINARY));
		assertThat(analysis.getDescription())
			.isEqualTo("The job queue needs one DataSource, but there are several, and none is primary: orders, jobs.");
		assertThat(analysis.getAction()).isEqualTo("Mark the one to use with @JobQueueDataSource.");
	}

	@Test
	void severalTransactionManagersNeedAChoice() {
		FailureAnalysis analysis = failure(application(Role.ORDINARY, Role.MARKED, Role.ORDINARY));
		assertThat(analysis.getDescription()).isEqualTo(
				"The job queue needs one PlatformTransactionManager, but there are several, and none is primary: ordersManager, jobsManager.");
		assertThat(analysis.getAction()).isEqualTo("Mark the one to use with @JobQueueTransactionManager.");
	}

	@Test
	void transactionManagerMustBelongToTheDataSource() {
		FailureAnalysis analysis = failure(application(Role.PRIMARY, Role.MARKED, Role.ORDINARY));
		assertThat(analysis.getDescription()).isEqualTo(
				"The transactions of the JdbcTransactionManager of the DataSource 'orders' do not include writes through the DataSource 'jobs': a job would stay when its caller rolls back.");
		assertThat(analysis.getAction()).startsWith("Declare a transaction manager of the DataSource");
	}

	private ApplicationContextRunner application(Role ofOrders, Role ofJobs, Role ofJobsManager) {
		return this.contextRunner.withBean(Greetings.class)
			.withBean("orders", DataSource.class, () -> this.orders, ofOrders::apply)
			.withBean("jobs", DataSource.class, () -> this.jobs, ofJobs::apply)
			.withBean("ordersManager", PlatformTransactionManager.class, () -> new JdbcTransactionManager(this.orders),
					ofOrders::apply)
			.withBean("jobsManager", PlatformTransactionManager.class, () -> this.jobsManager, ofJobsManager::apply);
	}

	private static FailureAnalysis failure(ApplicationContextRunner runner) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		runner.run((context) -> failure.set(context.getStartupFailure()));
		return analyze(failure.get());
	}

	private void assertJobsAreRunThere(ApplicationContextRunner runner) {
		runner.run((context) -> {
			new TransactionTemplate(this.jobsManager).executeWithoutResult((status) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("rolled back"));
				status.setRollbackOnly();
			});
			context.getBean(JobQueue.class).enqueue(new Greeting("world"));
			await().until(context.getBean(Greetings.class)::received, (received) -> received.contains("world"));
			assertThat(context.getBean(Greetings.class).received()).containsExactly("world");
			assertThat(tables()).isEmpty();
		});
	}

	/**
	 * What a bean is among those of its type.
	 */
	private enum Role {

		ORDINARY, PRIMARY, MARKED, ONLY_MARKED;

		void apply(BeanDefinition definition) {
			definition.setPrimary(this == PRIMARY);
			AbstractBeanDefinition details = (AbstractBeanDefinition) definition;
			details.setDefaultCandidate(this != ONLY_MARKED);
			if (this == MARKED || this == ONLY_MARKED) {
				details.addQualifier(new AutowireCandidateQualifier(JobQueueDataSource.class));
				details.addQualifier(new AutowireCandidateQualifier(JobQueueTransactionManager.class));
			}
		}

	}

}
