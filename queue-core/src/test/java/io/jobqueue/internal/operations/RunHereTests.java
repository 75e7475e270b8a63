package io.jobqueue.internal.operations;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.Batch;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * An operator runs a job on a thread of their own, and sees what happens.
 */
class RunHereTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobRequest LATER = JobRequest.of("emails", new Mail("later")).delay(HOUR);

	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	private CountDownLatch release = new CountDownLatch(1);

	@AfterEach
	void release() {
		this.release.countDown();
	}

	@BeforeEach
	void reset() {
		this.release = new CountDownLatch(1);
		this.sql.sql("CREATE TABLE IF NOT EXISTS effect (job uuid); TRUNCATE effect").update();
		this.threads.clear();
	}

	@Test
	void jobRunsOnThisThreadBeforeItIsDueAndThoughItIsPaused() throws Exception {
		QueueNode node = started(this::recording);
		node.operations().pause("emails");
		UUID job = node.queue().enqueue(LATER).id();
		try (CapturedLog log = new CapturedLog()) {
			node.operations().runHere(job);
			assertThat(log.messages("run " + job)).hasSize(1);
		}
		assertThat(this.threads).containsExactly(Thread.currentThread());
		assertThat(state(job)).isEqualTo("SUCCEEDED");
		assertThat(column("attempts", job, Integer.class)).isOne();
		assertThat(count("jobqueue_claim")).isZero();
	}

	private TestNodeSettings recording(TestNodeSettings settings) {
		return settings.handler((mail, job) -> this.threads.add(Thread.currentThread()));
	}

	@Test
	void exceptionOfTheHandlerIsThrownAndRecorded() {
		QueueNode node = started((settings) -> settings.maxAttempts(2)
			.retryPolicy((failure) -> RetryDecision.retryIn(HOUR))
			.handler((mail, job) -> {
				throw new IllegalStateException("refused");
			}));
		UUID job = node.queue().enqueue(LATER).id();
		assertThatIllegalStateException().isThrownBy(() -> node.operations().runHere(job)).withMessage("refused");
		assertThat(state(job)).isEqualTo("RETRYING");
		assertThat(column("last_error", job, String.class)).contains("refused");
		assertThatIllegalStateException().isThrownBy(() -> node.operations().runHere(job)).withMessage("refused");
		assertThat(state(job)).isEqualTo("DEAD");
	}

	@Test
	void failureOfAJobThatRunsAtMostOnceIsFinal() {
		QueueNode node = started((settings) -> settings.bean(new Once()));
		UUID job = node.queue().enqueue(LATER).id();
		assertThatIllegalStateException().isThrownBy(() -> node.operations().runHere(job)).withMessage("refused");
		assertThat(state(job)).isEqualTo("DEAD");
	}

	/**
	 * Such as a class that a listener of runs lacks.
	 */
	@Test
	void jobWhoseRunCannotBeginIsReleasedUncounted() {
		QueueNode node = started(this::recording);
		UUID job = node.queue().enqueue(LATER).id();
		Runnable begins = () -> {
			throw new NoClassDefFoundError("gone");
		};
		assertThatExceptionOfType(NoClassDefFoundError.class)
			.isThrownBy(() -> node.puller().runHere(job, "emails", "mail", false, begins));
		awaitState(job, "SCHEDULED");
		assertThat(column("attempts", job, Integer.class)).isZero();
		assertThat(this.threads).isEmpty();
	}

	@Test
	void isRefusedWithinATransaction() {
		QueueNode node = started((settings) -> settings.bean(new Writer(JdbcClient.create(this.pool))));
		UUID job = node.queue().enqueue(LATER).id();
		node.transaction()
			.executeWithoutResult((status) -> assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> node.operations().runHere(job))
				.withMessageContaining("after the commit"));
		assertThat(state(job)).isEqualTo("SCHEDULED");
		assertThat(column("attempts", job, Integer.class)).isZero();
	}

	/**
	 * The outcome needs a connection while the handler's thread waits for it.
	 */
	@Test
	void handlerReturnsTheOnlyConnection() throws Exception {
		HikariDataSource one = closeLater(pool(1));
		QueueNode node = node(settings(one).handler((mail, job) -> new JdbcTemplate(one).execute("SELECT 1"))).start();
		UUID job = node.queue().enqueue(LATER).id();
		node.operations().runHere(job);
		assertThat(state(job)).isEqualTo("SUCCEEDED");
	}

	@Test
	void jobWithAKeyIsAdmittedBeforeItIsDueAndReleasesItsKey() throws Exception {
		QueueNode node = started(this::recording);
		UUID job = node.queue().enqueue(LATER.orderedBy("a").limitedBy("b")).id();
		UUID next = node.queue().enqueue(JobRequest.of("emails", new Mail("next")).orderedBy("a")).id();
		node.operations().runHere(job);
		assertThat(state(job)).isEqualTo("SUCCEEDED");
		awaitState(next, "SUCCEEDED");
	}

	static Stream<JobRequest> keyed() {
		return Stream.of(LATER.orderedBy("a"), LATER.limitedBy("b"));
	}

	@ParameterizedTest
	@MethodSource
	void keyed(JobRequest request) throws Exception {
		QueueNode node = started(this::recording);
		UUID job = node.queue().enqueue(request).id();
		node.operations().runHere(job);
		assertThat(state(job)).isEqualTo("SUCCEEDED");
	}

	@Test
	void jobThatWaitsForOthersDoesNotOvertakeThem() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.handler((mail, job) -> release.await()));
		UUID first = node.queue().enqueue(JobRequest.of("emails", new Mail("1")).orderedBy("a")).id();
		awaitState(first, "RUNNING");
		UUID second = node.queue().enqueue(JobRequest.of("emails", new Mail("2")).orderedBy("a")).id();
		assertRefused(node, second, Reason.BLOCKED);
		assertRefused(node, first, Reason.RUNNING);
		release.countDown();
		awaitState(second, "SUCCEEDED");
		assertRefused(node, second, Reason.FINISHED);
	}

	@Test
	void jobThatIsRefusedKeepsItsTime() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.handler((mail, job) -> release.await()));
		UUID first = node.queue().enqueue(JobRequest.of("emails", new Mail("1")).orderedBy("a")).id();
		awaitState(first, "RUNNING");
		UUID later = node.queue().enqueue(LATER.orderedBy("a")).id();
		assertRefused(node, later, Reason.BLOCKED);
		assertThat(state(later)).isEqualTo("SCHEDULED");
		release.countDown();
		awaitState(first, "SUCCEEDED");
	}

	@Test
	void refusalNamesTheOrderingKey() {
		QueueNode node = started((settings) -> this.holding(settings));
		awaitState(node.queue().enqueue(JobRequest.of("emails", new Mail("1")).orderedBy("a").limitedBy("b")).id(),
				"RUNNING");
		assertBlocked(node, node.queue().enqueue(LATER.orderedBy("a").limitedBy("c")).id(),
				"waits for another job with its ordering key");
		UUID due = node.queue().enqueue(JobRequest.of("emails", new Mail("2")).orderedBy("a")).id();
		awaitState(due, "BLOCKED");
		assertBlocked(node, due, "waits for another job with its ordering key");
	}

	@Test
	void refusalNamesTheLimitKey() {
		QueueNode node = started((settings) -> this.holding(settings).keys(new AdmissionRules(1, false)));
		awaitState(node.queue().enqueue(JobRequest.of("emails", new Mail("1")).limitedBy("b")).id(), "RUNNING");
		assertBlocked(node, node.queue().enqueue(LATER.limitedBy("b").orderedBy("c")).id(),
				"has no free slot for its limit key");
		UUID due = node.queue().enqueue(JobRequest.of("emails", new Mail("2")).limitedBy("b")).id();
		awaitState(due, "BLOCKED");
		assertBlocked(node, due, "has no free slot for its limit key");
	}

	@Test
	void refusalNamesThePredecessor() {
		QueueNode node = started(this::holding);
		UUID running = node.queue().enqueue(JobRequest.of("emails", new Mail("1"))).id();
		UUID cancelled = node.queue().enqueue(LATER).id();
		assertBlocked(node, node.queue().enqueue(LATER.after(running)).id(), "waits for its predecessors");
		UUID stuck = node.queue().enqueue(LATER.after(running, cancelled)).id();
		node.operations().cancel(cancelled);
		await().untilAsserted(() -> assertBlocked(node, stuck, "waits for a predecessor that has failed"));
	}

	@Test
	void refusalNamesTheBatch() {
		QueueNode node = started(this::holding);
		Batch batch = node.queue().batch("import").then(LATER).onFailure(LATER).start();
		batch.add(List.of(LATER));
		List<UUID> callbacks = this.sql.sql("SELECT unnest(ARRAY [then_id, failure_id]) FROM jobqueue_batch")
			.query(UUID.class)
			.list();
		assertThat(callbacks).hasSize(2)
			.allSatisfy((callback) -> assertBlocked(node, callback, "is a callback of a batch that has not finished"));
	}

	@Test
	void refusalNamesTheUniqueKey() {
		QueueNode node = started(this::holding);
		JobRequest keyed = JobRequest.of("emails", new Mail("1")).key("k");
		awaitState(node.queue().enqueue(keyed).id(), "RUNNING");
		assertBlocked(node, node.queue().enqueue(keyed.onDuplicate(OnDuplicate.REQUEUE)).id(),
				"follows another job with its unique key");
	}

	@Test
	void refusalNamesTheLimitsOfTheQueue() {
		QueueNode node = started((settings) -> this.holding(settings).limits(new ClusterLimits(1, null)));
		awaitState(node.queue().enqueue(JobRequest.of("emails", new Mail("1"))).id(), "RUNNING");
		assertBlocked(node, node.queue().enqueue(LATER).id(), "would exceed 'cluster-concurrency' or 'rate'");
	}

	@Test
	void refusalNamesTheLock() {
		QueueNode node = started(this::recording);
		UUID job = node.queue().enqueue(LATER).id();
		new TransactionTemplate(new JdbcTransactionManager(this.pool)).executeWithoutResult((status) -> {
			new JdbcTemplate(this.pool).execute("SELECT FROM jobqueue_job FOR UPDATE");
			CompletableFuture.runAsync(() -> assertBlocked(node, job, "is locked by another transaction"))
				.orTimeout(30, TimeUnit.SECONDS)
				.join();
		});
	}

	@Test
	void refusalNamesTheExpiry() {
		QueueNode node = started((settings) -> recording(settings).reaperInterval(Duration.ofDays(1)));
		UUID job = node.queue().enqueue(LATER.expiresAfter(HOUR)).id();
		this.sql.sql("UPDATE jobqueue_job SET expires_at = now()").update();
		assertBlocked(node, job, "has expired");
	}

	private TestNodeSettings holding(TestNodeSettings settings) {
		return settings.handler((mail, job) -> this.release.await());
	}

	private static void assertBlocked(QueueNode node, UUID job, String why) {
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> node.operations().runHere(job))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.BLOCKED))
			.withMessageStartingWith("Job %s of type 'mail' in queue 'emails' %s".formatted(job, why));
	}

	@Test
	void jobWithoutAHandlerHereIsNotClaimed() {
		QueueNode node = started(this::recording);
		UUID job = node.queue().enqueue("invoices", new Mail("hi")).id();
		assertRefused(node, job, Reason.UNHANDLED);
		assertThat(state(job)).isEqualTo("READY");
	}

	private static void assertRefused(QueueNode node, UUID job, Reason reason) {
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> node.operations().runHere(job))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(reason))
			.withMessageContaining(job.toString());
	}

	/**
	 * Each job runs once, here or there.
	 */
	@Test
	void operatorRacesWorkers() {
		Set<UUID> begun = ConcurrentHashMap.newKeySet();
		Set<UUID> twice = ConcurrentHashMap.newKeySet();
		QueueNode node = started((settings) -> settings.concurrency(2).handler((mail, job) -> {
			if (!begun.add(job.id())) {
				twice.add(job.id());
			}
			this.threads.add(Thread.currentThread());
		}));
		List<UUID> jobs = node.queue()
			.enqueueAll(Stream.generate(() -> JobRequest.of("emails", new Mail("hi"))).limit(200).toList())
			.stream()
			.map(JobReceipt::id)
			.toList();
		jobs.forEach((job) -> runIfPossible(node, job));
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED' AND attempts = 1") == 200);
		assertThat(twice).isEmpty();
		assertThat(begun).containsExactlyInAnyOrderElementsOf(jobs);
	}

	private static void runIfPossible(QueueNode node, UUID job) {
		try {
			node.operations().runHere(job);
		}
		catch (JobOperationException ex) {
			assertThat(ex.reason()).isIn(Reason.RUNNING, Reason.FINISHED, Reason.BLOCKED);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	static class Once {

		@JobHandler(queue = "emails", delivery = Delivery.AT_MOST_ONCE)
		void run(Mail mail) {
			throw new IllegalStateException("refused");
		}

	}

	static final class Writer {

		private final JdbcClient jdbc;

		Writer(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		void handle(Mail mail, JobContext job) {
			this.jdbc.sql("INSERT INTO effect (job) VALUES (?)").param(job.id()).update();
			if (mail.text().equals("fail")) {
				throw new IllegalStateException("fail");
			}
		}

	}

}
