package io.jobqueue.benchmark.enqueue;

import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.plain.PlainTransaction;
import io.jobqueue.benchmark.subject.MeasuredQueue;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes a business row and its jobs as an application with Spring and without a queue
 * does.
 */
final class SpringTransaction implements EnqueueInTransaction.Transaction {

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final PlainTransaction plain;

	/**
	 * Prepare transactions. The table of the business must exist.
	 * @param queue the application
	 * @param plain what inserts the jobs of a transaction
	 */
	SpringTransaction(MeasuredQueue queue, PlainTransaction plain) {
		this.transaction = queue.transaction();
		this.jdbc = new JdbcTemplate(queue.dataSource());
		this.plain = plain;
	}

	@Override
	public void commit(int number) {
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update(PlainSql.INSERT_BUSINESS, PlainSql.customer(number));
			this.jdbc.update(this.plain.insert(), (statement) -> this.plain.setJobs(statement, number));
		});
	}

}
