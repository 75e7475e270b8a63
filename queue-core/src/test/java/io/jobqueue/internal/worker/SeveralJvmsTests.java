package io.jobqueue.internal.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeMain;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker in a JVM of its own that is killed, frozen or idle, and one in this JVM.
 */
@Tag("slow") // kills JVMs
@Tag("pooler") // signals
class SeveralJvmsTests extends NodeTestBase {

	private static final Duration OFTEN = Duration.ofMillis(200);

	private static final Duration RARELY = Duration.ofMinutes(1);

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final Duration SLACK = Duration.ofSeconds(10);

	private Connection blocker;

	@BeforeEach
	void blockHandlers() throws SQLException {
		this.blocker = closeLater(this.database.directDataSource().getConnection());
		execute("SELECT pg_advisory_lock(1)");
	}

	@Test
	void jobsOfAKilledWorkerStartElsewhereAfterItsTimeout() {
		ChildJvm victim = closeLater(NodeMain.start(this.database, "victim", OFTEN));
		List<UUID> jobs = enqueueBlocking(3);
		jobs.forEach((job) -> victim.awaitLine("BEGIN", PATIENCE));
		QueueNode survivor = started((settings) -> settings.handler((mail, job) -> {
		}));
		victim.kill();
		await().atMost(NodeMain.TIMEOUT.plusMillis(500).plus(SLACK)).until(() -> count("jobqueue_archive") == 3);
		jobs.forEach((job) -> assertThat(column("attempts", job, Integer.class)).isEqualTo(2));
		assertThat(survivor.reaped()).allSatisfy((reaped) -> assertThat(reaped.worker()).isEqualTo("victim"));
	}

	@Test
	void nothingIsLostWhenAWorkerIsKilledAmidItsWork() {
		ChildJvm victim = closeLater(NodeMain.start(this.database, "victim", OFTEN));
		producer().queue().enqueueAll(Collections.nCopies(15_000, JobRequest.of("emails", new Mail("hi"))));
		await().until(() -> count("jobqueue_archive") > 500);
		victim.kill();
		assertThat(count("jobqueue_job")).isPositive();
		started((settings) -> settings.handler((mail, job) -> {
		}));
		await().until(() -> count("jobqueue_archive") == 15_000);
		assertThat(count("jobqueue_archive WHERE state = 'SUCCEEDED'")).isEqualTo(15_000);
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void jobThatEndsItsJvmInItsLastAttemptIsDead() {
		ChildJvm victim = closeLater(NodeMain.start(this.database, "victim", OFTEN));
		UUID killer = producer().queue().enqueue(JobRequest.of("emails", new Mail("1")).maxAttempts(1)).id();
		victim.awaitLine("BEGIN " + killer, PATIENCE);
		victim.kill();
		started((settings) -> settings.handler((mail, job) -> {
		}));
		awaitState(killer, "DEAD");
		assertThat(column("last_error", killer, String.class)).contains("victim")
			.contains("sent no heartbeat within its timeout");
	}

	@Test
	void suspendedWorkerCannotCompleteJobsClaimedByAnother() throws Exception {
		ChildJvm frozen = closeLater(NodeMain.start(this.database, "frozen", OFTEN));
		UUID job = enqueueBlocking(1).get(0);
		frozen.awaitLine("BEGIN " + job, PATIENCE);
		frozen.freeze();
		QueueNode other = started((settings) -> settings.handler((mail, context) -> {
		}));
		awaitState(job, "SUCCEEDED");
		String row = archived(job);
		other.jobWorker().stop();
		execute("SELECT pg_advisory_unlock(1)");
		frozen.thaw();
		frozen.awaitLine("its outcome was not recorded", PATIENCE);
		assertThat(archived(job)).isEqualTo(row).contains("attempts=2");
		UUID next = other.queue().enqueue(new Mail("hi")).id();
		frozen.awaitLine("END " + next, PATIENCE);
		awaitState(next, "SUCCEEDED");
	}

	@Test
	void commitWakesAnIdleWorkerOfAnotherJvmBeforeItsPoll() {
		ChildJvm idle = closeLater(NodeMain.start(this.database, "idle", RARELY));
		QueueNode producer = started((settings) -> settings.unpooled(this.database.dataSource()));
		UUID first = producer.queue().enqueue("emails", new Mail("hi")).id();
		idle.awaitLine("END " + first, PATIENCE);
		awaitState(first, "SUCCEEDED");
		UUID second = producer.queue().enqueue("emails", new Mail("hi")).id();
		idle.awaitLine("END " + second, SLACK);
	}

	private List<UUID> enqueueBlocking(int count) {
		List<JobRequest> requests = Stream.generate(() -> JobRequest.of("emails", new Mail("1"))).limit(count).toList();
		return producer().queue().enqueueAll(requests).stream().map(JobReceipt::id).toList();
	}

	private void execute(String sql) throws SQLException {
		try (Statement statement = this.blocker.createStatement()) {
			statement.execute(sql);
		}
	}

	private String archived(UUID job) {
		return this.sql.sql("SELECT * FROM jobqueue_archive WHERE id = ?").param(job).query().listOfRows().toString();
	}

}
