package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobSource;
import io.jobqueue.JobType;
import io.jobqueue.PulledJob;
import io.jobqueue.QueuePause;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

/**
 * A paused queue or type starts no jobs on any node until it is resumed, whether pauses
 * arrive as signals or by polling.
 */
@Tag("pooler") // signals
class PauseTests extends NodeTestBase {

	/**
	 * Heartbeats and polls come too late for a test.
	 */
	private static final Duration NEVER = Duration.ofHours(1);

	private final Set<UUID> begun = ConcurrentHashMap.newKeySet();

	private volatile CountDownLatch mayEnd = new CountDownLatch(0);

	private CapturedLog log = new CapturedLog();

	@BeforeEach
	void reset() {
		this.begun.clear();
		this.mayEnd = new CountDownLatch(0);
		this.log.close();
		this.log = new CapturedLog();
	}

	@AfterEach
	void letEnd() {
		this.mayEnd.countDown();
		this.log.close();
	}

	@Test
	void everyNodeReceivesItAsASignal() {
		QueueNode first = listening("first");
		QueueNode second = listening("second");
		first.operations().pause("emails");
		awaitLogged("Worker first", "serves [faxes]; paused: [emails]");
		awaitLogged("Worker second", "serves [faxes]");
		UUID paused = second.queue().enqueue("emails", new Mail("paused")).id();
		UUID other = second.queue().enqueue("faxes", new Fax("other")).id();
		awaitState(other, "SUCCEEDED");
		assertThat(state(paused)).isEqualTo("READY");
		second.operations().resume("emails");
		awaitState(paused, "SUCCEEDED");
		awaitLogged("Worker first", "serves [emails, faxes]");
	}

	private QueueNode listening(String name) {
		QueueNode node = started((settings) -> seldom(settings).name(name).listensOn(this.database.directDataSource()));
		await().until(() -> node.remoteSignals().isConnected());
		return node;
	}

	private TestNodeSettings seldom(TestNodeSettings settings) {
		return handling(settings).pollInterval(NEVER).timeout(NEVER.multipliedBy(4));
	}

	private TestNodeSettings handling(TestNodeSettings settings) {
		return settings.bean(new Handler());
	}

	private void awaitLogged(String node, String text) {
		await().until(() -> this.log.messages(node).stream().anyMatch((line) -> line.contains(text)));
	}

	/**
	 * The job's own node is woken by it, and looks what is paused first.
	 */
	@Test
	void workerWithoutSignalsReadsPausesBeforeItClaims() {
		QueueNode node = started(this::seldom);
		UUID first = node.queue().enqueue("emails", new Mail("first")).id();
		awaitState(first, "SUCCEEDED");
		insertPause("emails", "");
		awaitPassed(first, Duration.ofMillis(600));
		UUID paused = node.queue().enqueue("emails", new Mail("paused")).id();
		awaitLogged("Worker node", "serves [faxes]");
		assertThat(state(paused)).isEqualTo("READY");
	}

	private void awaitPassed(UUID job, Duration sinceItsEnd) {
		await().until(() -> this.sql
			.sql("SELECT now() - finished_at > ? * interval '1 millisecond' FROM jobqueue_archive WHERE id = ?")
			.params(sinceItsEnd.toMillis(), job)
			.query(Boolean.class)
			.single());
	}

	private void insertPause(String queue, String type) {
		this.sql.sql("INSERT INTO jobqueue_pause (queue, type, paused_at) VALUES (?, ?, now())")
			.params(queue, type)
			.update();
	}

	@Test
	void pollsOfAWorkerWithoutSignalsFindResumedJobs() {
		insertPause("emails", "");
		QueueNode node = started((settings) -> handling(settings).timeout(NEVER.multipliedBy(4)));
		UUID paused = node.queue().enqueue("emails", new Mail("paused")).id();
		awaitLogged("Worker node", "serves [faxes]");
		this.sql.sql("DELETE FROM jobqueue_pause").update();
		awaitState(paused, "SUCCEEDED");
	}

	@Test
	@Tag("slow") // waits for a heartbeat
	void lostSignalCostsAHeartbeat() {
		QueueNode node = started(
				(settings) -> handling(settings).pollInterval(NEVER).listensOn(this.database.directDataSource()));
		await().until(() -> node.remoteSignals().isConnected());
		insertPause("emails", "");
		awaitLogged("Worker node", "serves [faxes]");
		UUID paused = node.queue().enqueue("emails", new Mail("paused")).id();
		this.sql.sql("DELETE FROM jobqueue_pause").update();
		awaitState(paused, "SUCCEEDED");
	}

	@Test
	void otherTypesOfTheQueueRun() {
		QueueNode node = started(this::seldom);
		node.operations().pause("emails", "mail");
		UUID paused = node.queue().enqueue("emails", new Mail("paused")).id();
		UUID other = node.queue().enqueue("emails", new Fax("other")).id();
		awaitState(other, "SUCCEEDED");
		assertThat(state(paused)).isEqualTo("READY");
		node.operations().resume("emails");
		assertThat(node.operations().pauses()).hasSize(1);
		node.operations().resume("emails", "mail");
		awaitState(paused, "SUCCEEDED");
	}

	@Test
	void pauseOutlastsARestart() {
		producer().operations().pause("emails");
		QueueNode node = started(this::seldom);
		UUID paused = node.queue().enqueue("emails", new Mail("paused")).id();
		awaitState(node.queue().enqueue("faxes", new Fax("other")).id(), "SUCCEEDED");
		node.jobWorker().stop();
		node.jobWorker().start();
		awaitState(node.queue().enqueue("faxes", new Fax("other")).id(), "SUCCEEDED");
		assertThat(state(paused)).isEqualTo("READY");
		node.operations().resume("emails");
		awaitState(paused, "SUCCEEDED");
	}

	/**
	 * Short jobs let the worker claim in advance.
	 */
	@Test
	@Tag("slow") // runs 200 jobs first
	void runningJobFinishesAndBufferedJobsAreReleased() {
		QueueNode node = started((settings) -> seldom(settings).concurrency(1));
		enqueue(node, 200).forEach((job) -> awaitState(job, "SUCCEEDED"));
		this.mayEnd = new CountDownLatch(1);
		List<UUID> jobs = enqueue(node, 10);
		await().until(() -> this.begun.contains(jobs.get(0)));
		node.operations().pause("emails");
		awaitLogged("Worker node", "serves [faxes]");
		this.mayEnd.countDown();
		awaitState(jobs.get(0), "SUCCEEDED");
		jobs.subList(1, 10).forEach((job) -> awaitState(job, "READY"));
		assertThat(this.begun).doesNotContainAnyElementsOf(jobs.subList(1, 10));
	}

	private static List<UUID> enqueue(QueueNode node, int count) {
		List<JobRequest> requests = Stream.generate(() -> JobRequest.of("emails", new Mail("hi")))
			.limit(count)
			.toList();
		return node.queue().enqueueAll(requests).stream().map(JobReceipt::id).toList();
	}

	@Test
	void pausedJobsAreNotPulled() {
		QueueNode node = started((settings) -> settings);
		JobSource<Mail> mails = JobSource.of("emails", Mail.class);
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		node.operations().pause("emails");
		assertThat(node.puller().tryPull(mails)).isNull();
		node.operations().resume("emails");
		try (PulledJob<Mail> pulled = node.puller().tryPull(mails)) {
			assertThat(pulled.context().id()).isEqualTo(job);
		}
	}

	@Test
	void pausesHaveTheirUser() {
		JobOperations operations = node(settings().user("alice")).operations();
		operations.because("SMTP is down").pause("emails");
		operations.because("again").pause("emails");
		operations.pause("faxes");
		operations.because("few").pause("faxes", "mail");
		assertThat(operations.pauses())
			.extracting(QueuePause::queue, QueuePause::type, QueuePause::by, QueuePause::reason)
			.containsExactly(tuple("emails", null, "alice", "SMTP is down"), tuple("faxes", null, "alice", null),
					tuple("faxes", "mail", "alice", "few"));
		assertThat(operations.pauses()).extracting(QueuePause::since)
			.allSatisfy((since) -> assertThat(since).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES)));
		operations.resume("emails");
		operations.resume("nothing");
		operations.pause("emails");
		assertThat(operations.pauses()).hasSize(3).first().extracting(QueuePause::reason).isNull();
		assertThat(this.log.messages(", by alice")).containsExactly("pause emails, by alice, because: SMTP is down",
				"pause faxes, by alice", "pause faxes/mail, by alice, because: few", "resume emails, by alice",
				"pause emails, by alice");
	}

	@Test
	void nameThatNoQueueCanHaveIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> producer().operations().pause("E mails"))
			.withMessageContaining("'E mails'");
	}

	@JobType("fax")
	record Fax(String text) {
	}

	final class Handler {

		@JobHandler(queue = "emails")
		void handleMail(Mail mail, JobContext job) throws InterruptedException {
			mail.text();
			PauseTests.this.begun.add(job.id());
			PauseTests.this.mayEnd.await();
		}

		@JobHandler(queue = "emails")
		void handleInQueue(Fax fax) {
			fax.text();
		}

		@JobHandler(queue = "faxes")
		void handle(Fax fax) {
			fax.text();
		}

	}

}
