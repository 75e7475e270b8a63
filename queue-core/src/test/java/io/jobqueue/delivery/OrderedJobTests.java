package io.jobqueue.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs with ordering and limit keys on real workers.
 */
@Tag("pooler") // transactions of handlers
class OrderedJobTests extends NodeTestBase {

	private static final Duration PROMPTLY = Duration.ofSeconds(30);

	/**
	 * Neither a poll, a heartbeat nor the reaper finds a job without a signal in that
	 * time.
	 */
	private static final Duration LATE = Duration.ofDays(1);

	private final Queue<UUID> begun = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void forget() {
		this.begun.clear();
	}

	@Test
	void keyRunsOneAtATimeAndInOrderOverAllNodes() {
		Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
		Map<String, Queue<Integer>> succeeded = new ConcurrentHashMap<>();
		Queue<String> overlaps = new ConcurrentLinkedQueue<>();
		List<QueueNode> nodes = nodes(4, (mail, job) -> {
			String key = mail.text().substring(0, 1);
			int number = Integer.parseInt(mail.text().substring(1));
			if (running.computeIfAbsent(key, (absent) -> new AtomicInteger()).incrementAndGet() > 1) {
				overlaps.add(mail.text());
			}
			try {
				fail(number, job);
				succeeded.computeIfAbsent(key, (absent) -> new ConcurrentLinkedQueue<>()).add(number);
			}
			finally {
				running.get(key).decrementAndGet();
			}
		});
		for (int number = 0; number < 30; number++) {
			for (String key : List.of("a", "b", "c")) {
				nodes.get(number % 4).queue().enqueue(mail(key + number).orderedBy(key));
			}
		}
		awaitEmpty();
		assertThat(overlaps).isEmpty();
		assertThat(succeeded).hasSize(3)
			.allSatisfy((key, numbers) -> assertThat(numbers)
				.containsExactlyElementsOf(IntStream.range(0, 30).boxed().toList()));
	}

	private static void fail(int number, JobContext job) {
		if (number % 7 == 3 && job.attempt() == 1) {
			throw new IllegalStateException("Fails first");
		}
	}

	@Test
	void slotsAreSharedByAllNodes() {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		CountDownLatch met = new CountDownLatch(2);
		List<QueueNode> nodes = nodes(3, (mail, job) -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			met.countDown();
			met.await();
			running.decrementAndGet();
		});
		for (int number = 0; number < 90; number++) {
			nodes.get(number % 3).queue().enqueue(mail("hi").limitedBy("tenant"));
		}
		awaitEmpty();
		assertThat(most).hasValue(2);
	}

	@ParameterizedTest
	@EnumSource
	void nextOfItsKeysStartsPromptly(Delivery delivery) {
		CountDownLatch release = new CountDownLatch(1);
		JobQueue queue = alone(delivery, (job) -> {
			this.begun.add(job.id());
			release.await();
			return JobResult.success();
		});
		List<UUID> jobs = enqueue(queue, 4, "a", "slot");
		Awaitility.await().atMost(PROMPTLY).until(() -> this.begun.size() == 1);
		assertThat(jobs.stream().skip(1)).allSatisfy((job) -> assertThat(state(job)).isIn("READY", "BLOCKED"));
		release.countDown();
		Awaitility.await().atMost(PROMPTLY).until(() -> this.begun.size() == 4);
		assertThat(this.begun).containsExactlyElementsOf(jobs);
	}

	@Test
	void jobWithAKeyStartsWhenItIsDue() {
		JobQueue queue = alone(Delivery.AT_LEAST_ONCE, (job) -> {
			this.begun.add(job.id());
			return JobResult.success();
		});
		UUID job = queue.enqueue(mail("hi").orderedBy("a").delay(Duration.ofSeconds(1))).id();
		Awaitility.await().atMost(PROMPTLY).until(() -> this.begun.contains(job));
	}

	@Test
	void snoozedAndRetriedJobsRunPromptly() {
		JobQueue queue = alone(Delivery.AT_LEAST_ONCE, (job) -> {
			this.begun.add(job.id());
			return switch (this.begun.size()) {
				case 1 -> JobResult.snooze(Duration.ofMillis(50));
				case 2 -> JobResult.retryIn(Duration.ofMillis(50));
				default -> JobResult.success();
			};
		});
		List<UUID> jobs = enqueue(queue, 2, "a", "slot");
		Awaitility.await().atMost(PROMPTLY).until(() -> this.begun.size() == 4);
		assertThat(this.begun).containsExactly(jobs.get(0), jobs.get(0), jobs.get(0), jobs.get(1));
	}

	/**
	 * A node that is not started sends no signals.
	 */
	@Test
	void pollFindsJobsWithoutASignal() {
		started((node) -> node.reaperInterval(LATE).handler((mail, job) -> this.begun.add(job.id())));
		List<UUID> jobs = enqueue(producer().queue(), 3, "a", null);
		await().until(() -> this.begun.size() == 3);
		assertThat(this.begun).containsExactlyElementsOf(jobs);
	}

	@Test
	void deadHeadHoldsItsKey() {
		QueueNode node = started(
				(settings) -> settings.maxAttempts(1).keys(new AdmissionRules(null, true)).handler((mail, job) -> {
					this.begun.add(job.id());
					throw new IllegalStateException("Hopeless");
				}));
		List<UUID> jobs = enqueue(node.queue(), 2, "a", null);
		awaitState(jobs.get(0), "DEAD");
		UUID other = node.queue().enqueue(mail("hi").orderedBy("b")).id();
		awaitState(other, "DEAD");
		awaitState(jobs.get(1), "BLOCKED");
		this.sql.sql("DELETE FROM jobqueue_archive").update();
		awaitState(jobs.get(1), "DEAD");
	}

	@Test
	void enqueueingNeverWaits() {
		QueueNode node = producer();
		JobRequest request = mail("hi").orderedBy("a").limitedBy("slot");
		node.transaction().executeWithoutResult((status) -> {
			node.queue().enqueue(request);
			assertThat(CompletableFuture.supplyAsync(() -> node.queue().enqueue(request)))
				.succeedsWithin(PROMPTLY.toSeconds(), TimeUnit.SECONDS);
		});
		assertThat(count("jobqueue_job")).isEqualTo(2);
	}

	@Test
	void keyWithManyJobsDelaysNoOther() {
		CountDownLatch release = new CountDownLatch(1);
		JobQueue queue = alone(Delivery.AT_LEAST_ONCE, (job) -> {
			this.begun.add(job.id());
			release.await();
			return JobResult.snooze(LATE);
		});
		JobRequest first = mail("hi").orderedBy("a");
		List<JobRequest> all = new ArrayList<>(Collections.nCopies(5_500, first));
		all.add(mail("hi").orderedBy("b"));
		List<JobReceipt> jobs = queue.enqueueAll(all);
		Awaitility.await()
			.atMost(PROMPTLY)
			.untilAsserted(
					() -> assertThat(this.begun).containsExactlyInAnyOrder(jobs.get(0).id(), jobs.get(5_500).id()));
		release.countDown();
	}

	private JobQueue alone(Delivery delivery, Behaviour behaviour) {
		return started((node) -> node.pollInterval(LATE)
			.reaperInterval(LATE)
			.timeout(LATE)
			.keys(new AdmissionRules(1, false))
			.bean(Handlers.of(delivery, behaviour))).queue();
	}

	private List<QueueNode> nodes(int count, MailHandler.Behaviour behaviour) {
		List<QueueNode> nodes = new ArrayList<>();
		for (int number = 0; number < count; number++) {
			TestNodeSettings settings = settings(closeLater(pool(4))).name("node " + number)
				.pollInterval(LATE)
				.reaperInterval(LATE)
				.keys(new AdmissionRules(2, false))
				.listensOn(this.database.directDataSource())
				.handler(behaviour);
			nodes.add(node(settings).start());
		}
		nodes.forEach((node) -> await().until(() -> node.remoteSignals().isConnected()));
		return nodes;
	}

	private List<UUID> enqueue(JobQueue queue, int count, String ordering, @Nullable String limit) {
		JobRequest ordered = mail("hi").orderedBy(ordering);
		JobRequest request = (limit != null) ? ordered.limitedBy(limit) : ordered;
		return queue.enqueueAll(Collections.nCopies(count, request)).stream().map(JobReceipt::id).toList();
	}

	private static JobRequest mail(String text) {
		return JobRequest.of("emails", new Mail(text));
	}

	private void awaitEmpty() {
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> count("jobqueue_job") == 0);
	}

}
