package io.jobqueue.benchmark.transactional;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.benchmark.plain.PlainSql;

/**
 * Inserts the row of a purchase by {@link JdbcTemplate}.
 */
class JdbcPurchases extends Purchases {

	private final JdbcTemplate jdbc;

	JdbcPurchases(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@JobHandler(delivery = Delivery.TRANSACTIONAL)
	void handle(Purchase purchase) {
		insert(purchase.number());
	}

	/**
	 * Insert a row. This is also the method that transaction-outbox calls, which stores
	 * only arguments of common types.
	 */
	void insert(long number) {
		this.jdbc.update(PlainSql.INSERT_BUSINESS, PlainSql.customer(number));
		inserted(number);
	}

}
