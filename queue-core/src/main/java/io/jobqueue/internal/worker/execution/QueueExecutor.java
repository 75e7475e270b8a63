package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.handler.BatchLimits;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;

/**
 * Runs the jobs of one queue on this node: buffers claimed jobs and passes them to the
 * handlers of its pool. A handler that ends a job takes the next one at once, or several
 * for one call.
 */
public final class QueueExecutor {

	private final String queue;

	private final HandlerPool pool;

	private final Work work;

	private final RunTimeEstimate runTimes;

	private final PayloadBudget.Share payloads;

	private final JobBuffer buffer;

	private final ClaimDemand demand;

	private final List<HandlerExecution> executions = new ArrayList<>();

	private long lastTaken = System.nanoTime();

	private int directClaims;

	private boolean closed;

	/**
	 * Create a queue executor.
	 * @param queue the name of the queue
	 * @param concurrency the maximum number of handlers that run at a time
	 * @param runTimes estimates the run time of jobs
	 * @param payloads limits the memory for payloads
	 * @param threads starts the threads of handlers
	 * @param work runs the jobs
	 */
	public QueueExecutor(String queue, int concurrency, RunTimeEstimate runTimes, PayloadBudget payloads,
			Executor threads, Work work) {
		this.queue = queue;
		this.runTimes = runTimes;
		this.payloads = payloads.new Share();
		this.buffer = new JobBuffer(this.payloads);
		this.pool = new HandlerPool(concurrency, threads, this::handle);
		this.demand = new ClaimDemand(this.pool, this.buffer, runTimes, this.payloads, this::slowRuns);
		this.work = work;
	}

	String queue() {
		return this.queue;
	}

	synchronized boolean isIdle() {
		return this.demand.isIdle();
	}

	/**
	 * Return the number of payload bytes that a claim may return beyond its first job.
	 */
	synchronized long bytesLeft() {
		return this.payloads.left();
	}

	synchronized boolean isHalted() {
		return this.pool.isHalted();
	}

	synchronized int stuck() {
		return this.pool.stuck().size();
	}

	/**
	 * Accept no further jobs if the executor is unused.
	 * @return {@code false} if it is used and stays open
	 */
	synchronized boolean closeIfUnused() {
		this.closed |= isUnused();
		return isUnused();
	}

	/**
	 * Return whether no job waits, no handler is active and none is stuck.
	 */
	synchronized boolean isUnused() {
		return this.buffer.isEmpty() && this.pool.isIdle();
	}

	synchronized void expectMore() {
		this.demand.expectMore();
	}

	synchronized void expect(int priority) {
		this.demand.expect(priority);
	}

	/**
	 * Return the capacity for the next claim, until the claim {@linkplain #claimEnded
	 * ends}.
	 */
	synchronized Capacity reserve() {
		return this.closed ? Capacity.NONE : this.demand.reserve();
	}

	synchronized void claimEnded() {
		this.demand.claimEnded();
	}

	/**
	 * Accept the jobs of a claim: all of them, or none if this throws. A job on its last
	 * attempt gets a thread of its own at once, so that it does not wait for another job
	 * that might crash the JVM.
	 * @param more whether there may be more jobs to claim
	 * @param withheld whether the claim has withheld due jobs
	 * @return {@code false} if the executor is closed and accepts none
	 */
	synchronized boolean take(List<BufferedJob> jobs, boolean more, boolean withheld) {
		if (this.closed) {
			return false;
		}
		boolean anyLast = isAnyLastAttempt(jobs);
		this.demand.claimed(more, withheld, anyLast);
		add(jobs);
		this.pool.startThreads(anyLast ? this.pool.active() - this.directClaims + this.buffer.size()
				: this.runTimes.threadsFor(this.buffer.size()));
		return true;
	}

	private void add(List<BufferedJob> jobs) {
		this.buffer.add(jobs);
		endGatherings();
	}

	/**
	 * Let the threads that collect jobs check whether their calls are to begin.
	 */
	private void endGatherings() {
		if (this.buffer.isGathering()) {
			notifyAll();
		}
	}

	private static boolean isAnyLastAttempt(List<BufferedJob> jobs) {
		for (BufferedJob job : jobs) {
			if (job.job().isLastAttempt()) {
				return true;
			}
		}
		return false;
	}

	synchronized boolean isWithholding() {
		return this.demand.isWithholding();
	}

	/**
	 * Start handlers for all waiting jobs if no job was taken for
	 * {@link RunTimeEstimate#DRAIN_TIME}: the running jobs take longer than estimated.
	 * @return {@code true} if jobs wait and not all handlers are active, so that the next
	 * check is due after {@link RunTimeEstimate#DRAIN_TIME}
	 */
	synchronized boolean startMoreThreads() {
		boolean more = !this.pool.isComplete() && !this.buffer.isEmpty();
		if (more && System.nanoTime() - this.lastTaken > RunTimeEstimate.DRAIN_TIME.toNanos()) {
			this.pool.startThreads(this.pool.active() + this.runTimes.callsOf(this.buffer.size()));
		}
		return more;
	}

	/**
	 * Start an idle handler that claims a job by its id, unless other jobs are known to
	 * be due or a claim may use up the handlers.
	 * @return {@code false} if no handler is started
	 */
	synchronized boolean offer(Runnable claim) {
		boolean started = !this.closed && this.demand.leavesHandler()
				&& this.pool.startThread(() -> handleAfter(claim));
		this.directClaims += started ? 1 : 0;
		return started;
	}

	private void handleAfter(Runnable claim) {
		try {
			claim.run();
		}
		finally {
			endDirectClaim();
			handle();
		}
	}

	private synchronized void endDirectClaim() {
		this.directClaims--;
	}

	private void handle() {
		List<BufferedJob> jobs = next();
		while (!jobs.isEmpty()) {
			jobs = handle(jobs) ? next() : List.of();
		}
	}

	/**
	 * Handle jobs in one call.
	 * @return {@code false} if another thread has replaced this one meanwhile
	 */
	private boolean handle(List<BufferedJob> jobs) {
		Turn turn = new Turn(this, jobs, begin(jobs));
		try {
			this.work.run(turn);
		}
		catch (Throwable unlogged) {
			// without memory for a log line, the thread still takes the next job
		}
		finally {
			turn.execution().end();
			clearInterrupt();
		}
		return end(turn);
	}

	/**
	 * An interrupt for one job must not affect the next one.
	 */
	@SuppressWarnings("ResultOfMethodCallIgnored")
	private static void clearInterrupt() {
		Thread.interrupted();
	}

	private synchronized List<BufferedJob> next() {
		List<BufferedJob> next = this.pool.isHalted() ? List.of() : gather();
		if (next.isEmpty()) {
			this.pool.leave();
			notifyAll();
		}
		else {
			taken();
		}
		reportCapacity();
		return next;
	}

	/**
	 * Take the next waiting job, and those that share its call. None is left if the jobs
	 * were removed meanwhile.
	 */
	private List<BufferedJob> gather() {
		BufferedJob first = this.buffer.poll();
		BatchLimits limits = (first != null) ? this.work.batch(first) : null;
		if (first == null) {
			return List.of();
		}
		if (limits == null) {
			learn(1, 1);
			return List.of(first);
		}
		Gathering gathering = new Gathering(first, limits, (job) -> this.work.batch(job) != null);
		this.buffer.begin(gathering);
		taken();
		reportCapacity();
		awaitCompany(gathering);
		this.buffer.end(gathering);
		if (gathering.jobs().isEmpty()) {
			return gather();
		}
		learn(gathering.jobs().size(), limits.size());
		return gathering.jobs();
	}

	private void learn(int jobs, int maximum) {
		if (this.buffer.isEmpty()) {
			this.runTimes.addUnlimited(jobs, maximum);
		}
		else {
			this.runTimes.addLimited(jobs);
		}
	}

	private void awaitCompany(Gathering gathering) {
		try {
			for (long left = gathering.millisLeft(); left > 0; left = gathering.millisLeft()) {
				wait(left);
			}
		}
		catch (InterruptedException ex) {
			// it concerned an earlier job, and this call begins with those that it has
		}
	}

	private void taken() {
		this.lastTaken = System.nanoTime();
		this.pool.startThreads(this.runTimes.threadsFor(this.buffer.size()));
	}

	private void reportCapacity() {
		if (!this.closed && this.demand.capacity().total() > 0) {
			this.work.capacityFreed();
		}
	}

	/**
	 * Begin the next waiting job in the transaction of another one, whose handler has
	 * ended. A thread that was replaced begins none.
	 * @return {@code null} if the next job does not fit or there is none
	 */
	synchronized @Nullable HandlerExecution follow(HandlerExecution last, Predicate<BufferedJob> fits) {
		BufferedJob next = this.buffer.peek();
		if (next == null || !fits.test(next)) {
			return null;
		}
		HandlerExecution execution = execution(List.of(next), last.together());
		if (!succeed(last, execution)) {
			return null;
		}
		this.buffer.poll();
		taken();
		reportCapacity();
		return execution;
	}

	/**
	 * Begin jobs that a thread holds in place of its last ones, whose call has ended.
	 * @param others further jobs that the thread holds
	 * @return {@code null} if the thread was replaced, or the executor starts no further
	 * handlers
	 */
	synchronized @Nullable HandlerExecution succeed(HandlerExecution last, List<BufferedJob> next,
			List<HandlerExecution> others) {
		HandlerExecution execution = execution(next, others);
		execution.precedesOthers();
		return (!this.closed && succeed(last, execution)) ? execution : null;
	}

	private boolean succeed(HandlerExecution last, HandlerExecution next) {
		boolean begins = !this.pool.isHalted() && this.executions.contains(last);
		if (begins) {
			this.executions.set(this.executions.indexOf(last), next);
			last.end();
			clearInterrupt();
			this.runTimes.add(last.age().toNanos());
		}
		return begins;
	}

	/**
	 * Let a call handle only some of its jobs, before it begins.
	 * @return the execution for which the call is monitored, {@code null} if the executor
	 * starts no further handlers
	 */
	synchronized @Nullable HandlerExecution restrict(HandlerExecution last, List<HandlerExecution> remaining) {
		if (this.closed || !this.executions.contains(last)) {
			return null;
		}
		HandlerExecution monitored = HandlerExecution.callTogether(remaining);
		this.executions.set(this.executions.indexOf(last), monitored);
		return monitored;
	}

	private int slowRuns() {
		long since = System.nanoTime() - RunTimeEstimate.PREFETCH_TIME.toNanos();
		int slow = 0;
		for (HandlerExecution execution : this.executions) {
			slow += execution.hasBegunBefore(since) ? 1 : 0;
		}
		return slow;
	}

	/**
	 * Remove waiting jobs, but not those of a call that is about to begin.
	 * @param unwanted tests whether to remove a job
	 * @return the removed jobs
	 */
	public synchronized List<BufferedJob> removeWaiting(Predicate<BufferedJob> unwanted) {
		return this.buffer.removeWaiting(unwanted);
	}

	/**
	 * Remove jobs that have not begun, or that wait for a run of their own after their
	 * call has failed.
	 * @param unwanted tests whether to remove a job
	 * @return the removed jobs
	 */
	public synchronized List<BufferedJob> remove(Predicate<BufferedJob> unwanted) {
		List<BufferedJob> removed = removeWaiting(unwanted);
		removed.addAll(this.buffer.removeGathered(unwanted));
		this.executions.forEach((execution) -> removed.addAll(endWaiting(execution, unwanted)));
		endGatherings();
		return removed;
	}

	private static List<BufferedJob> endWaiting(HandlerExecution execution, Predicate<BufferedJob> unwanted) {
		return execution.waiting()
			.stream()
			.filter((each) -> unwanted.test(each.buffered()) && each.decide())
			.map((each) -> each.buffered().rolledBack())
			.toList();
	}

	/**
	 * If a run cannot begin, its jobs are released, and the thread ends and leaves its
	 * slot.
	 */
	private HandlerExecution begin(List<BufferedJob> jobs) {
		try {
			return beginRun(jobs);
		}
		catch (Throwable ex) {
			leave(jobs);
			this.work.release(jobs);
			throw ex;
		}
	}

	private synchronized HandlerExecution beginRun(List<BufferedJob> jobs) {
		HandlerExecution execution = execution(jobs, List.of());
		this.executions.add(execution);
		return execution;
	}

	private HandlerExecution execution(List<BufferedJob> jobs, List<HandlerExecution> others) {
		List<HandlerExecution> call = new ArrayList<>(jobs.size());
		for (BufferedJob job : jobs) {
			call.add(new HandlerExecution(job, this.work.recorder(), this.work.leases(), others));
		}
		return (call.size() == 1) ? call.get(0) : HandlerExecution.callTogether(call);
	}

	private synchronized void leave(List<BufferedJob> jobs) {
		this.buffer.removePayloads(jobs);
		this.pool.leave();
		notifyAll();
		this.work.capacityFreed();
	}

	private synchronized boolean end(Turn turn) {
		HandlerExecution execution = turn.execution();
		this.runTimes.add(execution.age().toNanos());
		this.buffer.removePayloads(turn.jobs());
		boolean current = this.executions.remove(execution);
		if (!current) {
			this.pool.leaveReplaced(execution);
			this.work.capacityFreed();
		}
		return current;
	}

	/**
	 * Replace a stuck handler with another thread.
	 * @return {@code false} if the pool is halted
	 */
	synchronized boolean replace(HandlerExecution stuck) {
		if (this.executions.remove(stuck)) {
			this.pool.replace(stuck);
			this.pool.startThreads(this.runTimes.threadsFor(this.buffer.size()));
			this.work.capacityFreed();
			notifyAll();
		}
		return !this.pool.isHalted();
	}

	/**
	 * Replace the handlers that end the JVM.
	 * @return their runs
	 */
	synchronized List<HandlerExecution> replaceExiting() {
		List<HandlerExecution> exiting = this.executions.stream().filter(HandlerExecution::isExiting).toList();
		exiting.forEach(this::replace);
		return exiting;
	}

	/**
	 * Remove the waiting jobs and start no further ones.
	 * @return the jobs that had not begun
	 */
	synchronized List<BufferedJob> close() {
		this.closed = true;
		return remove((job) -> true);
	}

	/**
	 * Wait until no handler runs. A handler that claims its job itself does not run yet.
	 */
	synchronized boolean awaitIdle(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); this.pool.active() > this.directClaims && left > 0;) {
			wait(left);
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
		return this.pool.active() <= this.directClaims;
	}

	synchronized List<HandlerExecution> executions() {
		return new ArrayList<>(this.executions);
	}

	/**
	 * Return all runs whose handlers have not ended, including stuck ones that were
	 * replaced.
	 */
	synchronized List<HandlerExecution> unended() {
		List<HandlerExecution> all = executions();
		all.addAll(this.pool.stuck());
		return all;
	}

	synchronized boolean hasWaiting() {
		return !this.buffer.isEmpty();
	}

	/**
	 * Let jobs wait whose transaction was rolled back, or release them if they cannot
	 * wait.
	 */
	void takeBack(List<BufferedJob> jobs) {
		boolean held = false;
		try {
			held = holdAgain(jobs);
		}
		finally {
			if (!held) {
				this.work.release(jobs);
			}
		}
	}

	private synchronized boolean holdAgain(List<BufferedJob> jobs) {
		if (!this.closed) {
			add(jobs);
		}
		return !this.closed;
	}

	/**
	 * What a queue executor takes from its worker, and its callbacks to it.
	 */
	public interface Work {

		/**
		 * Return what records the outcomes of runs.
		 * @return the recorder
		 */
		CompletionRecorder recorder();

		/**
		 * Return the leases of the worker.
		 * @return the leases
		 */
		Leases leases();

		/**
		 * Return the limits of the call that a job may share with others; by default,
		 * each job runs alone.
		 * @param job the job
		 * @return the limits, {@code null} if it runs alone
		 */
		default @Nullable BatchLimits batch(BufferedJob job) {
			return null;
		}

		/**
		 * Run the jobs of a call to their outcomes, and others in their transaction, and
		 * log unexpected failures.
		 * @param turn the jobs, and those that may follow
		 */
		void run(Turn turn);

		/**
		 * Release claimed jobs that this executor does not run.
		 * @param jobs the jobs
		 */
		void release(List<BufferedJob> jobs);

		/**
		 * Called when an executor has capacity again.
		 */
		void capacityFreed();

	}

}
