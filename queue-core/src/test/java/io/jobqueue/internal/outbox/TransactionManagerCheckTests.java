package io.jobqueue.internal.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class TransactionManagerCheckTests {

	private final TestDatabase database = TestPostgres.freshDatabase();

	private final DataSource dataSource = this.database.dataSource();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void managerOfTheDataSourceIsAccepted() {
		assertAccepted(new JdbcTransactionManager(this.dataSource), this.dataSource);
	}

	@Test
	void managerOfTheTargetOfAProxyIsAccepted() {
		DataSource proxy = new TransactionAwareDataSourceProxy(this.dataSource);
		assertAccepted(new JdbcTransactionManager(proxy), proxy);
		assertAccepted(new JdbcTransactionManager(this.dataSource), proxy);
	}

	@Test
	void managerOfAnotherDataSourceIsRefused() {
		assertRefused(new JdbcTransactionManager(this.database.dataSource()), this.dataSource);
	}

	/**
	 * Spring would hand out different connections.
	 */
	@Test
	void managerOfAnotherProxyIsRefused() {
		assertRefused(new JdbcTransactionManager(new LazyConnectionDataSourceProxy(this.dataSource)), this.dataSource);
	}

	@Test
	void managerThatEnlistsConnectionsIsAccepted() {
		assertAccepted(new GlobalTransactionManager(), new EnlistedDataSource(this.dataSource));
	}

	@Test
	void managerThatDoesNotEnlistThemIsRefused() {
		assertRefused(new GlobalTransactionManager(), this.dataSource);
	}

	@Test
	void connectionsThatNeverCommitByThemselvesProveNothing() {
		assertRefused(new GlobalTransactionManager(), new ManualDataSource(this.dataSource));
	}

	@Test
	void managerWithoutSynchronizationsIsRefused() {
		JdbcTransactionManager manager = new JdbcTransactionManager(this.dataSource);
		manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> TransactionManagerCheck.check(manager, this.dataSource, (dataSource) -> "'jobs'"))
			.satisfies((ex) -> {
				assertThat(ex.description())
					.startsWith("The transactions of the JdbcTransactionManager of 'jobs' have no synchronizations");
				assertThat(ex.action()).contains("SYNCHRONIZATION_NEVER");
			});
		assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
	}

	/**
	 * Other tests on this thread may have left an entry of a transaction whose callbacks
	 * threw.
	 */
	@Test
	void nothingIsLeftBehind() {
		Map<Object, Object> before = Map.copyOf(TransactionSynchronizationManager.getResourceMap());
		TransactionManagerCheck.check(new JdbcTransactionManager(this.dataSource), this.dataSource, String::valueOf);
		assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEqualTo(before);
	}

	private static void assertAccepted(PlatformTransactionManager manager, DataSource dataSource) {
		assertThatNoException().isThrownBy(() -> TransactionManagerCheck.check(manager, dataSource, String::valueOf));
	}

	private static void assertRefused(PlatformTransactionManager manager, DataSource dataSource) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> TransactionManagerCheck.check(manager, dataSource, String::valueOf))
			.satisfies((ex) -> assertThat(ex.description()).contains(manager.getClass().getSimpleName()));
	}

	/**
	 * Begins transactions as JTA does, without a connection.
	 */
	@SuppressWarnings("serial")
	private static final class GlobalTransactionManager extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

	/**
	 * Hands out connections as an XA pool does.
	 */
	private static final class EnlistedDataSource extends DelegatingDataSource {

		EnlistedDataSource(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			connection.setAutoCommit(!TransactionSynchronizationManager.isActualTransactionActive());
			return connection;
		}

	}

	private static final class ManualDataSource extends DelegatingDataSource {

		ManualDataSource(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			connection.setAutoCommit(false);
			return connection;
		}

	}

}
