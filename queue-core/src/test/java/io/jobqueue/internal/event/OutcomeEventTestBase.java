package io.jobqueue.internal.event;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.BeforeEach;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobEnqueued;
import io.jobqueue.JobEvent;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInfo;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

/**
 * Runs jobs, and records their events.
 */
abstract class OutcomeEventTestBase extends NodeTestBase {

	final RuntimeException refused = new IllegalStateException("refused");

	RecordedEvents events = new RecordedEvents();

	CountDownLatch begun = new CountDownLatch(1);

	CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void prepare() {
		this.events = new RecordedEvents();
		this.begun = new CountDownLatch(1);
		this.release = new CountDownLatch(1);
	}

	final UUID run(Delivery delivery, Behaviour behaviour) {
		return start(delivery, behaviour, (settings) -> settings).queue().enqueue("emails", new Mail("hi")).id();
	}

	final QueueNode start(Delivery delivery, Behaviour behaviour, UnaryOperator<TestNodeSettings> settings) {
		return started((node) -> settings.apply(node.bean(this.events).bean(switch (delivery) {
			case AT_LEAST_ONCE -> new AtLeastOnce(behaviour);
			case TRANSACTIONAL -> new Transactional(behaviour);
			case AT_MOST_ONCE -> new AtMostOnce(behaviour);
		})));
	}

	final JobResult block(JobContext job) throws InterruptedException {
		this.begun.countDown();
		this.release.await();
		return JobResult.success();
	}

	final List<JobInfo> received(Class<? extends JobEvent> kind) {
		await().until(() -> !this.events.of(kind).isEmpty());
		return this.events.of(kind).stream().map(JobEvent::job).toList();
	}

	/**
	 * Once, after its commit.
	 */
	final void assertOnlyReceived(Class<? extends JobEvent> kind) {
		await().during(Duration.ofMillis(300))
			.until(() -> this.events.all().size() == 2 && this.events.of(kind).size() == 1
					&& this.events.of(JobEnqueued.class).size() == 1);
	}

	final Instant time(String column, UUID job) {
		return column(column, job, Timestamp.class).toInstant();
	}

	/**
	 * What a handler does.
	 */
	interface Behaviour {

		JobResult handle(JobContext job) throws Exception;

	}

	record AtLeastOnce(Behaviour behaviour) {

		@JobHandler(queue = "emails")
		JobResult run(Mail mail, JobContext job) throws Exception {
			return this.behaviour.handle(job);
		}

	}

	record Transactional(Behaviour behaviour) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		JobResult run(Mail mail, JobContext job) throws Exception {
			return this.behaviour.handle(job);
		}

	}

	record AtMostOnce(Behaviour behaviour) {

		@JobHandler(queue = "emails", delivery = Delivery.AT_MOST_ONCE)
		JobResult run(Mail mail, JobContext job) throws Exception {
			return this.behaviour.handle(job);
		}

	}

}
