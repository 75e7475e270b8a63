package io.jobqueue.benchmark.enqueue;

import java.util.List;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.NoOp;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes a business row and its jobs as an application of the queue does.
 */
public final class QueueTransaction implements EnqueueInTransaction.Transaction {

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final JobQueue queue;

	private final int jobs;

	/**
	 * Prepare transactions. The table of the business must exist.
	 * @param queue the application
	 * @param jobs how many jobs a transaction has; one is enqueued by itself, more in one
	 * call
	 */
	public QueueTransaction(MeasuredQueue queue, int jobs) {
		this.transaction = queue.transaction();
		this.jdbc = new JdbcTemplate(queue.dataSource());
		this.queue = queue.jobQueue();
		this.jobs = jobs;
	}

	@Override
	public void commit(int number) {
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update(PlainSql.INSERT_BUSINESS, PlainSql.customer(number));
			enqueue(number);
		});
	}

	private void enqueue(int number) {
		if (this.jobs == 1) {
			this.queue.enqueue(new NoOp(number));
		}
		else {
			List<JobRequest> requests = MeasuredQueue.requests(number * this.jobs, (number + 1) * this.jobs);
			this.queue.enqueueAll(requests);
		}
	}

}
