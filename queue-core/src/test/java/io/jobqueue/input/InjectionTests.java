package io.jobqueue.input;

import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Text stays text, wherever it comes from: it never becomes SQL.
 */
class InjectionTests extends NodeTestBase {

	/**
	 * Ends a text, an identifier, a statement and a comment, and looks like a parameter
	 * in every notation.
	 */
	static final String EVIL = "';DROP/**/TABLE/**/jobqueue_worker;--\";ROLLBACK;*/$1?:x#{x}%s\\'$$E'\\047";

	private static final String EVIL_NAME = "s\"';DROP TABLE jobqueue_worker;--?$1";

	private static final BlockingQueue<JobContext> CONTEXTS = new LinkedBlockingQueue<>();

	private static final BlockingQueue<Object> PAYLOADS = new LinkedBlockingQueue<>();

	@BeforeEach
	void forget() {
		CONTEXTS.clear();
		PAYLOADS.clear();
	}

	@Test
	void typeHeadersPayloadWorkerNameAndErrorStayText() throws Exception {
		QueueNode node = started((settings) -> settings.name(EVIL).maxAttempts(2).bean(new Receiver()));
		UUID job = node.queue()
			.enqueue(JobRequest.of("evil", EVIL).type(EVIL).header(EVIL, EVIL).header("plain", EVIL))
			.id();
		JobContext first = CONTEXTS.poll(30, TimeUnit.SECONDS);
		assertThat(first.type()).isEqualTo(EVIL);
		assertThat(first.headers()).containsEntry(EVIL, EVIL).containsEntry("plain", EVIL);
		assertThat(PAYLOADS.poll(30, TimeUnit.SECONDS)).isEqualTo(EVIL);
		awaitState(job, "DEAD");
		assertThat(column("type", job, String.class)).isEqualTo(EVIL);
		assertThat(column("last_error", job, String.class)).contains(EVIL);
		assertThat(this.sql.sql("SELECT name FROM jobqueue_worker").query(String.class).list()).contains(EVIL);
		try (PostgresStores stores = PostgresStores.of(this.pool, null, null)) {
			assertThat(stores.monitoring().workers(EVIL).here()).isOne();
		}
	}

	@Test
	void manyJobsInOneStatementStayText() {
		QueueNode node = producer();
		JobRequest evil = JobRequest.of("evil", EVIL).type(EVIL).header(EVIL, EVIL);
		node.queue().enqueueAll(Collections.nCopies(3, evil));
		assertThat(count("jobqueue_job WHERE type = payload::json #>> '{}'")).isEqualTo(3);
	}

	@Test
	void queueIsRefused() {
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> producer().queue().enqueue(EVIL, new Mail("hi")))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("queue"));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void queueThatAWorkerIsToServeStaysText() {
		QueueNode node = started((settings) -> settings.serves(EVIL, "emails").handler((mail, job) -> {
		}));
		awaitState(node.queue().enqueue("emails", new Mail("hi")).id(), "SUCCEEDED");
	}

	@Test
	void schemaStaysAName() {
		new SchemaMigration(this.database.directDataSource(), EVIL_NAME, true).afterPropertiesSet();
		new SchemaMigration(this.database.dataSource(), EVIL_NAME, false).afterPropertiesSet();
		QueueNode node = started((settings) -> settings.schema(EVIL_NAME)
			.listensOn(this.database.directDataSource())
			.handler((mail, job) -> {
			}));
		node.queue().enqueue(new Mail("hi"));
		String archive = '"' + EVIL_NAME.replace("\"", "\"\"") + "\".jobqueue_archive";
		await().until(() -> count(archive) == 1);
		await().until(() -> node.remoteSignals().isConnected());
		assertThat(count("jobqueue_worker")).isZero();
	}

	static final class Receiver {

		@JobHandler(queue = "evil", type = EVIL)
		void fail(String payload, JobContext job) {
			CONTEXTS.add(job);
			PAYLOADS.add(payload);
			throw new IllegalStateException(EVIL);
		}

	}

}
