package io.jobqueue.store.postgresql.transaction;

import javax.sql.DataSource;

import org.springframework.core.InfrastructureProxy;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.store.BoundTransactions;

/**
 * Makes the statements of a {@code JdbcTemplate} join the transaction of their caller on
 * the connection on which it began, even if the target of the data source was replaced
 * since.
 */
public final class JoinedDataSource extends DelegatingDataSource implements InfrastructureProxy {

	private final BoundTransactions transactions;

	/**
	 * Create the data source.
	 * @param dataSource the application's data source
	 * @param transactions the transactions on it
	 */
	public JoinedDataSource(DataSource dataSource, BoundTransactions transactions) {
		super(dataSource);
		this.transactions = transactions;
	}

	@Override
	public Object getWrappedObject() {
		return this.transactions.key();
	}

}
