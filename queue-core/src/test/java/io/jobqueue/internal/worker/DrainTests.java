package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.worker.completion.RunCounter.RunCounts;

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
		assertThat(node[0].jobWorker().drain()).isEqualTo(new RunCounts(500, 0, 0, 0, true, Set.of()));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void outcomesAreCounted() throws Exception {
		AtomicInteger runs = new AtomicInteger();
		QueueNode operator = producer();
		QueueNode node = started((settings) -> settings.maxAttempts(2).handler((mail, job) -> {
			runs.incrementAndGet();
			if (mail.text().equals("unwanted")) {
				operator.operations().cancel(job.id());
				await().until(job::cancelRequested);
			}
			if (!mail.text().equals("good")) {
				throw new IllegalStateException(mail.text());
			}
		}));
		node.queue().enqueue("emails", new Mail("good"));
		node.queue().enqueue("emails", new Mail("bad"));
		node.queue().enqueue("emails", new Mail("unwanted"));
		node.queue().enqueue(JobRequest.of("emails", new Mail("good")).delay(HOUR));
		assertThat(node.jobWorker().drain()).isEqualTo(new RunCounts(1, 1, 1, 1, true, Set.of()));
		assertThat(runs).hasValue(4);
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

	/**
	 * The claim stays, and leads the reaper to the job.
	 */
	@Test
	void itDoesNotWaitForAJobWhoseOutcomeTheDatabaseRefuses() throws Exception {
		this.sql.sql("""
				CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS
				'BEGIN IF OLD.payload LIKE ''%bad%'' THEN RAISE check_violation; END IF; RETURN OLD; END'
				""").update();
		this.sql.sql("CREATE TRIGGER bad BEFORE DELETE ON jobqueue_job FOR EACH ROW EXECUTE FUNCTION refuse_bad()")
			.update();
		try {
			List<UUID> jobs = enqueue("good", "bad", "good");
			QueueNode node = started((settings) -> settings.handler((mail, job) -> {
			}));
			assertThat(drain(node).get(30, TimeUnit.SECONDS)).isEqualTo(new RunCounts(2, 1, 0, 0, true, Set.of()));
			assertThat(jobs).extracting(this::state).containsExactly("SUCCEEDED", "RUNNING", "SUCCEEDED");
			assertThat(count("jobqueue_claim WHERE '%s' = ANY (job_ids)".formatted(jobs.get(1)))).isOne();
		}
		finally {
			this.sql.sql("DROP FUNCTION refuse_bad CASCADE").update();
		}
	}

	@Test
	@Tag("slow") // handlers that hang until their time is over
	void itDoesNotWaitForAQueueThatTakesNoFurtherJobs() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		List<UUID> jobs = enqueue("one", "two", "three");
		QueueNode node = started((settings) -> settings.concurrency(1)
			.maxAttempts(1)
			.maxRunTime(Duration.ofSeconds(1))
			.handler((mail, job) -> waitUninterruptibly(release)));
		try {
			assertThat(drain(node).get(30, TimeUnit.SECONDS))
				.isEqualTo(new RunCounts(0, 0, 2, 0, true, Set.of("emails")))
				.satisfies((counts) -> assertThat(counts.areAllSuccessful()).isFalse());
			assertThat(jobs).extracting(this::state).containsExactly("DEAD", "DEAD", "READY");
		}
		finally {
			release.countDown();
		}
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
	void workerWithoutQueuesIsDrained() throws Exception {
		assertThat(producer().jobWorker().drain().drained()).isTrue();
	}

	private List<UUID> enqueue(String... texts) {
		return producer().queue()
			.enqueueAll(Stream.of(texts).map((text) -> JobRequest.of("emails", new Mail(text))).toList())
			.stream()
			.map(JobReceipt::id)
			.toList();
	}

	private static void waitUninterruptibly(CountDownLatch release) {
		while (release.getCount() > 0) {
			try {
				release.await();
			}
			catch (InterruptedException ex) {
				// ignored: this is a handler that does not end when interrupted
			}
		}
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
