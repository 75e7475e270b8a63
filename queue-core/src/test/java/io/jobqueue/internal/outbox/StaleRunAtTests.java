package io.jobqueue.internal.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of run-ats that are long past, where a limit is set.
 */
class StaleRunAtTests extends NodeTestBase {

	private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobRequest MAIL = JobRequest.of("emails", new Mail("hi"));

	@Test
	void olderOnesAreRefusedAndOthersBecomeNow() {
		JobQueue queue = node(limited()).queue();
		assertStale(() -> queue.enqueue(MAIL.runAt(NOW.minus(HOUR).minusNanos(1))));
		assertStale(() -> queue.enqueue(MAIL.runAt(Instant.MIN)));
		assertThat(count("jobqueue_job")).isZero();
		queue.enqueue(MAIL.runAt(NOW.minus(HOUR)));
		queue.enqueue(MAIL.runAt(NOW.plus(HOUR)));
		queue.enqueue(MAIL.delay(HOUR.negated()));
		assertThat(count("jobqueue_job")).isEqualTo(3);
	}

	@Test
	void oneOfManyRefusesAllAndLeavesTheTransactionUsable() {
		QueueNode node = node(limited());
		JobRequest stale = MAIL.runAt(NOW.minus(HOUR).minusSeconds(1));
		UUID job = node.transaction().execute((status) -> {
			assertStale(() -> node.queue().enqueueAll(List.of(MAIL, stale)));
			return node.queue().enqueue(MAIL).id();
		});
		assertThat(this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list()).containsExactly(job);
	}

	@Test
	void whatAnInterceptorMadeOfTheRequestCounts() {
		QueueNode node = node(limited().bean(new Shifting()));
		assertStale(() -> node.queue().enqueue(MAIL.runAt(NOW)));
		node.queue().enqueue(MAIL.runAt(NOW.plus(HOUR)));
		assertThat(count("jobqueue_job")).isOne();
	}

	private TestNodeSettings limited() {
		return settings().clock(Clock.fixed(NOW, ZoneOffset.UTC)).staleAfter(HOUR);
	}

	private static void assertStale(ThrowingCallable enqueue) {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(enqueue)
			.withMessageContaining("longer ago than the 1h that jobqueue.producer.stale-after allows")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("runAt"));
	}

	/**
	 * Lets everything run two hours earlier.
	 */
	private static final class Shifting implements JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			return next.apply(requests.stream()
				.map((request) -> request.runAt(request.runAt().minus(HOUR.multipliedBy(2))))
				.toList());
		}

	}

}
