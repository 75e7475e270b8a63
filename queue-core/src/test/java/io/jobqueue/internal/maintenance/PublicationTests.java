package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.jobqueue.Batch;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A database whose tables are all published, as for a replica or a data warehouse.
 */
class PublicationTests extends NodeTestBase {

	@Test
	void everythingIsWrittenAndPurged() {
		this.sql.sql("CREATE PUBLICATION everything FOR ALL TABLES").update();
		AtomicInteger handled = new AtomicInteger();
		QueueNode node = started((settings) -> settings.keepSucceeded(Duration.ofMillis(1))
			.handler((mail, job) -> handled.incrementAndGet()));
		UUID first = node.queue().enqueue(mail()).id();
		node.queue().enqueue(mail().after(first));
		node.queue().enqueue(mail().key("k").dedupeFor(Duration.ofMillis(1)));
		Batch batch = node.queue().batch("mails").then(mail()).onFailure(mail()).start();
		batch.add(List.of(mail(), mail()));
		batch.seal();
		await().untilAsserted(() -> assertThat(count("jobqueue_job")).isZero());
		assertThat(handled).hasValue(6);
		this.sql.sql("""
				UPDATE jobqueue_batch SET finished_at = finished_at - interval '8 days';
				INSERT INTO jobqueue_batch_tally SELECT id, 0, 0, 0, 0 FROM jobqueue_batch
				""").update();
		Purge purge = new Purge(PostgresStores.of(this.pool, null, null).maintenance());
		await().untilAsserted(() -> {
			assertThat(purge.runOnce()).isNotNegative();
			for (String table : List.of("archive", "batch", "batch_tally", "key", "dedupe", "dependency")) {
				assertThat(count("jobqueue_" + table)).as(table).isZero();
			}
		});
	}

	private static JobRequest mail() {
		return JobRequest.of(new Mail("hello"));
	}

}
