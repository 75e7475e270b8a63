package io.jobqueue.internal.worker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.QueuePause;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A dump of a queue at work can be restored: all tables as one snapshot saw them, as
 * {@code pg_dump} takes them.
 */
@Tag("slow") // dumps and restores a database
class RestoreTests extends NodeTestBase {

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	private TestDatabase restored;

	private JdbcClient there;

	@BeforeEach
	void createAnother() {
		this.restored = closeLater(TestPostgres.freshDatabase());
		this.there = JdbcClient.create(this.restored.dataSource());
	}

	@Test
	void restoredJobsRun() throws Exception {
		QueueNode node = worker(this.database.dataSource(), (mail, job) -> {
			if (mail.text().equals("bad")) {
				throw new IllegalStateException();
			}
			this.begun.countDown();
			this.release.await();
		});
		UUID dead = node.queue().enqueue(JobRequest.of(new Mail("bad")).maxAttempts(1)).id();
		awaitState(dead, "DEAD");
		UUID running = node.queue().enqueue(keyed("first")).id();
		this.begun.await();
		UUID followUp = node.queue().enqueue(keyed("second").onDuplicate(OnDuplicate.REQUEUE)).id();
		UUID later = node.queue().enqueue(JobRequest.of(new Mail("later")).delay(Duration.ofHours(1))).id();
		restore(dump());
		this.release.countDown();
		this.there.sql("INSERT INTO jobqueue_pause (queue, paused_at) VALUES ('emails', now())").update();
		QueueNode other = worker(this.restored.dataSource(), (mail, job) -> {
		});
		assertThat(other.operations().pauses()).extracting(QueuePause::queue).containsExactly("emails");
		await().until(() -> restoredState(running).equals("READY"));
		other.operations().resume("emails");
		await().until(() -> restoredState(followUp).equals("SUCCEEDED"));
		assertThat(restoredState(running)).isEqualTo("SUCCEEDED");
		assertThat(restoredState(later)).isEqualTo("SCHEDULED");
		assertThat(restoredState(dead)).isEqualTo("DEAD");
		UUID last = other.queue().enqueue(new Mail("last")).id();
		assertThat(this.there.sql("SELECT id FROM jobqueue_jobs ORDER BY seq").query(UUID.class).list())
			.containsExactly(dead, running, followUp, later, last);
	}

	private static JobRequest keyed(String text) {
		return JobRequest.of(new Mail(text)).key("k");
	}

	private QueueNode worker(DataSource dataSource, MailHandler.Behaviour behaviour) {
		return node(settings(dataSource).handler(behaviour).timeout(Duration.ofSeconds(3))).start();
	}

	private String restoredState(UUID job) {
		return this.there.sql("SELECT state FROM jobqueue_jobs WHERE id = ?").param(job).query(String.class).single();
	}

	private Map<String, byte[]> dump() throws Exception {
		List<String> tables = this.sql.sql("""
				SELECT tablename FROM pg_tables
				WHERE schemaname = current_schema() AND tablename LIKE 'jobqueue%'
				  AND tablename NOT IN ('jobqueue_version', 'jobqueue_schema_history')
				""").query(String.class).list();
		Map<String, byte[]> dump = new LinkedHashMap<>();
		try (Connection connection = this.database.dataSource().getConnection()) {
			connection.setAutoCommit(false);
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			for (String table : tables) {
				ByteArrayOutputStream rows = new ByteArrayOutputStream();
				connection.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY %s TO STDOUT".formatted(table), rows);
				dump.put(table, rows.toByteArray());
			}
			connection.rollback();
		}
		return dump;
	}

	private void restore(Map<String, byte[]> dump) throws Exception {
		new SchemaMigration(this.restored.directDataSource(), null, true).afterPropertiesSet();
		try (Connection connection = this.restored.dataSource().getConnection()) {
			for (Map.Entry<String, byte[]> table : dump.entrySet()) {
				connection.unwrap(PGConnection.class)
					.getCopyAPI()
					.copyIn("COPY %s FROM STDIN".formatted(table.getKey()), new ByteArrayInputStream(table.getValue()));
			}
		}
		this.there.sql("""
				SELECT setval(pg_get_serial_sequence('jobqueue_job', 'seq'), (SELECT max(seq) FROM jobqueue_jobs))
				""").query(Long.class).single();
	}

}
