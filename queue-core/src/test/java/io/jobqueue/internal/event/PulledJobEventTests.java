package io.jobqueue.internal.event;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobDied;
import io.jobqueue.JobFailed;
import io.jobqueue.JobResult;
import io.jobqueue.JobSucceeded;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The events of pulled jobs.
 */
class PulledJobEventTests extends NodeTestBase {

	@Test
	void outcomesHaveEvents() {
		RecordedEvents events = new RecordedEvents();
		QueueNode node = started((settings) -> settings.bean(events));
		IllegalStateException refused = new IllegalStateException("refused");
		pull(node).end(JobResult.success());
		pull(node).end(JobResult.fail("no such customer"));
		pull(node).fail(refused);
		await().untilAsserted(() -> {
			assertThat(events.of(JobSucceeded.class)).hasSize(1);
			assertThat(events.of(JobDied.class)).hasSize(1);
			assertThat(events.of(JobFailed.class)).extracting(JobFailed::exception).isEqualTo(List.of(refused));
		});
	}

	private static PulledJob<Mail> pull(QueueNode node) {
		node.queue().enqueue("emails", new Mail("hi"));
		PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
		assertThat(job).isNotNull();
		return job;
	}

}
