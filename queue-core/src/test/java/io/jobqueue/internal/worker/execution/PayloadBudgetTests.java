package io.jobqueue.internal.worker.execution;

import java.util.List;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.ClaimedJobBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What queues may hold beside each other.
 */
class PayloadBudgetTests {

	private final PayloadBudget budget = new PayloadBudget(1_000);

	private final PayloadBudget.Share emails = this.budget.new Share();

	private final PayloadBudget.Share invoices = this.budget.new Share();

	@Test
	void queueThatHoldsNothingMayClaimAnyNumber() {
		assertThat(this.emails.jobsLeft()).isEqualTo(Integer.MAX_VALUE);
		this.invoices.add(jobs(50, 100));
		assertThat(this.emails.jobsLeft()).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void oneQueueMayUseAllOfIt() {
		this.emails.add(jobs(6, 100));
		assertThat(this.emails.left()).isEqualTo(400);
		assertThat(this.emails.jobsLeft()).isEqualTo(4);
		this.emails.add(jobs(4, 100));
		assertThat(this.emails.jobsLeft()).isZero();
	}

	@Test
	void payloadsAndHeadersCount() {
		this.emails.add(List.of(held(0, Encoded.ofText("x".repeat(100)), "y".repeat(50)),
				held(1, Encoded.ofBytes(new byte[150]), null)));
		assertThat(this.emails.left()).isEqualTo(700);
	}

	@Test
	void removedJobsDoNotCount() {
		List<BufferedJob> jobs = jobs(10, 100);
		this.emails.add(jobs);
		this.emails.remove(jobs.get(0));
		assertThat(this.emails.jobsLeft()).isEqualTo(1);
		jobs.subList(1, 10).forEach(this.emails::remove);
		assertThat(this.emails.jobsLeft()).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void queueHasItsShareWhateverTheOthersHold() {
		this.emails.add(jobs(10, 100));
		assertThat(this.invoices.left()).isEqualTo(500);
		this.invoices.add(jobs(4, 100));
		assertThat(this.invoices.jobsLeft()).isEqualTo(1);
		this.invoices.add(jobs(1, 100));
		assertThat(this.invoices.jobsLeft()).isZero();
		assertThat(this.emails.jobsLeft()).isZero();
	}

	@Test
	void oneMoreFitsWhileAnythingIsLeft() {
		this.emails.add(jobs(3, 300));
		assertThat(this.emails.jobsLeft()).isEqualTo(1);
	}

	private static List<BufferedJob> jobs(int count, int length) {
		return LongStream.range(0, count)
			.mapToObj((seq) -> held(seq, Encoded.ofText("x".repeat(length)), null))
			.toList();
	}

	private static BufferedJob held(long seq, Encoded payload, @Nullable String headers) {
		return new BufferedJob(new ClaimedJobBuilder().payload(payload).headers(headers).seq(seq).build(),
				System.nanoTime(), System.nanoTime(), null);
	}

}
