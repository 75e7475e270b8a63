package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.stream.LongStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;

import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.NoStepResults;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.completion.ClaimLedger;
import io.jobqueue.internal.worker.completion.CompletionBatcher;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.completion.CompletionWriter;
import io.jobqueue.internal.worker.completion.RetryProbes;
import io.jobqueue.internal.worker.execution.JobRunner.Result;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * When an executor asks for jobs, and in which order it runs them.
 */
public class QueueExecutorTests implements QueueExecutor.Work {

	private static final int PRIORITY = 30;

	private static final JobMdc MDC = new JobMdc("node");

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final List<BufferedJob> released = new ArrayList<>();

	private final List<Long> run = new ArrayList<>();

	private int turns;

	/**
	 * How many jobs follow the first one in its turn.
	 */
	private int following;

	private @Nullable Error beginError;

	private @Nullable Error runError;

	private final QueueExecutor executor = new QueueExecutor("emails", 1,
			new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH), PayloadBudget.ofHeap(), this.tasks::add, this);

	/**
	 * Only takes what it is given.
	 */
	private final CompletionBatcher batcher = new CompletionBatcher(new CompletionWriter(new UUID(0, 0),
			new UncalledJobStore(), new ClaimLedger(Duration.ofMinutes(1)), new RetryProbes((queue) -> {
				throw new AssertionError("Nothing is recorded");
			}), MDC, List.of()), MDC);

	private final Leases leases = new Leases(new UUID(0, 0), new UncalledJobStore(), (job) -> null,
			NoStepResults.INSTANCE, new JdbcTransactionManager());

	@Test
	void requestsItsCapacityOnce() {
		assertThat(this.executor.reserve().free()).isEqualTo(1);
		assertThat(this.executor.reserve().total()).isZero();
	}

	@Test
	void requestsAgainAfterASignalDuringItsClaim() {
		this.executor.reserve();
		this.executor.expectMore();
		this.executor.take(List.of(), false, false);
		assertThat(this.executor.reserve().free()).isEqualTo(1);
	}

	@Test
	void requestsNoMoreAfterAnEmptyClaim() {
		this.executor.reserve();
		this.executor.take(List.of(), false, false);
		assertThat(this.executor.reserve().total()).isZero();
	}

	@Test
	void requestsAgainIfThereAreMoreJobs() {
		this.executor.reserve();
		this.executor.take(List.of(), true, false);
		assertThat(this.executor.reserve().free()).isEqualTo(1);
	}

	@Test
	void requestsNoMoreThanItsCapacity() {
		fill();
		assertThat(this.executor.reserve()).isEqualTo(Capacity.NONE);
	}

	@Test
	void requestsMoreUrgentJobsBeyondItsCapacity() {
		fill();
		this.executor.expect(9);
		assertThat(this.executor.reserve()).isEqualTo(Capacity.topUp(1, 9));
		assertThat(this.executor.reserve()).isEqualTo(Capacity.NONE);
	}

	@Test
	void requestsNoJobsAsUrgentAsBufferedOnes() {
		fill();
		this.executor.expect(PRIORITY);
		assertThat(this.executor.reserve()).isEqualTo(Capacity.NONE);
	}

	@Test
	void requestForUrgentJobsKeepsKnowledgeOfMoreJobs() {
		fill();
		this.executor.expect(0);
		this.executor.reserve();
		this.executor.take(List.of(), false, false);
		this.tasks.remove().run();
		assertThat(this.executor.reserve().free()).isEqualTo(1);
	}

	@Test
	void veryShortJobsUseOneHandler() {
		QueueExecutor wide = executorOfQuickJobs();
		wide.take(jobs(4), true, false);
		assertThat(this.tasks).hasSize(1);
	}

	@Test
	void allHandlersRunOnceTheFirstTakesNoFurtherJob() {
		QueueExecutor wide = executorOfQuickJobs();
		wide.take(jobs(4), true, false);
		Awaitility.await().until(() -> !wide.startMoreThreads());
		assertThat(this.tasks).hasSize(4);
	}

	/**
	 * The first of them might take the JVM along.
	 */
	@Test
	void jobsOnTheirLastAttemptDoNotWaitForEachOther() {
		QueueExecutor wide = executorOfQuickJobs();
		wide.take(LongStream.range(0, 4).mapToObj((seq) -> held(seq, 1)).toList(), true, false);
		assertThat(this.tasks).hasSize(4);
	}

	@Test
	void jobThatCannotBeginIsReleasedAndItsHandlerIsFree() {
		this.beginError = new InternalError();
		PayloadBudget payloads = new PayloadBudget(100);
		QueueExecutor failing = executor(payloads);
		failing.take(List.of(held(0)), true, false);
		assertThatExceptionOfType(InternalError.class).isThrownBy(this.tasks.remove()::run);
		assertThat(this.released).extracting((job) -> job.job().seq()).containsExactly(0L);
		assertThat(failing.isUnused()).isTrue();
		assertThat(failing.bytesLeft()).isEqualTo(100);
	}

	@Test
	void handlerWhoseFailureCannotBeLoggedTakesTheNextJob() {
		this.runError = new InternalError();
		PayloadBudget payloads = new PayloadBudget(100);
		QueueExecutor failing = executor(payloads);
		failing.take(jobs(2), true, false);
		this.tasks.remove().run();
		assertThat(failing.isUnused()).isTrue();
		assertThat(failing.executions()).isEmpty();
		assertThat(failing.bytesLeft()).isEqualTo(100);
	}

	@Test
	void newJobIsOfferedToAnIdleHandlerOnly() {
		assertThat(offer()).as("more may be due").isFalse();
		this.executor.reserve();
		assertThat(offer()).as("a claim is under way").isFalse();
		this.executor.take(List.of(), false, false);
		this.executor.claimEnded();
		assertThat(offer()).isTrue();
		assertThat(offer()).as("no handler is free").isFalse();
		this.tasks.remove().run();
		assertThat(this.executor.isUnused()).isTrue();
	}

	@Test
	void claimedNewJobRunsOnTheThreadThatClaimedIt() throws Exception {
		letIdle();
		assertThat(offer(held(0))).isTrue();
		assertThat(this.executor.awaitIdle(Duration.ZERO)).as("no handler runs yet").isTrue();
		this.tasks.remove().run();
		assertThat(this.executor.isUnused()).isTrue();
		assertThat(this.executor.awaitIdle(Duration.ZERO)).isTrue();
		assertThat(this.tasks).isEmpty();
	}

	@Test
	void newJobOnItsLastAttemptStartsNoSecondThread() {
		QueueExecutor wide = executorOfQuickJobs();
		wide.reserve();
		wide.take(List.of(), false, false);
		wide.claimEnded();
		assertThat(wide.offer(() -> wide.take(List.of(held(0, 1)), false, false))).isTrue();
		this.tasks.remove().run();
		assertThat(this.tasks).isEmpty();
		assertThat(wide.isUnused()).isTrue();
	}

	@Test
	void threadWhoseClaimThrowsLeavesItsSlot() {
		letIdle();
		assertThat(this.executor.offer(() -> {
			throw new InternalError();
		})).isTrue();
		assertThatExceptionOfType(InternalError.class).isThrownBy(this.tasks.remove()::run);
		assertThat(this.executor.isUnused()).isTrue();
		assertThat(offer()).isTrue();
	}

	@Test
	void executorThatIsClosedAsUnusedStartsNoHandler() {
		letIdle();
		assertThat(this.executor.closeIfUnused()).isTrue();
		assertThat(offer()).isFalse();
	}

	@Test
	void executorWithAnOfferedJobIsNotUnused() {
		letIdle();
		assertThat(offer(held(0))).isTrue();
		assertThat(this.executor.closeIfUnused()).isFalse();
		this.tasks.remove().run();
		assertThat(this.executor.take(jobs(1), false, false)).isTrue();
	}

	private void letIdle() {
		this.executor.reserve();
		this.executor.take(List.of(), false, false);
		this.executor.claimEnded();
	}

	private boolean offer(BufferedJob... claimed) {
		return this.executor.offer(() -> assertThat(this.executor.take(List.of(claimed), false, false)).isTrue());
	}

	@Test
	void mostUrgentJobRunsFirstWhateverTheOrderOfTheClaims() {
		take(waiting(50, 5), waiting(50, 2));
		take(waiting(60, 1), waiting(50, 3));
		take(waiting(40, 4));
		runWaiting();
		assertThat(this.run).containsExactly(4L, 2L, 3L, 5L, 1L);
	}

	@Test
	void waitingJobsThatMatchAreRemoved() {
		this.executor.take(jobs(5), false, false);
		assertThat(this.executor.removeWaiting((job) -> job.job().seq() % 2 == 1)).extracting((job) -> job.job().seq())
			.containsExactly(1L, 3L);
		runWaiting();
		assertThat(this.run).containsExactly(0L, 2L, 4L);
	}

	@Test
	void otherJobsStayIfAClaimCannotBeAdded() {
		PayloadBudget payloads = new PayloadBudget(100);
		QueueExecutor wide = executor(payloads);
		wide.take(jobs(2), false, false);
		long left = wide.bytesLeft();
		BufferedJob incomparable = new BufferedJob(
				new ClaimedJobBuilder().priority(PRIORITY).seq(9).runAt(null).build(), 0, 0, null);
		assertThatNullPointerException()
			.isThrownBy(() -> wide.take(List.of(held(7), incomparable, held(8)), false, false));
		assertThat(wide.bytesLeft()).isEqualTo(left);
		runWaiting();
		assertThat(this.run).containsExactly(0L, 1L);
	}

	@Test
	void allJobsStayIfTheTestOfOneThrows() {
		this.executor.take(jobs(3), false, false);
		assertThatIllegalStateException().isThrownBy(() -> this.executor.removeWaiting(QueueExecutorTests::isFirst));
		runWaiting();
		assertThat(this.run).containsExactly(0L, 1L, 2L);
	}

	private static boolean isFirst(BufferedJob job) {
		if (job.job().seq() > 0) {
			throw new IllegalStateException();
		}
		return true;
	}

	@Test
	void payloadsOfJobsInOneTurnLeaveTheBudgetAfterIt() {
		PayloadBudget payloads = new PayloadBudget(100);
		QueueExecutor narrow = executor(payloads);
		long left = narrow.bytesLeft();
		this.following = 2;
		narrow.take(jobs(4), false, false);
		runWaiting();
		assertThat(this.run).containsExactly(0L, 1L, 2L, 3L);
		assertThat(this.turns).isEqualTo(2);
		assertThat(narrow.bytesLeft()).isEqualTo(left);
	}

	private void take(BufferedJob... jobs) {
		this.executor.take(List.of(jobs), false, false);
	}

	private static BufferedJob waiting(int priority, long seq) {
		return new BufferedJob(new ClaimedJobBuilder().priority(priority).seq(seq).build(), 0, 0, null);
	}

	private void runWaiting() {
		this.tasks.remove().run();
	}

	@Test
	void closedExecutorAcceptsNoJobs() {
		assertThat(this.executor.take(jobs(1), false, false)).isTrue();
		assertThat(this.executor.close()).hasSize(1);
		assertThat(this.executor.take(jobs(1), false, false)).isFalse();
	}

	private QueueExecutor executor(PayloadBudget payloads) {
		return new QueueExecutor("emails", 1, new RunTimeEstimate(0), payloads, this.tasks::add, this);
	}

	private QueueExecutor executorOfQuickJobs() {
		RunTimeEstimate estimate = new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH);
		estimate.add(1_000);
		return new QueueExecutor("emails", 4, estimate, PayloadBudget.ofHeap(), this.tasks::add, this);
	}

	private static List<BufferedJob> jobs(int count) {
		return LongStream.range(0, count).mapToObj((seq) -> held(seq)).toList();
	}

	/**
	 * Have a handler at work that takes next to no time, and claim in advance what it
	 * will take, but let it not begin.
	 */
	private void fill() {
		this.executor.reserve();
		this.executor.take(List.of(held(0)), true, false);
		this.tasks.remove().run();
		Capacity room = this.executor.reserve();
		this.executor.take(LongStream.rangeClosed(1, room.total()).mapToObj((seq) -> held(seq)).toList(), true, false);
	}

	private static BufferedJob held(long seq) {
		return held(seq, 25);
	}

	private static BufferedJob held(long seq, int maxAttempts) {
		ClaimedJob job = new ClaimedJobBuilder().priority(PRIORITY).seq(seq).maxAttempts(maxAttempts).build();
		return new BufferedJob(job, System.nanoTime(), System.nanoTime(), null);
	}

	@Override
	public CompletionRecorder recorder() {
		throwIfSet(this.beginError);
		return this.batcher;
	}

	@Override
	public Leases leases() {
		return this.leases;
	}

	@Override
	public void run(Turn turn) {
		throwIfSet(this.runError);
		this.turns++;
		do {
			HandlerExecution execution = turn.execution();
			this.run.add(execution.job().seq());
			execution.finish(Result.returned(() -> OutcomePolicy.released(execution.job())));
		}
		while (this.following-- > 0 && turn.advance((job) -> true));
	}

	@Override
	public void release(List<BufferedJob> jobs) {
		assertThat(this.beginError).isNotNull();
		this.released.addAll(jobs);
	}

	private static void throwIfSet(@Nullable Error error) {
		if (error != null) {
			throw error;
		}
	}

	@Override
	public void capacityFreed() {
		// the executor is asked for its capacity
	}

}
