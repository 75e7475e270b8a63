package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.QueueSettingsBuilder;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of outcomes when the batcher is disturbed.
 */
@Tag("pooler") // transactions of workers
class CompletionBatcherTests extends UncalledJobStore {

	static final QueueSettings SETTINGS = new QueueSettingsBuilder().build();

	private final CountDownLatch failed = new CountDownLatch(1);

	private final CountDownLatch written = new CountDownLatch(1);

	private final AtomicInteger tries = new AtomicInteger();

	private final JobMdc mdc = new JobMdc("node");

	private final Losses losses = new Losses();

	private final CompletionBatcher batcher = new CompletionBatcher(
			new CompletionWriter(UUID.randomUUID(), this, new ClaimLedger(Duration.ofMinutes(1)),
					new RetryProbes((queue) -> SETTINGS), this.mdc, List.of(this.losses)),
			this.mdc);

	private final Thread thread = new Thread(this.batcher);

	private volatile boolean away;

	private volatile boolean locked;

	@Test
	void interruptedWriteIsRepeated() throws Exception {
		this.thread.start();
		this.batcher.submit(failed("refused"));
		assertThat(this.failed.await(30, TimeUnit.SECONDS)).isTrue();
		this.thread.interrupt();
		this.batcher.close();
		this.thread.join();
		assertThat(this.written.getCount()).isZero();
	}

	@Test
	void unwrittenOutcomeIsReportedWithItsCauseAtAStop() throws Exception {
		this.away = true;
		try (CapturedLog log = new CapturedLog()) {
			this.thread.start();
			this.batcher.submit(failed("first"));
			assertThat(this.failed.await(30, TimeUnit.SECONDS)).isTrue();
			this.batcher.submit(failed("second"));
			this.batcher.giveUp();
			this.batcher.submit(failed("late"));
			this.thread.join();
			assertThat(log.messages("the reaper ends its claim")).hasSize(3);
			assertThat(this.losses.causes()).containsExactlyInAnyOrder("first", "second", "late");
			assertThat(log.text()).containsOnlyOnce("IllegalStateException: first")
				.containsOnlyOnce("IllegalStateException: second")
				.containsOnlyOnce("IllegalStateException: late");
		}
	}

	/**
	 * After some failures, that would be in two or three seconds.
	 */
	@Test
	void callerThatGivesUpDoesNotWaitForTheNextTry() throws Exception {
		this.away = true;
		this.thread.start();
		this.batcher.submit(failed("first"));
		Awaitility.await().until(() -> this.tries.get() >= 5);
		this.batcher.giveUp();
		this.thread.join(1_000);
		assertThat(this.losses.causes()).containsExactly("first");
	}

	@Test
	void deferredOutcomeIsReportedAtAStop() throws Exception {
		this.locked = true;
		try (CapturedLog log = new CapturedLog()) {
			this.thread.start();
			this.batcher.submit(failed("locked"));
			assertThat(this.failed.await(30, TimeUnit.SECONDS)).isTrue();
			this.batcher.giveUp();
			this.thread.join();
			assertThat(log.messages("the reaper ends its claim")).hasSize(1);
			assertThat(this.losses.causes()).containsExactly("locked");
			assertThat(log.text()).contains("IllegalStateException: locked");
		}
	}

	/**
	 * It was committed with what the handler wrote, and all that is left is its claim.
	 */
	@Test
	void whatWasRecordedBeforeAStopIsNotLost() throws Exception {
		this.away = true;
		try (CapturedLog log = new CapturedLog()) {
			this.thread.start();
			ClaimedJob job = failed("never").job();
			this.batcher.submit(new Completion(job, new CompletedInTransaction(job.id(), job.claim()), null, null));
			assertThat(this.failed.await(30, TimeUnit.SECONDS)).isTrue();
			this.batcher.giveUp();
			this.thread.join();
			assertThat(log.messages("the reaper ends its claim")).isEmpty();
			assertThat(this.losses.causes()).isEmpty();
			assertThat(this.losses.kept).containsExactly(job.id());
		}
	}

	@Test
	void callerThatWaitsAtAStopGetsWhatIsKnown() {
		this.batcher.giveUp();
		ClaimedJob job = failed("never").job();
		assertThat(this.batcher
			.complete(new Completion(job, new CompletedInTransaction(job.id(), job.claim()), null, null))).isTrue();
		assertThat(this.batcher.complete(failed("first"))).isNull();
	}

	private static Completion failed(String message) {
		return CompletionWriterTests.failed(new IllegalStateException(message));
	}

	@Override
	public CompletionResult recordOutcomes(UUID worker, Collection<? extends Outcome> outcomes,
			Collection<Long> endedClaims, CompletionEffects effects) {
		this.tries.incrementAndGet();
		if (this.locked) {
			this.failed.countDown();
			throw new CannotAcquireLockException("The job is locked");
		}
		if (this.away || this.failed.getCount() > 0) {
			this.failed.countDown();
			throw new DataAccessResourceFailureException("The database is gone");
		}
		this.written.countDown();
		return new CompletionResult(Set.copyOf(outcomes.stream().map(Outcome::id).toList()), List.of(), Set.of(),
				Set.of());
	}

	private static final class Losses implements CompletionWriter.Listener {

		private final Queue<Completion> lost = new ConcurrentLinkedQueue<>();

		private final Queue<UUID> kept = new ConcurrentLinkedQueue<>();

		@Override
		public void recorded(List<Completion> completions, CompletionResult result) {
			this.kept.addAll(result.jobs());
		}

		@Override
		public void lost(Completion completion) {
			this.lost.add(completion);
		}

		List<String> causes() {
			return this.lost.stream().map(Completion::cause).map(Throwable::getMessage).toList();
		}

	}

}
