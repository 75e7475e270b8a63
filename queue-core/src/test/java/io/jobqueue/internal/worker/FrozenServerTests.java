package io.jobqueue.internal.worker;

import java.sql.Connection;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TcpProxy;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that neither answers nor closes its connections, as a host that vanished. The
 * minute that a worker waits for its answer is spent beside other tests.
 */
@Timeout(300)
@Tag("slow") // waits a minute
class FrozenServerTests extends NodeTestBase {

	/**
	 * What polls and claims name, and no statement of another task that the lock blocks.
	 */
	private static final String OF_THE_FETCHER = "RECURSIVE served|request AS";

	/**
	 * The freeze comes while the worker waits for the answer to a poll or a claim.
	 */
	@Test
	void workerGivesUpACallAfterAMinuteAndGoesOn() throws Exception {
		PGSimpleDataSource direct = (PGSimpleDataSource) this.database.directDataSource();
		TcpProxy way = closeLater(new TcpProxy(direct.getServerNames()[0], direct.getPortNumbers()[0]));
		PGSimpleDataSource behind = (PGSimpleDataSource) this.database.directDataSource();
		behind.setServerNames(new String[] { "127.0.0.1" });
		behind.setPortNumbers(new int[] { way.port() });
		try (CapturedLog log = new CapturedLog(); Connection other = direct.getConnection()) {
			QueueNode node = node(
					settings(behind).timeout(ofMinutes(30)).reaperInterval(ofMinutes(30)).handler((mail, job) -> {
					}))
				.start();
			awaitState(node.queue().enqueue(new Mail("before")).id(), "SUCCEEDED");
			other.setAutoCommit(false);
			other.createStatement().execute("LOCK TABLE jobqueue_job IN ACCESS EXCLUSIVE MODE");
			await().until(() -> count("pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
					+ " AND query ~ '" + OF_THE_FETCHER + "'") > 0);
			way.freeze();
			other.rollback();
			way.restore();
			UUID job = producer().queue().enqueue("emails", new Mail("meanwhile")).id();
			Awaitility.await()
				.atLeast(ofSeconds(30))
				.atMost(ofSeconds(90))
				.until(() -> !log.messages("Claiming jobs failed; will retry").isEmpty());
			Awaitility.await().atMost(ofMinutes(2)).until(() -> state(job).equals("SUCCEEDED"));
			assertThat(log.messages("Claiming jobs failed; will retry")).hasSize(1);
		}
	}

}
