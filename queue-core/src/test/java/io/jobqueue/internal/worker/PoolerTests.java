package io.jobqueue.internal.worker;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.postgresql.schema.DatabaseCheck;
import io.jobqueue.internal.store.postgresql.schema.UnusableDatabaseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A node whose connections all lead through a pooler in transaction mode.
 */
@EnabledIfEnvironmentVariable(named = "QUEUE_TEST_PGBOUNCER", matches = ".+")
@Tag("pooler") // all connections lead through it
class PoolerTests extends NodeTestBase {

	private static final String SETTINGS = """
			SELECT name, setting FROM pg_settings
			WHERE name IN ('plan_cache_mode', 'jit', 'enable_seqscan', 'enable_bitmapscan', 'synchronous_commit',
			               'statement_timeout', 'max_parallel_workers_per_gather')
			ORDER BY name""";

	@Test
	void poolerIsLoggedOnceAndPollingFindsJobsOfOtherNodes() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = node(settings().listensOn(this.database.dataSource()).handler((mail, job) -> {
			})).start();
			await().until(() -> log.messages("LISTEN is unavailable, falling back to polling").size() == 1);
			assertThat(log.messages("a pooler in transaction mode keeps no session for this connection")).hasSize(1);
			awaitState(producer().queue().enqueue("emails", new Mail("hi")).id(), "SUCCEEDED");
			assertThat(node.remoteSignals().isConnected()).isFalse();
		}
	}

	/**
	 * The next user of a session must find it as it was.
	 */
	@Test
	void sessionsKeepTheirSettings() throws Exception {
		List<Map<String, Object>> untouched = new JdbcTemplate(this.database.directDataSource()).queryForList(SETTINGS);
		QueueNode node = started((settings) -> settings.listensOn(this.database.dataSource())
			.pollInterval(Duration.ofMillis(50))
			.handler((mail, job) -> assertThat(job.attempt()).isGreaterThan(1)));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "SUCCEEDED");
		assertThat(settingsOfSessions(8)).isNotEmpty().allSatisfy((found) -> assertThat(found).isEqualTo(untouched));
	}

	@Test
	void parameterThatThePoolerRefusesIsNoStoppedDatabase() {
		PGSimpleDataSource dataSource = (PGSimpleDataSource) this.database.dataSource();
		dataSource.setCurrentSchema("public");
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(() -> DatabaseCheck.check(dataSource))
			.withMessageContaining("unsupported startup parameter")
			.satisfies((ex) -> assertThat(ex.action()).contains("'ignore_startup_parameters'"));
	}

	private List<List<Map<String, Object>>> settingsOfSessions(int number) throws Exception {
		List<List<Map<String, Object>>> found = new ArrayList<>();
		for (int session = 0; session < number; session++) {
			Connection connection = closeLater(this.database.dataSource().getConnection());
			connection.setAutoCommit(false);
			found.add(new JdbcTemplate(new SingleConnectionDataSource(connection, true)).queryForList(SETTINGS));
		}
		return found;
	}

}
