package io.jobqueue.internal.worker;

import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables may be in a schema that is not the connection's own.
 */
@Tag("pooler") // search path of sessions
class OtherSchemaTests extends NodeTestBase {

	private static final String SCHEMA = "Queue \"1\"";

	@Test
	void everythingHappensInThatSchema() {
		new SchemaMigration(this.database.directDataSource(), SCHEMA, true).afterPropertiesSet();
		QueueNode node = started((settings) -> settings.schema(SCHEMA)
			.listensOn(this.database.directDataSource())
			.handler((mail, job) -> assertThat(job.attempt()).isEqualTo(2)));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		await().until(() -> this.sql.sql("SELECT count(*) FROM \"Queue \"\"1\"\"\".jobqueue_archive WHERE id = ?")
			.param(job)
			.query(Long.class)
			.single() == 1);
		assertThat(count("jobqueue_jobs")).isZero();
		assertThat(count("jobqueue_worker")).isZero();
	}

}
