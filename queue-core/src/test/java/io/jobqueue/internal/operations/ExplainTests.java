package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.Batch;
import io.jobqueue.Explanation;
import io.jobqueue.Explanation.Reason;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Why jobs do not run, for each reason.
 */
class ExplainTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private BlockedHandler handler = new BlockedHandler();

	@BeforeEach
	void reset() {
		this.handler = new BlockedHandler();
	}

	@AfterEach
	void release() {
		this.handler.release();
	}

	private static JobRequest mail(String text) {
		return JobRequest.of("emails", new Mail(text));
	}

	private static UUID enqueue(QueueNode node, JobRequest request) {
		return node.queue().enqueue(request).id();
	}

	private void update(UUID job, String change) {
		this.sql.sql("UPDATE jobqueue_job SET %s WHERE id = ?".formatted(change)).param(job).update();
	}

	/**
	 * Register a worker that has just sent a heartbeat.
	 */
	private UUID worker(String name, String queues, boolean idle) {
		UUID id = UUID.randomUUID();
		this.sql
			.sql("""
					INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues)
					VALUES (?, now(), now(), 60000, ?, ?, ?, ?)
					""")
			.params(id, id, idle, name, queues)
			.update();
		return id;
	}

	private Explanation explain(QueueNode node, UUID job, Reason reason) {
		Explanation explanation = node.operations().explain(job);
		assertThat(explanation.reason()).as(explanation.sentence()).isEqualTo(reason);
		assertThat(explanation.job()).isEqualTo(job);
		assertThat(explanation.sentence() + explanation.remedy()).doesNotContain("secret", "null", "%");
		assertThat(explanation.toString()).contains(explanation.sentence()).doesNotContain("secret");
		return explanation;
	}

	private QueueNode blocked(int concurrency) {
		return started((settings) -> settings.name("busy").concurrency(concurrency).handler((mail, job) -> {
			if (!mail.text().equals("die")) {
				this.handler.block();
			}
		}));
	}

	@Test
	void unknownJob() {
		QueueNode node = producer();
		assertThat(explain(node, UUID.randomUUID(), Reason.UNKNOWN).remedy()).isNotEmpty();
		node.transaction().executeWithoutResult((status) -> {
			UUID job = enqueue(node, mail("secret"));
			assertThat(explain(node, job, Reason.UNKNOWN).sentence()).contains("open or was rolled back");
			status.setRollbackOnly();
		});
	}

	@Test
	void jobThatHasEnded() {
		QueueNode node = started((settings) -> settings.maxAttempts(1).handler((mail, job) -> {
			if (mail.text().equals("die")) {
				throw new IllegalStateException("secret\nsecond line");
			}
		}));
		UUID done = enqueue(node, mail("live"));
		UUID dead = enqueue(node, mail("die"));
		UUID cancelled = enqueue(node, mail("later").delay(HOUR));
		node.operations().cancel(cancelled);
		awaitState(done, "SUCCEEDED");
		awaitState(dead, "DEAD");
		Explanation success = explain(node, done, Reason.ENDED);
		assertThat(success.sentence()).startsWith("The job succeeded at " + Instant.now().toString().substring(0, 10));
		assertThat(success.remedy()).isEmpty();
		assertThat(success.since()).isEqualTo(node.operations().find(done).orElseThrow().details().finishedAt());
		Explanation death = explain(node, dead, Reason.ENDED);
		assertThat(death.sentence()).startsWith("The job died at ");
		assertThat(death.remedy()).contains("retry it");
		assertThat(death.error()).isEqualTo("java.lang.IllegalStateException: secret");
		assertThat(explain(node, cancelled, Reason.ENDED).sentence()).contains("was cancelled at");
	}

	@Test
	void jobThatRuns() throws InterruptedException {
		QueueNode node = blocked(1);
		UUID job = enqueue(node, mail("secret"));
		this.handler.awaitBegun();
		Explanation running = explain(node, job, Reason.RUNNING);
		assertThat(running.sentence()).matches("The job has been running on worker busy since \\S+Z, in attempt 1");
		assertThat(running.workers()).containsExactly("busy");
		assertThat(running.since()).isEqualTo(node.operations().find(job).orElseThrow().startedAt());
		update(job, "cancel_requested = true");
		assertThat(explain(node, job, Reason.CANCEL_REQUESTED).sentence()).contains("busy",
				"cancellation is requested");
	}

	@Test
	void jobOfALostWorker() {
		QueueNode node = producer();
		UUID job = enqueue(node, mail("secret"));
		UUID gone = worker("gone", "emails", true);
		update(job, "locked_by = '%s', claim = 1, attempts = 1".formatted(gone));
		update(job, "expires_at = now()");
		explain(node, job, Reason.RUNNING);
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = '2026-01-01T00:00:00Z'").update();
		update(job, "cancel_requested = true");
		assertThat(explain(node, job, Reason.WORKER_LOST).sentence())
			.isEqualTo("The job was claimed by worker gone, which has sent no heartbeat since 2026-01-01T00:00:00Z");
		this.sql.sql("DELETE FROM jobqueue_worker").update();
		assertThat(explain(node, job, Reason.WORKER_LOST).sentence())
			.contains(gone + ", which is no longer registered");
	}

	@Test
	void jobThatTheReaperIsAboutToEnd() {
		QueueNode node = producer();
		UUID cancelled = enqueue(node, mail("secret"));
		update(cancelled, "cancel_requested = true");
		assertThat(explain(node, cancelled, Reason.CANCEL_REQUESTED).sentence()).contains("no worker runs it");
		UUID expired = enqueue(node, mail("secret"));
		update(expired, "expires_at = now()");
		assertThat(explain(node, expired, Reason.EXPIRED).remedy()).startsWith("Reschedule it");
	}

	@Test
	void callbackOfABatch() {
		QueueNode node = producer();
		Batch batch = node.queue().batch("secret").then(mail("secret")).onFailure(mail("failure")).start();
		batch.add(List.of(mail("member")));
		List<UUID> callbacks = this.sql.sql("SELECT id FROM jobqueue_job WHERE admission = 'PREDECESSORS'")
			.query(UUID.class)
			.list();
		assertThat(callbacks).hasSize(2).allSatisfy((callback) -> {
			Explanation open = explain(node, callback, Reason.BATCH);
			assertThat(open.sentence()).contains("batch " + batch.id(), "is not sealed");
			assertThat(open.remedy()).isEqualTo("Seal the batch");
			assertThat(open.batch()).isEqualTo(batch.id());
		});
		batch.seal();
		assertThat(explain(node, callbacks.get(0), Reason.BATCH).sentence()).contains("has unfinished jobs");
	}

	@Test
	void successor() {
		QueueNode node = producer();
		UUID first = enqueue(node, mail("first").delay(HOUR));
		UUID other = enqueue(node, mail("other"));
		UUID job = enqueue(node, mail("secret").after(first, other));
		Explanation waiting = explain(node, job, Reason.PREDECESSORS);
		assertThat(waiting.sentence()).contains(first + " (SCHEDULED)", other + " (READY)");
		assertThat(waiting.remedy()).contains("release it");
		assertThat(waiting.jobs()).containsExactlyInAnyOrder(first, other);
		this.sql.sql("UPDATE jobqueue_dependency SET satisfied = true WHERE predecessor_id = ?").param(other).update();
		assertThat(explain(node, job, Reason.PREDECESSORS).jobs()).containsExactly(first);
		node.operations().cancel(first);
		this.sql.sql("UPDATE jobqueue_dependency SET failed = true WHERE predecessor_id = ?").param(first).update();
		Explanation failed = explain(node, job, Reason.FAILED_PREDECESSOR);
		assertThat(failed.sentence()).contains("have failed: " + first).doesNotContain(other.toString());
		assertThat(failed.jobs()).containsExactly(first);
	}

	@Test
	void followUpOfAUniqueKey() throws InterruptedException {
		QueueNode node = blocked(1);
		UUID running = enqueue(node, mail("first").key("secret"));
		this.handler.awaitBegun();
		JobReceipt receipt = node.queue().enqueue(mail("second").key("secret").onDuplicate(OnDuplicate.REQUEUE));
		Explanation following = explain(node, receipt.id(), Reason.FOLLOW_UP);
		assertThat(following.sentence()).endsWith("with its unique key: %s (RUNNING)".formatted(running));
		assertThat(following.jobs()).containsExactly(running);
	}

	@Test
	void jobBehindAnotherOfItsOrderingKey() throws InterruptedException {
		QueueNode node = blocked(2);
		UUID first = enqueue(node, mail("first").orderedBy("secret"));
		this.handler.awaitBegun();
		UUID second = enqueue(node, mail("second").orderedBy("secret"));
		UUID third = enqueue(node, mail("third").orderedBy("secret"));
		awaitState(third, "BLOCKED");
		Explanation waiting = explain(node, third, Reason.ORDER);
		assertThat(waiting.sentence()).endsWith("with its ordering key: %s (RUNNING)".formatted(first));
		assertThat(waiting.jobs()).containsExactly(first);
		update(first, "run_at = 'infinity', due_at = now() + interval '1 hour', admission = 'PENDING'");
		assertThat(explain(node, third, Reason.ORDER).jobs()).containsExactly(first);
		assertThat(explain(node, second, Reason.ORDER).jobs()).containsExactly(first);
		update(second, "run_at = now() + interval '1 hour', due_at = NULL, admission = NULL");
		assertThat(explain(node, third, Reason.ORDER).jobs()).containsExactly(second);
	}

	@Test
	void jobBehindADeadOneOfItsOrderingKey() {
		QueueNode node = started(
				(settings) -> settings.maxAttempts(1).keys(new AdmissionRules(null, true)).handler((mail, job) -> {
					throw new IllegalStateException();
				}));
		UUID dead = enqueue(node, mail("die").orderedBy("secret"));
		awaitState(dead, "DEAD");
		UUID second = enqueue(node, mail("second").orderedBy("secret"));
		awaitState(second, "BLOCKED");
		assertThat(explain(node, second, Reason.ORDER).sentence()).endsWith("key: %s (DEAD)".formatted(dead));
	}

	@Test
	void jobWithoutASlot() throws InterruptedException {
		QueueNode node = started(
				(settings) -> settings.keys(new AdmissionRules(1, false)).handler((mail, job) -> this.handler.block()));
		UUID first = enqueue(node, mail("first").limitedBy("secret"));
		this.handler.awaitBegun();
		UUID second = enqueue(node, mail("second").limitedBy("secret"));
		awaitState(second, "BLOCKED");
		Explanation waiting = explain(node, second, Reason.SLOT);
		assertThat(waiting.sentence()).endsWith("occupy: %s (RUNNING)".formatted(first));
		assertThat(waiting.remedy()).contains("concurrency-per-key");
		assertThat(waiting.jobs()).containsExactly(first);
	}

	@Test
	void jobThatHasFailed() {
		QueueNode node = started(
				(settings) -> settings.retryPolicy((failure) -> RetryDecision.retryIn(HOUR)).handler((mail, job) -> {
					throw new IllegalStateException("secret");
				}));
		UUID job = enqueue(node, mail("fail"));
		awaitState(job, "RETRYING");
		Explanation retry = explain(node, job, Reason.RETRYING);
		Instant runAt = node.operations().find(job).orElseThrow().runAt();
		assertThat(retry.sentence()).startsWith("The job has failed once, and is due again at ");
		assertThat(retry.until()).isEqualTo(runAt);
		assertThat(retry.error()).isEqualTo("java.lang.IllegalStateException: secret");
		update(job, "failures = 2, due_at = now(), run_at = 'infinity'");
		Explanation held = explain(node, job, Reason.RETRY_HELD);
		assertThat(held.sentence()).contains("failed 2 times", "probe-retries", "'emails'");
		assertThat(held.error()).isEqualTo("java.lang.IllegalStateException: secret");
	}

	@Test
	void jobThatIsDueLater() {
		QueueNode node = producer();
		Instant runAt = Instant.parse("2099-12-31T23:59:59Z");
		UUID job = enqueue(node, mail("secret").runAt(runAt));
		node.operations().pause("emails");
		Explanation later = explain(node, job, Reason.SCHEDULED);
		assertThat(later.sentence()).isEqualTo("The job is due at 2099-12-31T23:59:59Z");
		assertThat(later.until()).isEqualTo(runAt);
		UUID ordered = enqueue(node, mail("secret").runAt(runAt).orderedBy("secret"));
		assertThat(explain(node, ordered, Reason.SCHEDULED).until()).isEqualTo(runAt);
	}

	@Test
	void pausedJob() {
		QueueNode node = node(settings().user("alice"));
		UUID job = enqueue(node, mail("secret"));
		node.operations().pause("emails", "Fax");
		node.operations().pause("invoices");
		explain(node, job, Reason.UNSERVED);
		node.operations().because("a \u2028 reason").pause("emails", "mail");
		Explanation type = explain(node, job, Reason.PAUSED);
		assertThat(type.sentence())
			.matches("Type 'mail' of queue 'emails' has been paused since \\S+Z by alice, because: a \\\\u2028 reason");
		assertThat(type.remedy()).isEqualTo("Resume the type");
		node.operations().pause("emails");
		Explanation queue = explain(node, job, Reason.PAUSED);
		assertThat(queue.sentence()).matches("Queue 'emails' has been paused since \\S+Z by alice");
		assertThat(node.operations().pauses())
			.anyMatch((pause) -> pause.type() == null && pause.since().equals(queue.since()));
	}

	@Test
	void jobThatNoWorkerServes() {
		QueueNode node = producer();
		UUID job = enqueue(node, mail("secret"));
		assertThat(explain(node, job, Reason.UNSERVED).sentence())
			.isEqualTo("No worker is alive that could serve queue 'emails'");
		worker("one", "invoices,faxes", true);
		assertThat(explain(node, job, Reason.UNSERVED).sentence())
			.isEqualTo("None of the living workers (1) serves queue 'emails'");
		UUID silent = worker("silent", "emails", true);
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = now() - interval '2 minutes' WHERE id = ?")
			.param(silent)
			.update();
		explain(node, job, Reason.UNSERVED);
		worker("two", "invoices,emials", true);
		Explanation misspelt = explain(node, job, Reason.QUEUE_MISSPELT);
		assertThat(misspelt.sentence()).contains("'emails'", "'emials'");
		assertThat(misspelt.nearest()).isEqualTo("emials");
	}

	@Test
	void queueIsMisspeltThatThisNodeHandles() {
		QueueNode node = node(settings().handler((mail, job) -> {
		}));
		UUID job = enqueue(node, JobRequest.of("emials", new Mail("secret")));
		assertThat(explain(node, job, Reason.QUEUE_MISSPELT).nearest()).isEqualTo("emails");
		worker("other", "emial", true);
		UUID right = enqueue(node, mail("secret"));
		explain(node, right, Reason.UNSERVED);
	}

	@Test
	void concurrencyIsZero() {
		QueueNode node = started((settings) -> settings.concurrency(0).handler((mail, job) -> {
		}));
		UUID job = enqueue(node, mail("secret"));
		assertThat(explain(node, job, Reason.CONCURRENCY_ZERO).remedy()).contains("jobqueue.queues.emails.concurrency");
		worker("other", "emails", true);
		explain(node, job, Reason.READY);
	}

	@Test
	void typeWithoutAHandler() {
		QueueNode node = started((settings) -> settings.name("here").handler((mail, job) -> {
		}));
		await().until(() -> count("jobqueue_worker") == 1);
		UUID job = enqueue(node, JobRequest.of("emails", "secret").type("mial"));
		Explanation unhandled = explain(node, job, Reason.UNHANDLED);
		assertThat(unhandled.sentence()).isEqualTo(
				"None of the living workers of queue 'emails' (1) has a handler for type 'mial'; the nearest type is 'mail'");
		assertThat(unhandled.nearest()).isEqualTo("mail");
		assertThat(unhandled.workers()).containsExactly("here");
		UUID other = enqueue(node, JobRequest.of("emails", "secret").type("Fax"));
		assertThat(explain(node, other, Reason.UNHANDLED).nearest()).isNull();
	}

	@Test
	void rateIsUsedUp() {
		ClusterLimits limits = new ClusterLimits(null, new Rate(1, HOUR));
		QueueNode node = started((settings) -> settings.limits(limits).handler((mail, job) -> {
		}));
		UUID first = enqueue(node, mail("first"));
		awaitState(first, "SUCCEEDED");
		UUID second = enqueue(node, mail("secret"));
		Explanation limited = explain(node, second, Reason.RATE);
		assertThat(limited.sentence())
			.startsWith("The rate of queue 'emails', 1 job per 1h, is used up for another 59m");
		assertThat(limited.until()).isBetween(Instant.now().plusSeconds(3_000), Instant.now().plusSeconds(3_700));
	}

	@Test
	void clusterConcurrencyIsReached() throws InterruptedException {
		QueueNode node = started(
				(settings) -> settings.limits(new ClusterLimits(1, null)).handler((mail, job) -> this.handler.block()));
		UUID first = enqueue(node, mail("first"));
		this.handler.awaitBegun();
		UUID second = enqueue(node, mail("secret"));
		Explanation limited = explain(node, second, Reason.CLUSTER_CONCURRENCY);
		assertThat(limited.sentence()).contains("'cluster-concurrency' of 1", first + " of type 'mail'");
		assertThat(limited.jobs()).containsExactly(first);
	}

	@Test
	void allHandlersAreBusy() throws InterruptedException {
		QueueNode node = blocked(1);
		UUID first = enqueue(node, mail("first"));
		this.handler.awaitBegun();
		UUID second = enqueue(node, mail("secret"));
		Explanation busy = explain(node, second, Reason.BUSY);
		assertThat(busy.sentence()).matches(
				"All handlers of queue 'emails' are busy: 1 claimed job for 1 handler on 1 worker, the first of them %s of type 'mail' on worker busy since \\S+Z"
					.formatted(first));
		assertThat(busy.jobs()).containsExactly(first);
		assertThat(busy.workers()).containsExactly("busy");
		assertThat(busy.since()).isEqualTo(node.operations().find(first).orElseThrow().startedAt());
		worker("free", "emails", true);
		explain(node, second, Reason.READY);
	}

	@Test
	void jobThatIsLocked() {
		QueueNode node = producer();
		worker("free", "emails", true);
		UUID job = enqueue(node, mail("secret"));
		update(job, "run_at = now() - interval '1 minute'");
		OpenTransaction transaction = closeLater(new OpenTransaction(this.pool));
		transaction.sql().sql("SELECT id FROM jobqueue_job FOR UPDATE").query(UUID.class).single();
		explain(node, job, Reason.LOCKED);
		transaction.end(false);
		Explanation passed = explain(node, job, Reason.READY);
		assertThat(passed.sentence()).contains("1 living worker of queue 'emails' has not claimed it");
		assertThat(passed.remedy()).contains("'mail'", "jobqueue.worker.priorities");
		assertThat(passed.workers()).containsExactly("free");
	}

	@Test
	void jobThatIsAboutToBeClaimed() {
		QueueNode node = producer();
		worker("free", "emails", true);
		UUID job = enqueue(node, mail("secret"));
		await().untilAsserted(() -> {
			update(job, "run_at = clock_timestamp()");
			assertThat(explain(node, job, Reason.READY).sentence()).contains("about to claim it");
		});
	}

	/**
	 * Other applications choose these names.
	 */
	@Test
	void namesAreEscaped() {
		QueueNode node = producer();
		worker("free", "emails", true);
		UUID job = enqueue(node, JobRequest.of("emails", "secret").type("a"));
		update(job, "type = E'a\\nb', run_at = now() - interval '1 minute'");
		assertThat(explain(node, job, Reason.READY).remedy()).contains("'a\\u000ab'");
	}

	@Test
	void longErrorIsCut() {
		QueueNode node = producer();
		UUID job = enqueue(node, mail("secret").delay(HOUR));
		update(job, "failures = 1, last_error = repeat('x', 499) || U&'\\+01F600'");
		assertThat(explain(node, job, Reason.RETRYING).error()).isEqualTo("x".repeat(499));
	}

	@ParameterizedTest
	@CsvSource({ "emails, 1", "'invoices,emails', 1", "emails2, 0", "'faxes,email', 0" })
	void queueOfAWorkerIsComparedAsAWhole(String queues, int serving) {
		worker("one", queues, true);
		QueueNode node = producer();
		UUID job = enqueue(node, mail("secret"));
		Set<Reason> unserved = EnumSet.of(Reason.UNSERVED, Reason.QUEUE_MISSPELT);
		assertThat(unserved.contains(node.operations().explain(job).reason())).isEqualTo(serving == 0);
	}

}
