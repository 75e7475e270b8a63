package io.jobqueue.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

/**
 * The movements of an account are reported in their order.
 */
@Component
class Accounts {

	private final JdbcClient jdbc;

	private final JobQueue jobQueue;

	private final List<Long> reported = new CopyOnWriteArrayList<>();

	Accounts(JdbcClient jdbc, JobQueue jobQueue) {
		this.jdbc = jdbc;
		this.jobQueue = jobQueue;
	}

	@Transactional
	void move(long accountId, long cents) {
		this.jdbc.sql("UPDATE account SET cents = cents + ? WHERE id = ?").param(cents).param(accountId).update();
		this.jobQueue.enqueue(
				JobRequest.of(new AccountMoved(accountId, cents)).orderedBy("account-" + accountId).limitedBy("bank"));
	}

	@JobHandler(queue = "accounts")
	void report(AccountMoved moved) {
		this.reported.add(moved.cents());
	}

	List<Long> reported() {
		return this.reported;
	}

}
