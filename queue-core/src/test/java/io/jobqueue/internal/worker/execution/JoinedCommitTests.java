package io.jobqueue.internal.worker.execution;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.internal.store.BoundTransactions;
import io.jobqueue.internal.store.BoundTransactions.QueueSynchronization;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JoinedCommit}.
 */
class JoinedCommitTests {

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource();

	private final JdbcTransactionManager manager = new JdbcTransactionManager(this.dataSource);

	@BeforeEach
	void begin() {
		TransactionSynchronizationManager.initSynchronization();
	}

	@AfterEach
	void end() {
		TransactionSynchronizationManager.clearSynchronization();
	}

	@Test
	void possibleWithTheManagersOfJdbc() {
		assertPossible(this.manager, true);
		assertPossible(new DataSourceTransactionManager(this.dataSource), true);
	}

	@Test
	@SuppressWarnings("serial")
	void impossibleWithSubclasses() {
		assertPossible(new JdbcTransactionManager(this.dataSource) {
		}, false);
	}

	@Test
	void possibleWithListenersOfTheQueueOnly() {
		this.manager.addListener(new BoundTransactions(this.dataSource));
		assertPossible(this.manager, true);
		this.manager.addListener(new TransactionExecutionListener() {
		});
		assertPossible(this.manager, false);
	}

	@Test
	void possibleWithCallbacksOfTheQueueOnly() {
		TransactionSynchronizationManager.registerSynchronization(new QueueSynchronization() {
		});
		assertPossible(this.manager, true);
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
		});
		assertPossible(this.manager, false);
	}

	private static void assertPossible(PlatformTransactionManager manager, boolean possible) {
		assertThat(new JoinedCommit(manager).isPossible()).isEqualTo(possible);
	}

}
