package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.Explanation;
import io.jobqueue.Explanation.Reason;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.Priority;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.harness.WorkerSettingsBuilder;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.WorkerStore.HandledQueue;
import io.jobqueue.internal.worker.JobWorker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Why jobs do not run, by what the workers of several nodes publish. The node that is
 * called only enqueues.
 */
class ExplainNodesTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final ClusterLimits ONE_PER_HOUR = new ClusterLimits(null, new Rate(1, HOUR));

	private BlockedHandler handler = new BlockedHandler();

	private QueueNode node;

	@BeforeEach
	void reset() {
		this.handler = new BlockedHandler();
		this.node = producer();
	}

	@AfterEach
	void release() {
		this.handler.release();
	}

	private record Letter(String text) {
	}

	private UUID enqueue(JobRequest request) {
		return this.node.queue().enqueue(request).id();
	}

	private UUID mail() {
		return enqueue(JobRequest.of("emails", new Mail("secret")));
	}

	private Explanation explain(UUID job, Reason reason) {
		Explanation explanation = this.node.operations().explain(job);
		assertThat(explanation.reason()).as(explanation.sentence()).isEqualTo(reason);
		assertThat(explanation.sentence() + explanation.remedy()).doesNotContain("secret", "null", "%");
		return explanation;
	}

	private QueueNode registered(UnaryOperator<TestNodeSettings> settings) {
		long before = count("jobqueue_worker");
		QueueNode started = started(settings);
		await().until(() -> count("jobqueue_worker") == before + 1);
		return started;
	}

	private static HandledQueue mails(@Nullable Integer concurrency) {
		return new HandledQueue(Set.of("mail"), concurrency, 0, 99, ClusterLimits.NONE);
	}

	private UUID worker(String name, HandledQueue emails) {
		return worker(name, "emails", emails);
	}

	/**
	 * Register a worker that serves a queue.
	 */
	private UUID worker(String name, String served, HandledQueue emails) {
		UUID id = UUID.randomUUID();
		this.node.workerServices()
			.workers()
			.register(new WorkerBuilder(id).name(name).queues(served).handled(Map.of("emails", emails)).build(), false);
		return id;
	}

	/**
	 * Register a worker of a version that does not publish what it can run.
	 */
	private UUID older(String name, boolean idle) {
		UUID id = UUID.randomUUID();
		this.node.workerServices().workers().register(new WorkerBuilder(id).name(name).build(), idle);
		return id;
	}

	/**
	 * Let a worker claim new jobs.
	 */
	private void claim(UUID worker, int jobs) {
		for (int job = 0; job < jobs; job++) {
			UUID claimed = mail();
			this.sql.sql("UPDATE jobqueue_job SET locked_by = ?, claim = ?, attempts = 1 WHERE id = ?")
				.params(worker, job, claimed)
				.update();
			this.sql.sql("""
					INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
					VALUES (?, ?, now() + interval '1 hour', 25, 'emails', ARRAY[?])
					""").params(worker, job, claimed).update();
		}
	}

	private void makeDue(UUID job) {
		this.sql.sql("UPDATE jobqueue_job SET run_at = now() - interval '1 minute' WHERE id = ?").param(job).update();
	}

	@Test
	void handlersOfAllNodesAreBusy() throws InterruptedException {
		registered((settings) -> settings.name("a").concurrency(1).handler((mail, job) -> this.handler.block()));
		UUID first = mail();
		this.handler.awaitBegun();
		registered((settings) -> settings.name("b").concurrency(2).handler((mail, job) -> this.handler.block()));
		mail();
		mail();
		await().until(() -> count("jobqueue_job WHERE locked_by IS NOT NULL") == 3);
		Explanation busy = explain(mail(), Reason.BUSY);
		assertThat(busy.sentence()).matches(
				"All handlers of queue 'emails' are busy: 3 claimed jobs for 3 handlers on 2 workers, the first of them %s of type 'mail' on worker a since \\S+Z"
					.formatted(first));
		assertThat(busy.jobs()).hasSize(3).startsWith(first);
		assertThat(busy.workers()).containsExactly("a", "b");
		assertThat(busy.since()).isEqualTo(this.node.operations().find(first).orElseThrow().startedAt());
	}

	/**
	 * Workers claim some jobs before their handlers are free.
	 */
	@Test
	void claimsOfOneWorkerDoNotOccupyTheHandlersOfAnother() {
		claim(worker("a", mails(1)), 3);
		UUID other = worker("b", mails(2));
		assertThat(explain(mail(), Reason.READY).workers()).containsExactly("a", "b");
		claim(other, 1);
		explain(mail(), Reason.READY);
		this.sql.sql("DELETE FROM jobqueue_claim WHERE worker_id = ?").param(other).update();
		claim(other, 2);
		assertThat(explain(mail(), Reason.BUSY).sentence()).contains("5 claimed jobs for 3 handlers on 2 workers");
	}

	@Test
	void moreHandlersThanAreCountedOtherwiseAreBusy() {
		UUID worker = worker("a", mails(1_001));
		this.sql
			.sql("""
					WITH added AS (
					    INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, locked_by, claim, attempts)
					    SELECT gen_random_uuid(), now(), now(), 10, 'emails', 'mail', '{}', ?, 1, 1 FROM generate_series(1, 1001)
					    RETURNING id
					)
					INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids)
					SELECT ?, 1, now() + interval '1 hour', 25, 'emails', array_agg(id) FROM added
					""")
			.params(worker, worker)
			.update();
		assertThat(explain(mail(), Reason.BUSY).sentence()).contains("1001 claimed jobs for 1001 handlers on 1 worker");
	}

	@Test
	void handlersOfOtherTypesAndPrioritiesAreNotCounted() {
		claim(worker("a", mails(1)), 1);
		worker("b", new HandledQueue(Set.of("Letter"), 5, 0, 99, ClusterLimits.NONE));
		worker("c", new HandledQueue(Set.of("mail"), 5, 20, 99, ClusterLimits.NONE));
		Explanation busy = explain(mail(), Reason.BUSY);
		assertThat(busy.sentence()).contains("1 claimed job for 1 handler on 1 worker");
		assertThat(busy.workers()).containsExactly("a");
		explain(enqueue(JobRequest.of("emails", new Mail("secret")).priority(Priority.EVENTUAL)), Reason.READY);
	}

	@Test
	void jobsThatThreadsOfTheApplicationPull() {
		UUID pulling = worker("p", mails(null));
		claim(pulling, 1);
		UUID job = mail();
		makeDue(job);
		assertThat(explain(job, Reason.READY).remedy())
			.isEqualTo("Pull jobs of type 'mail' from the queue: only the application takes them");
		UUID handling = worker("a", mails(1));
		assertThat(explain(job, Reason.READY).remedy()).startsWith("Check these workers for failing claims");
		claim(handling, 1);
		assertThat(explain(job, Reason.BUSY).workers()).containsExactly("a");
	}

	/**
	 * They do not publish what they can run.
	 */
	@Test
	void workersOfAnEarlierVersion() {
		claim(worker("a", mails(1)), 1);
		UUID job = mail();
		UUID older = older("o", true);
		makeDue(job);
		assertThat(explain(job, Reason.READY).workers()).containsExactly("a", "o");
		this.sql.sql("UPDATE jobqueue_worker SET idle = false WHERE id = ?").param(older).update();
		Explanation busy = explain(job, Reason.BUSY);
		assertThat(busy.sentence())
			.startsWith("The handlers of queue 'emails' are busy: 1 claimed job on 2 workers, the first of them ");
		UUID letter = enqueue(JobRequest.of("emails", new Letter("secret")));
		makeDue(letter);
		Explanation unknown = explain(letter, Reason.READY);
		assertThat(unknown.workers()).containsExactly("o");
		assertThat(unknown.remedy()).contains("Check that a worker has a handler for type 'Letter'");
		this.sql.sql("DELETE FROM jobqueue_worker WHERE id = ?").param(older).update();
		explain(letter, Reason.UNHANDLED);
	}

	@Test
	void noNodeHasAHandlerForTheType() {
		worker("a", mails(1));
		worker("b", new HandledQueue(Set.of("Lettre", "Fax"), null, 0, 99, ClusterLimits.NONE));
		worker("c", "letters", new HandledQueue(Set.of("Letters"), 1, 0, 99, ClusterLimits.NONE));
		Explanation unhandled = explain(enqueue(JobRequest.of("emails", new Letter("secret"))), Reason.UNHANDLED);
		assertThat(unhandled.sentence()).isEqualTo(
				"None of the living workers of queue 'emails' (2) has a handler for type 'Letter'; the nearest type is 'Lettre'");
		assertThat(unhandled.nearest()).isEqualTo("Lettre");
		assertThat(unhandled.workers()).containsExactly("a", "b");
		worker("d", new HandledQueue(Set.of("Letter"), 1, 0, 99, ClusterLimits.NONE));
		explain(enqueue(JobRequest.of("emails", new Letter("secret"))), Reason.READY);
	}

	@Test
	void noNodeTakesThePriority() {
		worker("a", new HandledQueue(Set.of("mail"), 1, 0, 9, ClusterLimits.NONE));
		worker("b", new HandledQueue(Set.of("mail"), 1, 11, 99, ClusterLimits.NONE));
		worker("c", new HandledQueue(Set.of("Letter"), 1, 0, 99, ClusterLimits.NONE));
		Explanation excluded = explain(mail(), Reason.PRIORITY_EXCLUDED);
		assertThat(excluded.sentence()).isEqualTo(
				"None of the living workers with a handler for type 'mail' of queue 'emails' (2) takes priority 10");
		assertThat(excluded.remedy()).contains("'jobqueue.worker.priorities'");
		assertThat(excluded.workers()).containsExactly("a", "b");
		this.sql.sql("UPDATE jobqueue_worker_queue SET min_priority = 10 WHERE min_priority = 11").update();
		explain(mail(), Reason.READY);
	}

	@Test
	void concurrencyIsZeroOnOtherNodes() {
		worker("a", "letters", mails(0));
		worker("b", "letters", mails(0));
		Explanation zero = explain(mail(), Reason.CONCURRENCY_ZERO);
		assertThat(zero.sentence()).isEqualTo(
				"No living worker serves queue 'emails'. Its concurrency is 0 on workers a, b, which could run it");
		assertThat(zero.remedy()).contains("jobqueue.queues.emails.concurrency");
		assertThat(zero.workers()).containsExactly("a", "b");
		worker("c", mails(1));
		explain(mail(), Reason.READY);
	}

	@Test
	void workersLeaveTheQueueOut() {
		worker("a", "letters", mails(1));
		Explanation left = explain(mail(), Reason.UNSERVED);
		assertThat(left.sentence()).contains("It is not in 'jobqueue.worker.queues' of worker a, which could run it");
		assertThat(left.workers()).containsExactly("a");
		UUID job = enqueue(JobRequest.of("emials", new Mail("secret")));
		assertThat(explain(job, Reason.QUEUE_MISSPELT).nearest()).isEqualTo("emails");
	}

	@Test
	void limitsAreThoseOfTheWorkers() {
		registered((settings) -> settings.name("a").limits(ONE_PER_HOUR).handler((mail, job) -> {
		}));
		awaitState(mail(), "SUCCEEDED");
		UUID job = mail();
		Explanation limited = explain(job, Reason.RATE);
		assertThat(limited.sentence())
			.startsWith("The rate of queue 'emails', 1 job per 1h, is used up for another 59m");
		assertThat(limited.until()).isBetween(Instant.now().plusSeconds(3_000), Instant.now().plusSeconds(3_700));
		worker("b", new HandledQueue(Set.of("mail"), 1, 0, 99, new ClusterLimits(7, new Rate(2, HOUR))));
		explain(job, Reason.READY);
	}

	@Test
	void limitsOfThisNodeDoNotApplyToWorkersThatHaveOthers() {
		UUID worker = worker("a", new HandledQueue(Set.of("mail"), 9, 0, 99, new ClusterLimits(2, null)));
		claim(worker, 1);
		this.sql.sql("UPDATE jobqueue_claim SET limited = true").update();
		QueueNode limited = node(settings().limits(new ClusterLimits(1, null)));
		UUID job = mail();
		assertThat(limited.operations().explain(job).reason()).isEqualTo(Reason.READY);
		this.sql.sql("DELETE FROM jobqueue_worker_queue").update();
		this.sql.sql("UPDATE jobqueue_worker SET idle = true").update();
		assertThat(limited.operations().explain(job).reason()).isEqualTo(Reason.CLUSTER_CONCURRENCY);
		explain(job, Reason.READY);
	}

	private List<String> handled(String name) {
		return this.sql
			.sql("""
					SELECT concat_ws(' ', queue, types, concurrency, min_priority || '-' || max_priority, cluster_concurrency,
					                 rate, rate_period_millis)
					FROM jobqueue_worker_queue WHERE worker_id = (SELECT id FROM jobqueue_worker WHERE name = ?) ORDER BY queue
					""")
			.param(name)
			.query(String.class)
			.list();
	}

	@Test
	void workerPublishesItsHandlersWhenTheyChange() {
		QueueNode first = registered((settings) -> settings.name("a")
			.concurrency(3)
			.priorities(5, 30)
			.limits(new ClusterLimits(8, new Rate(1, HOUR)))
			.handler((mail, job) -> {
			}));
		String emails = "emails {mail} 3 5-30 8 1 3600000";
		String letters = "letters {Letter} 3 5-30 8 1 3600000";
		assertThat(handled("a")).containsExactly(emails);
		first.registry().register("letters", Letter.class, (letter, job) -> JobResult.success());
		await().untilAsserted(() -> assertThat(handled("a")).containsExactly(emails, letters));
		first.registry().register("letters", Mail.class, (letter, job) -> JobResult.success());
		await().untilAsserted(
				() -> assertThat(handled("a")).containsExactly(emails, "letters {Letter,mail} 3 5-30 8 1 3600000"));
		first.registry().unregister("letters", Mail.class);
		await().untilAsserted(() -> assertThat(handled("a")).containsExactly(emails, letters));
		first.registry().unregister("letters", Letter.class);
		await().untilAsserted(() -> assertThat(handled("a")).containsExactly(emails));
	}

	@Test
	void pausedTypesStayPublished() {
		QueueNode first = registered((settings) -> settings.name("a").handler((mail, job) -> {
		}));
		String service = services();
		first.operations().pause("emails", "mail");
		await().until(() -> !services().equals(service));
		assertThat(handled("a")).hasSize(1).first().asString().startsWith("emails {mail}");
	}

	private String services() {
		return this.sql.sql("SELECT service::text FROM jobqueue_worker").query(String.class).single();
	}

	/**
	 * Nodes of versions before 10 know nothing of what it published.
	 */
	@Test
	void workerThatIsRemovedPublishesNothing() {
		UUID id = worker("a", mails(1));
		assertThat(handled("a")).hasSize(1);
		this.node.workerServices()
			.workers()
			.change(new WorkerBuilder(UUID.randomUUID()).handled(Map.of("emails", mails(1))).build());
		assertThat(count("jobqueue_worker_queue")).isEqualTo(1);
		this.sql.sql("DELETE FROM jobqueue_worker WHERE id = ?").param(id).update();
		assertThat(count("jobqueue_worker_queue")).isZero();
	}

	/**
	 * As a node with another queue does.
	 */
	@Test
	void workerPublishesHandlersThatItDoesNotStart() {
		QueueNode other = node(settings().name("a").handler((mail, job) -> {
		}));
		other.registry().register("letters", Letter.class, (letter, job) -> JobResult.success());
		JobWorker worker = new JobWorker(other.workerServices(),
				new WorkerSettingsBuilder().name("a").timeout(HOUR).heartbeatInterval(Duration.ofMinutes(1)).build(),
				(queue) -> other.queueSettings().withConcurrency(queue.equals("emails") ? 0 : 4), null);
		worker.start();
		closeLater(worker::stop);
		await().until(() -> count("jobqueue_worker") == 1);
		assertThat(explain(mail(), Reason.CONCURRENCY_ZERO).workers()).containsExactly("a");
		registered((settings) -> settings.name("b").serves("letters").handler((mail, job) -> {
		}).bean(new Letters()));
		worker.stop();
		assertThat(explain(mail(), Reason.UNSERVED).workers()).containsExactly("b");
	}

	@Test
	void pullerPublishesTheTypesOfItsSources() {
		QueueNode pulling = started((settings) -> settings.name("p"));
		assertThat(pulling.puller().tryPull("emails", Mail.class)).isNull();
		assertThat(handled("p")).containsExactly("emails {mail} 0-99");
		explain(enqueue(JobRequest.of("emails", new Letter("secret"))), Reason.UNHANDLED);
		try (PulledJob<Letter> job = pulling.puller().tryPull("emails", Letter.class)) {
			assertThat(job).isNotNull();
			assertThat(handled("p")).containsExactly("emails {Letter,mail} 0-99");
		}
	}

	/**
	 * A handler of another queue.
	 */
	private static final class Letters {

		@JobHandler(queue = "letters")
		@SuppressWarnings("unused")
		void handle(Letter letter) {
		}

	}

}
