package io.jobqueue.internal.event;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobEnqueued;
import io.jobqueue.JobEvent;
import io.jobqueue.JobState;
import io.jobqueue.harness.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of events when listeners are slow.
 */
class EventThreadTests {

	private static final JobEvent EVENT = new JobEnqueued(new JobInfoBuilder(new UUID(0, 0), JobState.READY).build());

	private final AtomicInteger delivered = new AtomicInteger();

	private final CountDownLatch release = new CountDownLatch(1);

	private final EventThread thread = new EventThread("node", this::deliver);

	@AfterEach
	void close() {
		this.release.countDown();
		this.thread.close(Duration.ofSeconds(10));
	}

	@Test
	void eventsBeyondTheBacklogAreLostAndCounted() {
		try (CapturedLog log = new CapturedLog()) {
			this.thread.publish(Collections.nCopies(EventThread.MAX_BACKLOG, EVENT));
			this.thread.publish(List.of(EVENT));
			this.thread.publish(List.of(EVENT, EVENT));
			assertThat(log.messages("events behind")).hasSize(1);
			this.release.countDown();
			Awaitility.await().until(() -> this.delivered.get() == EventThread.MAX_BACKLOG);
			this.thread.publish(List.of(EVENT));
			assertThat(log.messages("have caught up; dropped events: 3")).hasSize(1);
			Awaitility.await().until(() -> this.delivered.get() == EventThread.MAX_BACKLOG + 1);
		}
	}

	@Test
	void manyEventsOfOneCommitAreNoBacklog() {
		this.thread.publish(Collections.nCopies(2 * EventThread.MAX_BACKLOG, EVENT));
		this.release.countDown();
		Awaitility.await().until(() -> this.delivered.get() == 2 * EventThread.MAX_BACKLOG);
	}

	/**
	 * The executor refuses events after the close, as it does without a thread.
	 */
	@Test
	void eventsThatCannotBeQueuedAreNoBacklog() {
		this.thread.close(Duration.ZERO);
		for (int call = 0; call < 2; call++) {
			assertThatExceptionOfType(RejectedExecutionException.class)
				.isThrownBy(() -> this.thread.publish(Collections.nCopies(EventThread.MAX_BACKLOG, EVENT)));
		}
	}

	@Test
	void stopWaitsForListenersForALimitedTime() {
		try (CapturedLog log = new CapturedLog()) {
			this.thread.publish(List.of(EVENT, EVENT));
			this.thread.close(Duration.ofMillis(50));
			assertThat(log.messages("before the stop; dropped events: 2")).hasSize(1);
		}
	}

	private void deliver(Object event) {
		try {
			this.release.await();
			this.delivered.incrementAndGet();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
