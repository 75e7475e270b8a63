package io.jobqueue.nodes;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeMain;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers of several nodes that share limits.
 */
@Tag("slow") // starts eight JVMs
class ClusterLimitTests extends NodeTestBase {

	private static final Duration RARELY = Duration.ofMinutes(1);

	private static final Duration OFTEN = Duration.ofMillis(200);

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int JVMS = 8;

	private static final int JOBS = 150;

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	/**
	 * No handler ends before another one runs beside it.
	 */
	private final CountDownLatch met = new CountDownLatch(2);

	@Test
	void handlersOfAllNodesShareTheSlots() {
		started((node) -> limited(node.name("one"), new ClusterLimits(2, null)));
		started((node) -> limited(node.name("other"), new ClusterLimits(2, null)));
		enqueue(JOBS);
		await().until(() -> count("jobqueue_archive") == JOBS);
		assertThat(this.most).hasValue(2);
	}

	@Test
	void freedSlotIsTakenByAnotherNodeWellBelowThePollInterval() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode urgent = started(
				(node) -> remote(node.name("urgent").priorities(0, 9)).handler((mail, job) -> release.await()));
		QueueNode other = started((node) -> remote(node.name("other").priorities(10, 99)).handler((mail, job) -> {
		}));
		await().until(() -> urgent.remoteSignals().isConnected() && other.remoteSignals().isConnected());
		JobRequest mail = JobRequest.of("emails", new Mail("hi"));
		UUID first = urgent.queue().enqueue(mail.priority(Priority.of(5))).id();
		awaitState(first, "RUNNING");
		UUID second = urgent.queue().enqueue(mail.priority(Priority.of(15))).id();
		await().during(Duration.ofMillis(300)).until(() -> state(second).equals("READY"));
		release.countDown();
		await().until(() -> state(second).equals("SUCCEEDED"));
	}

	@Test
	void slotThatTheReaperFreesIsTakenWellBelowThePollInterval() {
		CountDownLatch release = new CountDownLatch(1);
		started((node) -> remote(node.name("lost").priorities(0, 9)).timeout(RARELY)
			.maxAttempts(1)
			.handler((mail, job) -> release.await()));
		QueueNode other = started((node) -> remote(node.name("other").priorities(10, 99)).timeout(RARELY)
			.reaperInterval(Duration.ofMillis(200))
			.handler((mail, job) -> {
			}));
		JobRequest mail = JobRequest.of("emails", new Mail("hi"));
		UUID first = other.queue().enqueue(mail.priority(Priority.of(5))).id();
		awaitState(first, "RUNNING");
		UUID second = other.queue().enqueue(mail.priority(Priority.of(15))).id();
		await().during(Duration.ofMillis(300)).until(() -> state(second).equals("READY"));
		this.sql
			.sql("UPDATE jobqueue_worker SET last_active_at = last_active_at - interval '1 hour' WHERE name = 'lost'")
			.update();
		awaitState(first, "DEAD");
		await().until(() -> state(second).equals("SUCCEEDED"));
		release.countDown();
	}

	private TestNodeSettings remote(TestNodeSettings node) {
		return node.limits(new ClusterLimits(1, null)).listensOn(this.database.directDataSource()).pollInterval(RARELY);
	}

	/**
	 * The database itself notes when which claim began.
	 */
	@Test
	void eightProcessesKeepLimitAndRateAlsoWhenSomeAreKilled() throws Exception {
		noteClaims();
		List<ChildJvm> jvms = eightProcesses(new ClusterLimits(3, new Rate(20, Duration.ofMillis(500))));
		enqueue(JOBS);
		int killed = 0;
		int highest = 0;
		while (count("jobqueue_archive") < JOBS) {
			int claimed = (int) count("jobqueue_job WHERE locked_by IS NOT NULL");
			highest = Math.max(highest, claimed);
			assertThat(claimed).isLessThanOrEqualTo(3);
			if (killed < 3 && claimed > 0 && count("jobqueue_archive") > 30L * (killed + 1)) {
				jvms.get(killed++).kill();
			}
		}
		assertThat(highest).isEqualTo(3);
		assertThat(killed).isEqualTo(3);
		assertThat(mostClaimedWithin("500 milliseconds")).isLessThanOrEqualTo(20);
	}

	private List<ChildJvm> eightProcesses(ClusterLimits limits) {
		List<ChildJvm> jvms = IntStream.range(0, JVMS)
			.mapToObj((number) -> closeLater(NodeMain.launch(this.database, "node-" + number, OFTEN, limits)))
			.toList();
		jvms.forEach((jvm) -> jvm.awaitLine("STARTED", PATIENCE));
		started((node) -> limited(node.name("upkeep").concurrency(0), ClusterLimits.NONE));
		return jvms;
	}

	private void noteClaims() {
		this.sql.sql("CREATE TABLE noted_claim (began_at timestamptz, jobs integer)").update();
		this.sql
			.sql("""
					CREATE FUNCTION note_claim() RETURNS trigger LANGUAGE plpgsql AS
					'BEGIN INSERT INTO noted_claim VALUES (statement_timestamp(), cardinality(NEW.job_ids)); RETURN NULL; END'
					""")
			.update();
		this.sql.sql("CREATE TRIGGER note AFTER INSERT ON jobqueue_claim FOR EACH ROW EXECUTE FUNCTION note_claim()")
			.update();
	}

	private int mostClaimedWithin(String period) {
		return this.sql.sql("""
				SELECT max(jobs) FROM (
				    SELECT sum(jobs) OVER (ORDER BY began_at RANGE '%s' PRECEDING) AS jobs FROM noted_claim) w
				""".formatted(period)).query(Integer.class).single();
	}

	@Test
	void nothingIsClaimedInAdvance() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		started((node) -> node.concurrency(1).limits(new ClusterLimits(20, null)).handler((mail, job) -> {
			if (mail.text().equals("long")) {
				begun.countDown();
				release.await();
			}
		}));
		enqueue(JOBS);
		UUID last = producer().queue().enqueue("emails", new Mail("long")).id();
		enqueue(JOBS);
		begun.await();
		assertThat(count("jobqueue_job WHERE locked_by IS NOT NULL AND seq > " + column("seq", last, Long.class)))
			.isZero();
		release.countDown();
	}

	@Test
	void rateIsReachedAndKept() {
		Rate rate = new Rate(10, Duration.ofHours(1));
		started((node) -> limited(node.name("one"), new ClusterLimits(null, rate)));
		started((node) -> limited(node.name("other"), new ClusterLimits(null, rate)));
		List<UUID> jobs = enqueue(50);
		await().during(Duration.ofMillis(500)).until(() -> count("jobqueue_archive") == 10);
		for (int reached = 20; reached <= 50; reached += 10) {
			passAnHour();
			long all = reached;
			await().until(() -> count("jobqueue_archive") == all);
		}
		jobs.forEach((job) -> assertThat(column("attempts", job, Integer.class)).isEqualTo(1));
	}

	private void passAnHour() {
		this.sql.sql(
				"UPDATE jobqueue_rate SET began_at = began_at - interval '1 hour', ended_at = ended_at - interval '1 hour'")
			.update();
	}

	private TestNodeSettings limited(TestNodeSettings node, ClusterLimits limits) {
		return node.limits(limits).handler((mail, job) -> {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			this.met.countDown();
			this.met.await();
			this.running.decrementAndGet();
		});
	}

	private List<UUID> enqueue(int count) {
		List<JobRequest> requests = Collections.nCopies(count, JobRequest.of("emails", new Mail("hi")));
		return producer().queue().enqueueAll(requests).stream().map(JobReceipt::id).toList();
	}

}
