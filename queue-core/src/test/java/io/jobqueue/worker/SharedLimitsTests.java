package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.ClusterLimits.Rate;
import io.jobqueue.store.WorkerStore;
import io.jobqueue.store.WorkerStore.Worker;
import io.jobqueue.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limits hold only if all nodes have the same.
 */
class SharedLimitsTests extends NodeTestBase {

	private final WorkerStore workers = PostgresStores.of(this.pool, null, null).workers();

	@Test
	void nodeWithoutTheLimitOfAnotherWarns() {
		try (CapturedLog log = new CapturedLog()) {
			started((settings) -> settings.limits(new ClusterLimits(3, new Rate(2, Duration.ofSeconds(10))))
				.handler((mail, job) -> {
				}));
			await().until(() -> count("jobqueue_worker WHERE limits <> ''") == 1);
			started((settings) -> settings.handler((mail, job) -> {
			}));
			await().until(() -> !log.messages("The limits of queue emails differ").isEmpty());
			assertThat(log.messages("The limits of queue emails differ")).singleElement()
				.asString()
				.startsWith("The limits of queue emails differ: none on this worker, ")
				.contains(", but cluster-concurrency 3, rate 2 per 10s on ")
				.endsWith(
						"They are enforced only if all nodes have the same limits: configure the same values on all nodes");
		}
	}

	@Test
	void eachQueueIsWarnedOfOnceWithTheNumberOfOthers() {
		checkIn("a", "emails: rate 2 per 10s; letters: cluster-concurrency 1");
		checkIn("b", "emails: rate 3 per 10s; letters: cluster-concurrency 1");
		Worker own = checkIn("c", "emails: rate 4 per 10s; letters: cluster-concurrency 1");
		try (CapturedLog log = new CapturedLog()) {
			SharedLimits limits = new SharedLimits(this.workers);
			limits.compare(own);
			limits.compare(own);
			assertThat(log.messages("differ")).containsExactly(
					"The limits of queue emails differ: rate 4 per 10s on this worker, c, but rate 2 per 10s on a and on 1 other worker. They are enforced only if all nodes have the same limits: configure the same values on all nodes");
		}
	}

	@Test
	void equalLimitsOtherQueuesAndDeadWorkersAreNoMatter() {
		checkIn("a", "emails: rate 4 per 10s");
		checkIn("b", "other: rate 2 per 10s");
		checkIn("dead", "emails: rate 2 per 10s");
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = now() - interval '1 hour' WHERE name = 'dead'")
			.update();
		this.sql.sql("UPDATE jobqueue_worker SET queues = 'other' WHERE name = 'b'").update();
		Worker own = checkIn("c", "emails: rate 4 per 10s");
		try (CapturedLog log = new CapturedLog()) {
			new SharedLimits(this.workers).compare(own);
			assertThat(log.messages("differ")).isEmpty();
		}
	}

	private Worker checkIn(String name, String limits) {
		Worker worker = new Worker(UUID.randomUUID(), name, List.of("emails", "letters"), UUID.randomUUID(),
				Duration.ofMinutes(1), limits);
		this.workers.checkIn(worker, true);
		return worker;
	}

}
