package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limits hold only if all nodes have the same.
 */
class SharedQueuesTests extends NodeTestBase {

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
			SharedQueues limits = new SharedQueues(this.workers);
			limits.compare(own);
			limits.compare(own);
			assertThat(log.messages("differ")).containsExactly(
					"The limits of queue emails differ: rate 4 per 10s on this worker, c, but rate 2 per 10s on a and on 1 other worker. They are enforced only if all nodes have the same limits: configure the same values on all nodes");
		}
	}

	@Test
	void equalLimitsOtherQueuesAndDeadWorkersAreNotWarnedOf() {
		checkIn("a", "emails: rate 4 per 10s");
		checkIn("b", "other: rate 2 per 10s");
		checkIn("dead", "emails: rate 2 per 10s");
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = now() - interval '1 hour' WHERE name = 'dead'")
			.update();
		this.sql.sql("UPDATE jobqueue_worker SET queues = 'other' WHERE name = 'b'").update();
		Worker own = checkIn("c", "emails: rate 4 per 10s");
		try (CapturedLog log = new CapturedLog()) {
			new SharedQueues(this.workers).compare(own);
			assertThat(log.messages("differ")).isEmpty();
		}
	}

	@Test
	void queueOfTwoApplicationsIsWarnedOfOnce() {
		ofApplication("a", "crm");
		ofApplication("b", "crm");
		ofApplication("older", null);
		Worker own = ofApplication("c", "shop");
		try (CapturedLog log = new CapturedLog()) {
			SharedQueues queues = new SharedQueues(this.workers);
			queues.compare(own);
			queues.compare(own);
			assertThat(log.messages("two applications")).containsExactly(
					"Queue letters is served by two applications, 'shop' on this worker, c, and 'crm' on a: each runs jobs of the other if the names of their types are equal. Give each application queues or a schema (jobqueue.jdbc.schema) of its own");
		}
	}

	@Test
	void workersOfTheSameOrUnknownApplicationAreNotWarnedOf() {
		Worker unknown = ofApplication("a", null);
		ofApplication("b", "shop");
		Worker own = ofApplication("c", "shop");
		try (CapturedLog log = new CapturedLog()) {
			new SharedQueues(this.workers).compare(own);
			new SharedQueues(this.workers).compare(unknown);
			assertThat(log.messages("two applications")).isEmpty();
		}
	}

	private Worker ofApplication(String name, @Nullable String application) {
		Worker worker = new WorkerBuilder(UUID.randomUUID()).name(name)
			.queues("letters")
			.application(application)
			.build();
		this.workers.checkIn(worker, true);
		return worker;
	}

	private Worker checkIn(String name, String limits) {
		Worker worker = new WorkerBuilder(UUID.randomUUID()).name(name)
			.queues("emails", "letters")
			.limits(limits)
			.build();
		this.workers.checkIn(worker, true);
		return worker;
	}

}
