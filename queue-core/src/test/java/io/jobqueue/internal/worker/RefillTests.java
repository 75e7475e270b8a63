package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobContext;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs do not wait for jobs that take long or fail.
 */
class RefillTests extends NodeTestBase {

	private CountDownLatch release = new CountDownLatch(1);

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger mostRunning = new AtomicInteger();

	@BeforeEach
	void blockHandlers() {
		this.release = new CountDownLatch(1);
	}

	@Test
	void siblingsOfABlockedHandlerGoOn() {
		QueueNode node = started((settings) -> settings.handler(this::handle).concurrency(3));
		UUID blocked = node.queue().enqueue(JobRequest.of(new Mail("block")).priority(Priority.INTERACTIVE)).id();
		awaitState(blocked, "RUNNING");
		node.queue().enqueueAll(mails("quick", 100));
		await().until(() -> count("jobqueue_archive") == 100);
		assertThat(state(blocked)).isEqualTo("RUNNING");
		this.release.countDown();
		awaitState(blocked, "SUCCEEDED");
	}

	@Test
	void bufferedJobsDoNotWaitForABlockedHandler() {
		QueueNode node = started((settings) -> settings.handler(this::handle).concurrency(2));
		node.queue().enqueueAll(mails("quick", 300));
		await().until(() -> count("jobqueue_archive") == 300);
		node.queue().enqueueAll(List.of(JobRequest.of(new Mail("block")), JobRequest.of(new Mail("quick"))));
		node.queue().enqueueAll(mails("quick", 50));
		await().until(() -> count("jobqueue_archive") == 351);
		this.release.countDown();
	}

	@Test
	void bufferedJobsMoveToANodeWithAFreeHandler() {
		QueueNode busy = started((settings) -> settings.handler(this::handle).concurrency(1));
		busy.queue().enqueueAll(mails("quick", 50));
		await().until(() -> count("jobqueue_archive") == 50);
		busy.queue()
			.enqueueAll(Stream
				.concat(Stream.of(JobRequest.of(new Mail("block")).priority(Priority.INTERACTIVE)),
						mails("quick", 40).stream())
				.toList());
		await().until(() -> count("jobqueue_job WHERE locked_by IS NOT NULL") > 1);
		started((settings) -> settings.handler(this::handle).concurrency(1));
		await().until(() -> count("jobqueue_archive WHERE attempts = 1") == 90);
		this.release.countDown();
	}

	@Test
	void asManyHandlersRunAsTheConcurrencySays() {
		QueueNode node = started((settings) -> settings.handler(this::countAndBlock).concurrency(3));
		node.queue().enqueueAll(mails("block", 10));
		await().until(() -> this.running.get() == 3);
		node.queue().enqueue(new Mail("block"));
		await().during(Duration.ofMillis(300)).until(() -> this.running.get() == 3);
		this.release.countDown();
		await().until(() -> count("jobqueue_archive") == 11);
		assertThat(this.mostRunning.get()).isEqualTo(3);
	}

	private void countAndBlock(Mail mail, JobContext job) throws InterruptedException {
		this.mostRunning.accumulateAndGet(this.running.incrementAndGet(), Math::max);
		this.release.await();
		this.running.decrementAndGet();
	}

	/**
	 * Nothing wakes it but the results of its own claims.
	 */
	@Test
	void busyWorkerDoesNotPause() {
		producer().queue()
			.enqueueAll(Stream.generate(() -> JobRequest.of("emails", new Mail("hi"))).limit(3_000).toList());
		started((node) -> node.pollInterval(Duration.ofHours(1)).handler((mail, job) -> {
		}));
		await().until(() -> count("jobqueue_archive") == 3_000);
	}

	@Test
	void poisonJobsStopNoOther() {
		QueueNode node = started((settings) -> settings.handler(this::handle).concurrency(1).maxAttempts(0));
		node.queue()
			.enqueueAll(mails("poison", 20).stream().map((mail) -> mail.priority(Priority.INTERACTIVE)).toList());
		node.queue().enqueueAll(mails("quick", 50));
		await().until(() -> count("jobqueue_archive") == 50);
		assertThat(count("jobqueue_job")).isEqualTo(20);
	}

	private void handle(Mail mail, JobContext job) throws InterruptedException {
		if (mail.text().equals("block")) {
			this.release.await();
		}
		if (mail.text().equals("poison")) {
			throw new IllegalStateException("poison");
		}
	}

	private static List<JobRequest> mails(String text, int count) {
		return IntStream.range(0, count).mapToObj((n) -> JobRequest.of(new Mail(text))).toList();
	}

}
