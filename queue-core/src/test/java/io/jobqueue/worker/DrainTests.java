package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker that is drained has nothing in hand, and nothing is due.
 */
class DrainTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	/**
	 * Many short jobs, each of which enqueues another one a few times over.
	 */
	@Test
	void everythingThatBecomesDueMeanwhileIsRun() throws Exception {
		QueueNode[] node = new QueueNode[1];
		node[0] = node(settings().handler((mail, job) -> {
			int left = Integer.parseInt(mail.text());
			if (left > 0) {
				node[0].queue().enqueue(new Mail(String.valueOf(left - 1)));
			}
		}));
		producer().queue().enqueueAll(Collections.nCopies(100, JobRequest.of("emails", new Mail("4"))));
		node[0].start();
		assertThat(node[0].jobWorker().drain()).isEqualTo(new RunCounts(500, 0, 0, 0, true));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void outcomesAreCounted() throws Exception {
		AtomicInteger runs = new AtomicInteger();
		QueueNode node = started((settings) -> settings.maxAttempts(2).handler((mail, job) -> {
			runs.incrementAndGet();
			if (!mail.text().equals("good")) {
				throw new IllegalStateException(mail.text());
			}
		}));
		node.queue().enqueue("emails", new Mail("good"));
		node.queue().enqueue("emails", new Mail("bad"));
		node.queue().enqueue(JobRequest.of("emails", new Mail("good")).delay(HOUR));
		assertThat(node.jobWorker().drain()).isEqualTo(new RunCounts(1, 1, 1, 0, true));
		assertThat(runs).hasValue(3);
	}

	@Test
	void itWaitsForAHandlerThatRuns() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.handler((mail, job) -> release.await()));
		awaitState(node.queue().enqueue("emails", new Mail("hi")).id(), "RUNNING");
		CompletableFuture<RunCounts> counts = drain(node);
		await().during(Duration.ofMillis(500)).until(() -> !counts.isDone());
		release.countDown();
		assertThat(counts.get().succeeded()).isOne();
	}

	@Test
	void aStopEndsIt() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		QueueNode node = started(
				(settings) -> settings.shutdownTimeout(Duration.ofMillis(100)).handler((mail, job) -> never.await()));
		awaitState(node.queue().enqueue("emails", new Mail("hi")).id(), "RUNNING");
		CompletableFuture<RunCounts> counts = drain(node);
		node.jobWorker().stop();
		assertThat(counts.get().drained()).isFalse();
	}

	@Test
	void whoeverServesNothingIsDrained() throws Exception {
		assertThat(producer().jobWorker().drain().drained()).isTrue();
	}

	private static CompletableFuture<RunCounts> drain(QueueNode node) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return node.jobWorker().drain();
			}
			catch (InterruptedException ex) {
				throw new AssertionError(ex);
			}
		});
	}

}
