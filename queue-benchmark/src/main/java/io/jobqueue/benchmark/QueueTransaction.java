package io.jobqueue.benchmark;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

/**
 * Writes a business row and its jobs as an application of the queue does.
 */
final class QueueTransaction implements EnqueueInTransaction.Transaction {

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final JobQueue queue;

	private final int jobs;

	QueueTransaction(MeasuredQueue queue, int jobs) {
		this.transaction = queue.transaction();
		this.jdbc = new JdbcTemplate(queue.dataSource());
		this.queue = queue.jobQueue();
		this.jobs = jobs;
	}

	@Override
	public void commit(int number) {
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update(PlainSql.INSERT_BUSINESS, "customer " + number);
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
