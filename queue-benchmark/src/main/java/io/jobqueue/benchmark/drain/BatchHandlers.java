package io.jobqueue.benchmark.drain;

import java.util.List;
import java.util.function.IntConsumer;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobHandler;
import io.jobqueue.JobType;
import io.jobqueue.benchmark.plain.PlainSql;

/**
 * Handlers that take 500 jobs in one call, and one that takes single jobs. Some insert a
 * row for each job.
 */
class BatchHandlers {

	private static final int SIZE = 500;

	private final JdbcTemplate jdbc;

	private volatile IntConsumer listener = (jobs) -> {
	};

	BatchHandlers(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Replace the listener.
	 * @param listener gets the number of jobs of each call, at its end
	 */
	void onCall(IntConsumer listener) {
		this.listener = listener;
	}

	@JobHandler(batchSize = SIZE)
	void handle(List<NoOpOfMany> jobs) {
		this.listener.accept(jobs.size());
	}

	@JobHandler(batchSize = SIZE)
	void insertAll(List<RowOfMany> rows) {
		String[] customers = rows.stream().map((row) -> PlainSql.customer(row.value())).toArray(String[]::new);
		this.jdbc.update(PlainSql.INSERT_ALL_BUSINESS, (Object) customers);
		this.listener.accept(rows.size());
	}

	@JobHandler
	void insert(Row row) {
		this.jdbc.update(PlainSql.INSERT_BUSINESS, PlainSql.customer(row.value()));
		this.listener.accept(1);
	}

	/**
	 * The payload of jobs that do nothing.
	 *
	 * @param value a number
	 */
	@JobType(queue = "no-ops-of-many")
	record NoOpOfMany(long value) {
	}

	/**
	 * The payload of jobs that insert a row together with others.
	 *
	 * @param value a number
	 */
	@JobType(queue = "rows-of-many")
	record RowOfMany(long value) {
	}

	/**
	 * The payload of jobs that insert a row.
	 *
	 * @param value a number
	 */
	@JobType(queue = "rows")
	record Row(long value) {
	}

}
