package io.jobqueue.internal.outbox;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Many jobs at once.
 */
class EnqueueAllTests extends NodeTestBase {

	@Test
	void tenThousandJobsTakeABoundedNumberOfStatements() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		JobQueue queue = node(settings(counting)).queue();
		queue.enqueueAll(mails(10_000));
		assertThat(count("jobqueue_job")).isEqualTo(10_000);
		assertThat(counting.sent()).hasSizeLessThanOrEqualTo(10)
			.allMatch((sql) -> sql.contains("INSERT INTO jobqueue_job"));
	}

	@Test
	void fewLargeJobsAreDividedAmongStatements() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		String large = "x".repeat(1_000_000);
		node(settings(counting)).queue()
			.enqueueAll(IntStream.range(0, 13).mapToObj((n) -> JobRequest.of(new Mail(large))).toList());
		assertThat(count("jobqueue_job")).isEqualTo(13);
		assertThat(counting.sent()).hasSize(5);
	}

	@Test
	void largeHeadersAreDividedAmongStatements() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		String large = "x".repeat(1_000_000);
		node(settings(counting)).queue()
			.enqueueAll(IntStream.range(0, 12)
				.mapToObj((n) -> JobRequest.of(new Mail("hi")).header("large", large))
				.toList());
		assertThat(counting.sent()).hasSizeBetween(3, 6);
	}

	@Test
	void eachRequestHasAReceiptInOrder() {
		List<JobReceipt> receipts = producer().queue().enqueueAll(mails(2_500));
		List<UUID> inOrderOfText = this.sql
			.sql("SELECT id FROM jobqueue_job ORDER BY (payload::json ->> 'text')::integer")
			.query(UUID.class)
			.list();
		assertThat(receipts).extracting(JobReceipt::id).isEqualTo(inOrderOfText);
		assertThat(receipts).allMatch(JobReceipt::accepted)
			.allMatch((receipt) -> receipt.outcome() == JobReceipt.Outcome.ADDED);
	}

	@Test
	void takesPayloadsAsWellAsRequests() {
		List<JobReceipt> receipts = producer().queue()
			.enqueueAll(List.of(new Mail("0"), JobRequest.of("emails", new Mail("1")), new Mail("2")));
		assertThat(receipts).extracting((receipt) -> column("payload", receipt.id(), String.class))
			.containsExactly("{\"text\":\"0\"}", "{\"text\":\"1\"}", "{\"text\":\"2\"}");
		assertThat(column("queue", receipts.get(1).id(), String.class)).isEqualTo("emails");
		assertThat(column("queue", receipts.get(2).id(), String.class)).isEqualTo("default");
	}

	@Test
	void theSequenceFollowsTheList() {
		producer().queue().enqueueAll(mails(2_500));
		assertThat(this.sql.sql("SELECT (payload::json ->> 'text')::integer FROM jobqueue_job ORDER BY seq")
			.query(Integer.class)
			.list()).isSorted().hasSize(2_500);
	}

	@Test
	void oneBadRequestRejectsAll() {
		List<JobRequest> requests = List.of(JobRequest.of(new Mail("good")), JobRequest.of("No name", new Mail("bad")));
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> producer().queue().enqueueAll(requests));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void failureOfALaterStatementUndoesTheEarlierOnes() {
		this.sql.sql("ALTER TABLE jobqueue_job ADD CONSTRAINT no_2000 CHECK (payload NOT LIKE '%2000%')").update();
		try {
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> producer().queue().enqueueAll(mails(2_500)));
			assertThat(count("jobqueue_job")).isZero();
		}
		finally {
			this.sql.sql("ALTER TABLE jobqueue_job DROP CONSTRAINT no_2000").update();
		}
	}

	@Test
	void noRequestsAreNoJobs() {
		assertThat(producer().queue().enqueueAll(List.of())).isEmpty();
	}

	private static List<JobRequest> mails(int count) {
		return IntStream.range(0, count).mapToObj((n) -> JobRequest.of(new Mail(String.valueOf(n)))).toList();
	}

}
