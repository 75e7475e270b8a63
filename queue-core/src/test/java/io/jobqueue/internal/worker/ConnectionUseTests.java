package io.jobqueue.internal.worker;

import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.postgresql.transaction.DedicatedConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that take long need no connection, and hold no lock.
 */
@Tag("pooler") // state of sessions
class ConnectionUseTests extends NodeTestBase {

	private CountDownLatch release = new CountDownLatch(1);

	private HikariDataSource poolOfOne;

	@BeforeEach
	void shrinkThePool() {
		this.release = new CountDownLatch(1);
		this.poolOfOne = closeLater(pool(1));
	}

	@AfterEach
	void releaseHandlers() {
		this.release.countDown();
	}

	@Test
	void tenBlockedHandlersLeaveAPoolOfOneToOthers() {
		QueueNode node = nodeWithBlockedHandlers();
		UUID another = node.queue().enqueue(new Mail("quick")).id();
		awaitState(another, "SUCCEEDED");
		awaitHeartbeat();
		assertThat(count("jobqueue_job WHERE locked_by IS NOT NULL")).isEqualTo(10);
	}

	@Test
	void noTransactionOrLockIsHeldWhileHandlersRun() {
		nodeWithBlockedHandlers();
		await().until(() -> this.poolOfOne.getHikariPoolMXBean().getActiveConnections() == 0);
		await().until(() -> openTransactions() == 0);
		await().until(() -> locks() == 0);
	}

	@Test
	void heartbeatsNeedNoConnectionOfThePool() throws Exception {
		nodeWithBlockedHandlers();
		try (Connection taken = this.poolOfOne.getConnection()) {
			awaitHeartbeat();
			assertThat(taken.isClosed()).isFalse();
		}
	}

	@Test
	void signalsNeedNoConnectionOfThePool() throws Exception {
		try (Connection taken = this.poolOfOne.getConnection();
				DedicatedConnection beside = new DedicatedConnection(this.database.dataSource(), this.poolOfOne)) {
			assertThat(beside.<List<Integer>>execute((jdbc) -> jdbc.queryForList("SELECT 1", Integer.class)))
				.containsExactly(1);
			assertThat(taken.isClosed()).isFalse();
		}
	}

	private QueueNode nodeWithBlockedHandlers() {
		QueueNode node = node(
				settings(this.poolOfOne).concurrency(11).unpooled(this.database.dataSource()).handler((mail, job) -> {
					if (mail.text().equals("block")) {
						this.release.await();
					}
				}))
			.start();
		node.queue().enqueueAll(IntStream.range(0, 10).mapToObj((n) -> JobRequest.of(new Mail("block"))).toList());
		await().until(() -> count("jobqueue_job WHERE locked_by IS NOT NULL") == 10);
		return node;
	}

	private void awaitHeartbeat() {
		String last = lastActive();
		await().until(() -> !lastActive().equals(last));
	}

	private String lastActive() {
		return this.sql.sql("SELECT last_active_at FROM jobqueue_worker").query(String.class).single();
	}

	private long openTransactions() {
		return count("""
				pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL""");
	}

	private long locks() {
		List<String> tables = List.of("jobqueue_job", "jobqueue_claim", "jobqueue_worker");
		return tables.stream()
			.mapToLong((table) -> count(
					"pg_locks WHERE pid <> pg_backend_pid() AND relation = '%s'::regclass".formatted(table)))
			.sum();
	}

}
