package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;

import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.NoStepResults;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.internal.handler.BatchLimits;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.completion.ClaimLedger;
import io.jobqueue.internal.worker.completion.CompletionBatcher;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.completion.CompletionWriter;
import io.jobqueue.internal.worker.completion.RetryProbes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs a thread collects for a call, how many an executor claims for that, and what
 * becomes of them if the call does not begin.
 */
class GatheringTests implements QueueExecutor.Work {

	private static final JobMdc MDC = new JobMdc("node");

	private static final int SIZE = 5;

	private final List<List<Long>> calls = new CopyOnWriteArrayList<>();

	private final PayloadBudget payloads = new PayloadBudget(1_000);

	private final QueueExecutor executor = new QueueExecutor("emails", 2,
			new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH), this.payloads, (work) -> new Thread(work).start(), this);

	private final CompletionBatcher batcher = new CompletionBatcher(new CompletionWriter(new UUID(0, 0),
			new UncalledJobStore(), new ClaimLedger(Duration.ofMinutes(1)), new RetryProbes((queue) -> {
				throw new AssertionError("Nothing is recorded");
			}), MDC, List.of()), MDC);

	private final Leases leases = new Leases(new UUID(0, 0), new UncalledJobStore(), (job) -> null,
			NoStepResults.INSTANCE, new JdbcTransactionManager());

	private BatchLimits limits = new BatchLimits(SIZE, Duration.ofMinutes(1));

	@Test
	void callBeginsWhenItIsFull() {
		take(jobs(0, 2));
		take(jobs(3, 6));
		Awaitility.await().until(() -> !this.calls.isEmpty());
		assertThat(this.calls.get(0)).containsExactly(0L, 1L, 2L, 3L, 4L);
	}

	@Test
	void callBeginsAfterItsTime() {
		this.limits = new BatchLimits(SIZE, Duration.ofMillis(20));
		take(jobs(0, 2));
		Awaitility.await().until(() -> this.executor.isUnused());
		assertThat(this.calls).containsExactly(List.of(0L, 1L, 2L));
	}

	@Test
	void callDoesNotWaitWithoutATime() {
		this.limits = new BatchLimits(SIZE, Duration.ZERO);
		assertThat(new Gathering(jobs(0, 0).get(0), this.limits, (job) -> true).millisLeft()).isZero();
	}

	/**
	 * The capacity of the other handler, and of the call that has room for four more.
	 */
	@Test
	void executorClaimsWhatTheCallCanTake() {
		take(jobs(0, 0));
		awaitGathering(SIZE - 1);
		JobSink.Capacity capacity = this.executor.reserve();
		assertThat(capacity.free()).isOne();
		assertThat(capacity.total()).isEqualTo(1 + SIZE - 1);
		this.executor.close();
	}

	/**
	 * Without jobs that are claimed in advance.
	 */
	@Test
	void idleHandlersClaimTwiceAsManyJobsAsAreTakenAtMostAWholeCall() {
		QueueExecutor other = withoutWait(1);
		for (int expected : List.of(2, 4, SIZE, SIZE)) {
			handle(other, jobs(1, other.reserve().total() / 2));
			assertThat(other.reserve().total()).isEqualTo(2 * expected);
			other.claimEnded();
			other.expectMore();
		}
	}

	/**
	 * Little was due. It does not follow that the next call has as little.
	 */
	@Test
	void idleHandlersClaimWholeCallsAfterASmallOne() {
		QueueExecutor other = withoutWait(SIZE);
		handle(other, jobs(0, 0));
		assertThat(other.reserve().total()).isEqualTo(2 * SIZE);
	}

	/**
	 * The second job has another type than the others.
	 */
	@Test
	void idleHandlersClaimLessIfJobsAreLeftByACall() {
		QueueExecutor other = withoutWait(SIZE);
		handle(other, List.of(buffered(new ClaimedJobBuilder().seq(0).build()),
				buffered(new ClaimedJobBuilder().seq(1).type("parcel").build())));
		assertThat(this.calls).containsExactly(List.of(0L), List.of(1L));
		assertThat(other.reserve().total()).isEqualTo(2 * (1 + SIZE) / 2);
	}

	private QueueExecutor withoutWait(int jobsPerCall) {
		this.limits = new BatchLimits(SIZE, Duration.ZERO);
		return new QueueExecutor("emails", 2, new RunTimeEstimate(0, jobsPerCall), this.payloads,
				(work) -> new Thread(work).start(), this);
	}

	private void handle(QueueExecutor other, List<BufferedJob> jobs) {
		int before = this.calls.size();
		other.take(jobs, true, false);
		Awaitility.await().until(() -> other.isUnused() && this.calls.size() > before);
	}

	/**
	 * A handler ends 2.5 calls within the time for which jobs are claimed in advance, or
	 * a part of one.
	 */
	@Test
	void jobsClaimedInAdvanceFillWholeCalls() {
		RunTimeEstimate estimate = new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH, 100);
		assertThat(estimate.prefetch(1)).isZero();
		estimate.add(RunTimeEstimate.PREFETCH_TIME.multipliedBy(2).dividedBy(5).toNanos());
		assertThat(estimate.prefetch(1)).isEqualTo(200);
		assertThat(estimate.prefetch(10)).isEqualTo(1_000);
		RunTimeEstimate slow = new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH, 100);
		slow.add(RunTimeEstimate.PREFETCH_TIME.multipliedBy(6).toNanos());
		assertThat(slow.prefetch(1)).isZero();
		assertThat(slow.prefetch(6)).isEqualTo(100);
	}

	@Test
	void closedExecutorReturnsTheJobsOfACallThatHasNotBegun() {
		take(jobs(0, 2));
		awaitGathering(SIZE - 3);
		assertThat(this.executor.close()).extracting((job) -> job.job().seq()).containsExactlyInAnyOrder(0L, 1L, 2L);
		Awaitility.await().until(() -> this.executor.isUnused());
		assertThat(this.calls).isEmpty();
		assertThat(this.executor.bytesLeft()).isEqualTo(1_000);
	}

	@Test
	void jobsOfACallThatIsAboutToBeginDoNotWaitTooLong() {
		take(jobs(0, 2));
		awaitGathering(SIZE - 3);
		assertThat(this.executor.removeWaiting((job) -> true)).isEmpty();
		assertThat(this.executor.remove((job) -> job.job().seq() == 1)).hasSize(1);
		this.executor.close();
	}

	@Test
	void jobsOfOtherTypesAndThoseThatRunAloneAreLeft() {
		List<BufferedJob> waiting = new ArrayList<>(
				List.of(buffered(new ClaimedJobBuilder().seq(1).type("parcel").build()),
						buffered(new ClaimedJobBuilder().seq(2).attempt(2).build()),
						buffered(new ClaimedJobBuilder().seq(3).orderingKey("a").build()),
						buffered(new ClaimedJobBuilder().seq(4).orderingKey("a").build()),
						buffered(new ClaimedJobBuilder().seq(5).orderingKey("b").build())));
		Gathering gathering = new Gathering(jobs(0, 0).get(0), this.limits, BufferedJob::isFresh);
		gathering.takeFrom(waiting);
		assertThat(gathering.jobs()).extracting((job) -> job.job().seq()).containsExactly(0L, 3L, 5L);
		assertThat(waiting).extracting((job) -> job.job().seq()).containsExactly(1L, 2L, 4L);
	}

	private void take(List<BufferedJob> jobs) {
		assertThat(this.executor.take(jobs, true, false)).isTrue();
	}

	/**
	 * Wait until a call has room for so many jobs.
	 */
	private void awaitGathering(int room) {
		Awaitility.await().until(() -> {
			this.executor.expectMore();
			return this.executor.reserve().total() == 1 + room;
		});
		this.executor.expectMore();
	}

	private static List<BufferedJob> jobs(long first, long last) {
		return LongStream.rangeClosed(first, last)
			.mapToObj((seq) -> buffered(new ClaimedJobBuilder().seq(seq).build()))
			.toList();
	}

	private static BufferedJob buffered(ClaimedJob job) {
		return new BufferedJob(job, System.nanoTime(), System.nanoTime(), null);
	}

	@Override
	public @Nullable BatchLimits batch(BufferedJob job) {
		return this.limits;
	}

	@Override
	public CompletionRecorder recorder() {
		return this.batcher;
	}

	@Override
	public Leases leases() {
		return this.leases;
	}

	@Override
	public void run(Turn turn) {
		this.calls.add(turn.execution().call().stream().map((job) -> job.job().seq()).toList());
	}

	@Override
	public void release(List<BufferedJob> jobs) {
		throw new AssertionError("Each call can begin");
	}

	@Override
	public void capacityFreed() {
		// the executor is asked for its capacity
	}

}
