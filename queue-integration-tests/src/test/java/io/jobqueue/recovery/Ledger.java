package io.jobqueue.recovery;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.Delivery;

/**
 * What was ordered, beside the jobs, and what handlers did.
 */
final class Ledger {

	private final JdbcClient jdbc;

	Ledger(DataSource dataSource) {
		this.jdbc = JdbcClient.create(dataSource);
	}

	void create() {
		this.jdbc.sql("""
				CREATE TABLE ordered (job_id uuid PRIMARY KEY, delivery text NOT NULL);
				CREATE TABLE done (job_id uuid NOT NULL)
				""").update();
	}

	void order(UUID job, Delivery delivery) {
		this.jdbc.sql("INSERT INTO ordered VALUES (?, ?)").param(job).param(delivery.name()).update();
	}

	void done(UUID job) {
		this.jdbc.sql("INSERT INTO done VALUES (?)").param(job).update();
	}

	/**
	 * Return what became of each job that was ordered and has ended.
	 */
	List<Fate> fates() {
		return this.jdbc.sql("""
				SELECT o.delivery, a.state, a.last_error, a.attempts, a.failures, a.payload,
				       (SELECT count(*) FROM done d WHERE d.job_id = o.job_id) AS times
				FROM ordered o JOIN jobqueue_archive a ON a.id = o.job_id
				""").query(Fate.class).list();
	}

}
