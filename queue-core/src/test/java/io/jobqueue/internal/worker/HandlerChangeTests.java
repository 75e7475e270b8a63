package io.jobqueue.internal.worker;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.util.ReflectionUtils;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.JobStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that are registered and taken away while an application runs.
 */
class HandlerChangeTests extends NodeTestBase {

	private static final Duration NEVER = Duration.ofHours(1);

	private final List<String> handled = new CopyOnWriteArrayList<>();

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger mostRunning = new AtomicInteger();

	private Semaphore permits = new Semaphore(0);

	@BeforeEach
	void forget() {
		this.handled.clear();
		this.mostRunning.set(0);
		this.permits = new Semaphore(0);
	}

	@AfterEach
	void releaseHandlers() {
		this.permits.release(100);
	}

	@Test
	void unservedQueueIsServed() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> note(mail.text())));
		node.registry().register("letters", Letter.class, this::note);
		awaitState(node.queue().enqueue("letters", new Letter("new")).id(), "SUCCEEDED");
		awaitState(node.queue().enqueue("emails", new Mail("old")).id(), "SUCCEEDED");
		assertThat(this.handled).containsExactly("new", "old");
	}

	@Test
	void resultOfTheHandlerCounts() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> note(mail.text())));
		node.registry().register("letters", Letter.class, (letter, job) -> JobResult.fail("No stamp"));
		UUID refused = node.queue().enqueue("letters", new Letter("refused")).id();
		awaitState(refused, "DEAD");
		assertThat(column("last_error", refused, String.class)).startsWith("No stamp");
	}

	@Test
	void exceptionOfTheHandlerFailsTheAttempt() {
		QueueNode node = started((settings) -> settings.maxAttempts(2));
		node.registry().register("letters", Letter.class, (letter, job) -> {
			this.handled.add("attempt " + job.attempt());
			throw new IOException("No stamp");
		});
		UUID refused = node.queue().enqueue("letters", new Letter("refused")).id();
		awaitState(refused, "DEAD");
		assertThat(column("last_error", refused, String.class)).startsWith("java.io.IOException: No stamp");
		assertThat(this.handled).containsExactly("attempt 1", "attempt 2");
	}

	@Test
	void jobsThatWaitedAsUnknownAreFoundAtOnce() {
		try (CapturedLog log = new CapturedLog()) {
			UUID older = producer().queue().enqueue("emails", new OldLetter("older")).id();
			UUID waiting = producer().queue().enqueue("emails", new Letter("waiting")).id();
			QueueNode node = started(
					(settings) -> settings.pollInterval(NEVER).handler((mail, job) -> note(mail.text())));
			awaitState(node.queue().enqueue("emails", new Mail("past them")).id(), "SUCCEEDED");
			assertThat(log.messages("Queue emails has 2 due jobs of types without a handler on this node, such as '"))
				.isNotEmpty()
				.allSatisfy((line) -> assertThat(line).endsWith("add its old name to the aliases of its @JobType"));
			node.registry().register("emails", Letter.class, this::note);
			awaitState(waiting, "SUCCEEDED");
			awaitState(older, "SUCCEEDED");
		}
	}

	@Test
	void nodeWithoutAnyHandlerBeginsToWorkWithTheFirst() {
		QueueNode node = started((settings) -> settings);
		UUID job = node.queue().enqueue("letters", new Letter("hi")).id();
		assertThat(count("jobqueue_worker")).isZero();
		node.registry().register("letters", Letter.class, this::note);
		awaitState(job, "SUCCEEDED");
		node.jobWorker().stop();
		assertThat(count("jobqueue_worker")).isZero();
		assertThat(node.jobWorker().isRunning()).isFalse();
	}

	@Test
	void handlersStayWhileTheWorkerIsStoppedAndStarted() {
		QueueNode node = node(settings());
		node.registry().register("letters", Letter.class, this::note);
		UUID first = node.queue().enqueue("letters", new Letter("first")).id();
		assertThat(state(first)).isEqualTo("READY");
		node.start();
		awaitState(first, "SUCCEEDED");
		node.jobWorker().stop();
		node.registry().register("emails", Mail.class, (mail, job) -> JobResult.success());
		assertThat(node.jobWorker().isRunning()).isFalse();
		UUID second = node.queue().enqueue("letters", new Letter("second")).id();
		UUID third = node.queue().enqueue("emails", new Mail("third")).id();
		assertThat(count("jobqueue_worker")).isZero();
		node.jobWorker().start();
		awaitState(second, "SUCCEEDED");
		awaitState(third, "SUCCEEDED");
	}

	@Test
	void removedHandlerEndsItsJobsAndClaimsNoFurtherOnes() throws Exception {
		QueueNode node = started((settings) -> settings.concurrency(1).handler((mail, job) -> note(mail.text())));
		node.registry().register("emails", Letter.class, this::awaitPermit);
		UUID begun = node.queue().enqueue("emails", new Letter("begun")).id();
		await().until(() -> this.running.get() == 1);
		node.registry().unregister("emails", Letter.class);
		UUID left = node.queue().enqueue("emails", new Letter("left")).id();
		UUID mail = node.queue().enqueue("emails", new Mail("mail")).id();
		this.permits.release();
		awaitState(mail, "SUCCEEDED");
		awaitState(begun, "SUCCEEDED");
		assertThat(state(left)).isEqualTo("READY");
		assertThat(column("attempts", left, Integer.class)).isZero();
		started((settings) -> settings.name("other").bean(new Letters(this.handled)));
		awaitState(left, "SUCCEEDED");
		assertThat(this.handled).containsExactly("begun", "mail", "bean left");
	}

	@Test
	void lastHandlerMayBeRemovedAndAddedAgain() {
		QueueNode node = started((settings) -> settings.pollInterval(NEVER));
		for (String text : List.of("one", "two", "three")) {
			UUID job = node.queue().enqueue("letters", new Letter(text)).id();
			node.registry().register("letters", Letter.class, this::note);
			awaitState(job, "SUCCEEDED");
			node.registry().unregister("letters", Letter.class);
			await().until(() -> servedQueues().equals(""));
		}
		assertThat(this.handled).containsExactly("one", "two", "three");
	}

	@Test
	void noMoreHandlersRunThanTheQueueMayHave() {
		QueueNode node = started((settings) -> settings.concurrency(2));
		node.registry().register("letters", Letter.class, this::awaitPermit);
		for (int round = 0; round < 3; round++) {
			node.queue().enqueue("letters", new Letter("one"));
			node.queue().enqueue("letters", new Letter("other"));
			await().until(() -> this.running.get() == 2);
			node.registry().unregister("letters", Letter.class);
			await().until(() -> servedQueues().equals(""));
			node.registry().register("letters", Letter.class, this::awaitPermit);
			await().until(() -> servedQueues().equals("letters"));
		}
		this.permits.release(6);
		await().until(() -> this.handled.size() == 6);
		assertThat(this.mostRunning).hasValue(2);
	}

	@Test
	void servedQueuesAreVisibleToOtherNodes() {
		started((settings) -> settings.name("beans")
			.handler((mail, job) -> note(mail.text()))
			.bean(new Letters(this.handled)));
		QueueNode node = started((settings) -> settings.name("changing").handler((mail, job) -> note(mail.text())));
		await().until(() -> count("jobqueue_worker") == 2);
		assertThat(services()).hasSize(2);
		node.registry().register("emails", Letter.class, this::note);
		await().until(() -> services().size() == 1);
		node.registry().register("letters", Letter.class, this::note);
		await().until(() -> services().size() == 2);
		assertThat(servedQueues()).isEqualTo("emails,letters");
	}

	/**
	 * Workers of one service go past what the others have claimed.
	 */
	@Test
	void servedQueuesAreRecordedBeforeTheFirstClaim() {
		List<String> recorded = new CopyOnWriteArrayList<>();
		QueueNode node = node(settings().handler((mail, job) -> note(mail.text()))
			.claimsByFetcher()
			.jobStore((store) -> (JobStore) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { JobStore.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("claim")
								&& ((ClaimRequest) arguments[1]).queue().equals("letters")) {
							recorded.add(servedQueues());
						}
						return ReflectionUtils.invokeMethod(method, store, arguments);
					})))
			.start();
		awaitState(node.queue().enqueue("emails", new Mail("begun")).id(), "SUCCEEDED");
		node.registry().register("letters", Letter.class, this::note);
		awaitState(node.queue().enqueue("letters", new Letter("hi")).id(), "SUCCEEDED");
		assertThat(Set.copyOf(recorded)).containsExactly("emails,letters");
	}

	@Test
	void handlerMayRegisterAnotherWhileItsWorkerStops() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.name("stopping").shutdownTimeout(Duration.ofMinutes(2)));
		node.registry().register("letters", Letter.class, (letter, job) -> {
			begun.countDown();
			this.permits.acquire();
			node.registry().register("emails", Mail.class, (mail, context) -> JobResult.success());
			return JobResult.success();
		});
		UUID job = node.queue().enqueue("letters", new Letter("hi")).id();
		begun.await();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> node.jobWorker().stop());
		await().until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(HandlerChangeTests::fetches));
		this.permits.release();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(state(job)).isEqualTo("SUCCEEDED");
		assertThat(count("jobqueue_worker")).isZero();
	}

	private static boolean fetches(Thread thread) {
		return thread.getName().startsWith("jobqueue@stopping-fetcher");
	}

	private String servedQueues() {
		return this.sql.sql("SELECT queues FROM jobqueue_worker WHERE name <> 'beans'").query(String.class).single();
	}

	private List<UUID> services() {
		return this.sql.sql("SELECT DISTINCT service FROM jobqueue_worker").query(UUID.class).list();
	}

	private JobResult note(Letter letter, JobContext job) {
		note(letter.text());
		return JobResult.success();
	}

	private void note(String text) {
		this.handled.add(text);
	}

	private JobResult awaitPermit(Letter letter, JobContext job) throws InterruptedException {
		this.mostRunning.accumulateAndGet(this.running.incrementAndGet(), Math::max);
		try {
			this.permits.acquire();
			return note(letter, job);
		}
		finally {
			this.running.decrementAndGet();
		}
	}

	@JobType("old-letter")
	record OldLetter(String text) {
	}

	@JobType(value = "letter", aliases = "old-letter")
	record Letter(String text) {
	}

	@JobHandler(queue = "emails")
	record Letters(List<String> handled) {

		void handle(Letter letter) {
			this.handled.add("bean " + letter.text());
		}

	}

}
