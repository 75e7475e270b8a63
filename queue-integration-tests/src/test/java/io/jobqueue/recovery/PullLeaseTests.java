package io.jobqueue.recovery;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobResult;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.PullerMain;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long those who pull keep what they have.
 */
@Tag("slow") // kills JVMs
class PullLeaseTests extends NodeTestBase {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	@Test
	void heartbeatsKeepAJobForLongerThanTheTimeout() {
		QueueNode node = started((settings) -> settings.timeout(TIMEOUT));
		UUID id = node.queue().enqueue("emails", new Mail("hi")).id();
		PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
		assertThat(job).isNotNull();
		await().during(TIMEOUT.plusSeconds(2)).until(() -> state(id).equals("RUNNING"));
		job.end(JobResult.success());
		assertThat(state(id)).isEqualTo("SUCCEEDED");
		assertThat(column("attempts", id, Integer.class)).isEqualTo(1);
	}

	@Test
	void jobOfAKilledJvmIsPulledByAnother() throws Exception {
		QueueNode node = started((settings) -> settings);
		UUID id = node.queue().enqueue("emails", new Mail("hi")).id();
		ChildJvm victim = closeLater(PullerMain.start(this.database));
		victim.awaitLine("PULLED " + id, Duration.ofMinutes(2));
		victim.kill();
		PulledJob<Mail> job = node.puller().pull("emails", Mail.class, Duration.ofSeconds(30));
		assertThat(job).isNotNull();
		assertThat(job.context().id()).isEqualTo(id);
		assertThat(job.context().attempt()).isEqualTo(2);
		job.end(JobResult.success());
		assertThat(column("failures", id, Integer.class)).isEqualTo(1);
	}

	/**
	 * The first pull after a silence must not find nothing.
	 */
	@Test
	void workerThatWasForgottenIsKnownAgainWithItsNextPull() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.timeout(Duration.ofMinutes(5)));
			assertThat(node.puller().tryPull("emails", Mail.class)).isNull();
			this.sql.sql("DELETE FROM jobqueue_worker").update();
			node.queue().enqueue("emails", new Mail("hi"));
			PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
			assertThat(job).isNotNull();
			job.end(JobResult.success());
			assertThat(log.messages("the jobs it had were reaped")).hasSize(1);
		}
	}

}
