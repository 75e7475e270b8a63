package io.jobqueue.input;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node with a hundred handlers among ten thousand queues.
 */
class ManyQueuesTests extends NodeTestBase {

	private static final int HANDLERS = 100;

	private static final int QUEUES = 10_000;

	/**
	 * Of every length from the shortest to the longest.
	 */
	private static final List<String> SERVED = IntStream.rangeClosed(1, HANDLERS).mapToObj("q"::repeat).toList();

	@Test
	void eachHandlerRunsTheJobsOfItsQueueOnly() {
		enqueueElsewhere();
		QueueNode node = node(handlers(settings()));
		List<JobRequest> requests = SERVED.stream().map((queue) -> JobRequest.of(queue, new Mail("hi"))).toList();
		node.queue().enqueueAll(requests);
		node.start();
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == HANDLERS);
		assertThat(this.sql.sql("SELECT queue FROM jobqueue_archive").query(String.class).list())
			.containsExactlyInAnyOrderElementsOf(SERVED);
		assertThat(count("jobqueue_job WHERE attempts = 0")).isEqualTo(QUEUES);
		node.queue().enqueueAll(requests);
		await().until(() -> count("jobqueue_archive") == 2 * HANDLERS);
	}

	@Test
	void gaugesShowTheRequestedQueues() {
		enqueueElsewhere();
		PostgresStores stores = closeLater(PostgresStores.of(this.pool, null, null));
		assertThat(stores.monitoring().read(Set.of("elsewhere-9999", "elsewhere-999")).tiers())
			.extracting((reading) -> reading.queue())
			.contains("elsewhere-9999", "elsewhere-999");
	}

	private void enqueueElsewhere() {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), now(), now(), 10, 'elsewhere-' || n, 'mail', '{"text":"hi"}'
				FROM generate_series(1, ?) n
				""").param(QUEUES).update();
	}

	private static TestNodeSettings handlers(TestNodeSettings settings) {
		AtomicInteger next = new AtomicInteger();
		settings.placeholder("queue", () -> SERVED.get(next.getAndIncrement())).concurrency(1);
		Collections.nCopies(HANDLERS, new Served()).forEach(settings::bean);
		return settings;
	}

	static final class Served {

		@JobHandler(queue = "${queue}")
		void handle(Mail mail) {
			assertThat(mail.text()).isEqualTo("hi");
		}

	}

}
