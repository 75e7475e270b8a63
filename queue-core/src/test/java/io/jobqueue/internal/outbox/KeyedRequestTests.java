package io.jobqueue.internal.outbox;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests with a key in the transactions of a caller.
 */
class KeyedRequestTests extends NodeTestBase {

	private static final JobRequest MAIL = JobRequest.of(new Mail("hi")).key("signup-42");

	@Test
	void duplicateIsAnOutcomeAndLeavesTheTransactionUsable() {
		QueueNode node = producer();
		JobReceipt first = node.queue().enqueue(MAIL);
		node.transaction().executeWithoutResult((status) -> {
			assertThat(node.queue().enqueue(MAIL)).isEqualTo(new JobReceipt(first.id(), Outcome.ALREADY_WAITING));
			node.queue().enqueue(new Mail("another"));
		});
		assertThat(count("jobqueue_job")).isEqualTo(2);
	}

	@Test
	void rollbackFreesTheKey() {
		QueueNode node = producer();
		node.transaction().executeWithoutResult((status) -> {
			node.queue().enqueue(MAIL);
			status.setRollbackOnly();
		});
		assertThat(node.queue().enqueue(MAIL).outcome()).isEqualTo(Outcome.ADDED);
	}

	@Test
	void updatedJobIsWhatTheRequestSays() {
		QueueNode node = producer();
		JobReceipt first = node.queue().enqueue(MAIL.delay(Duration.ofDays(1)).header("tenant", "old").maxAttempts(3));
		JobReceipt second = node.queue()
			.enqueue(JobRequest.of(new Mail("ho")).key("signup-42").onDuplicate(OnDuplicate.UPDATE));
		assertThat(second).isEqualTo(new JobReceipt(first.id(), Outcome.UPDATED));
		assertThat(second.accepted()).isTrue();
		assertThat(column("state", first.id(), String.class)).isEqualTo("READY");
		assertThat(column("payload", first.id(), String.class)).contains("ho");
		assertThat(column("coalesce(headers, '') || coalesce(max_attempts, 0)", first.id(), String.class))
			.isEqualTo("0");
	}

	@Test
	void eachDebounceRestartsTheDelay() {
		QueueNode node = producer();
		JobRequest debounced = MAIL.onDuplicate(OnDuplicate.DEBOUNCE);
		JobReceipt first = node.queue().enqueue(debounced.delay(Duration.ofMinutes(1)));
		node.queue().enqueue(debounced.delay(Duration.ofMinutes(5)));
		assertThat(count("jobqueue_job")).isEqualTo(1);
		assertThat(column("extract(epoch FROM run_at - now())", first.id(), Double.class)).isBetween(270.0, 300.0);
	}

	@Test
	void listWithKeysHasAReceiptForEach() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		List<JobReceipt> receipts = node(settings(counting)).queue()
			.enqueueAll(List.of(MAIL, JobRequest.of(new Mail("unkeyed")), MAIL.key("signup-43"), MAIL));
		assertThat(receipts).extracting(JobReceipt::outcome)
			.containsExactly(Outcome.ADDED, Outcome.ADDED, Outcome.ADDED, Outcome.ALREADY_WAITING);
		assertThat(counting.sent()).hasSize(3);
	}

}
