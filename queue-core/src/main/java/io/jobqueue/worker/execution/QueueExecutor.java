package io.jobqueue.worker.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.ClaimedJob;

/**
 * Runs the jobs of one queue on this node: buffers those that are claimed, and has
 * handlers take them. A handler that is done takes the next job at once, however long the
 * others still run.
 */
public final class QueueExecutor {

	private final String queue;

	private final HandlerPool pool;

	private final Work work;

	private final RunTimeEstimate runTimes;

	private final PayloadBudget.Share payloads;

	private final NavigableSet<BufferedJob> waiting = new TreeSet<>();

	private final Set<HandlerExecution> runs = new HashSet<>();

	private long lastTaken = System.nanoTime();

	private boolean moreExpected = true;

	private int bestExpected = Capacity.ANY_PRIORITY;

	private boolean lastAttemptsWait;

	private boolean closed;

	/**
	 * Create a queue executor.
	 * @param queue the name of the queue
	 * @param concurrency how many handlers run at a time
	 * @param runTimes how long jobs take
	 * @param payloads how much memory payloads may use
	 * @param threads what starts the threads of handlers
	 * @param work what runs the jobs
	 */
	public QueueExecutor(String queue, int concurrency, RunTimeEstimate runTimes, PayloadBudget payloads,
			Executor threads, Work work) {
		this.queue = queue;
		this.runTimes = runTimes;
		this.payloads = payloads.new Share();
		this.pool = new HandlerPool(concurrency, threads, this::handle);
		this.work = work;
	}

	String queue() {
		return this.queue;
	}

	synchronized boolean isIdle() {
		return free() > 0 && this.payloads.jobsLeft() > 0;
	}

	/**
	 * Return how many bytes of payloads a claim may bring, beyond its first job.
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
	 * Return whether no job waits or runs here, and no thread is held.
	 */
	synchronized boolean isUnused() {
		return this.waiting.isEmpty() && this.pool.isIdle();
	}

	synchronized void expectMore() {
		this.moreExpected = true;
	}

	/**
	 * Expect a job of the given priority, which may be more urgent than those that wait
	 * here.
	 */
	synchronized void expect(int priority) {
		this.moreExpected = true;
		this.bestExpected = Math.min(this.bestExpected, priority);
	}

	/**
	 * Return how many jobs to claim now. Signals from now on may be too late for that
	 * claim.
	 */
	synchronized Capacity reserve() {
		Capacity capacity = capacity();
		if (capacity.total() > 0) {
			this.moreExpected = capacity.isTopUp();
			this.bestExpected = Capacity.ANY_PRIORITY;
		}
		return capacity;
	}

	private Capacity capacity() {
		return handlerCapacity().atMost(this.payloads.jobsLeft());
	}

	/**
	 * Nothing is claimed in advance while a job on its last attempt waits for a handler
	 * to be free, nor for handlers that have been busy for long.
	 */
	private Capacity handlerCapacity() {
		if (this.closed || !this.moreExpected || this.pool.isHalted()) {
			return Capacity.NONE;
		}
		int free = free();
		int prefetch = this.lastAttemptsWait ? 0 : this.runTimes.prefetch(this.pool.size() - slowRuns());
		int missing = Math.max(0, prefetch - Math.max(0, this.waiting.size() + this.pool.active() - this.pool.size()));
		if (free > 0 || missing > prefetch / 2) {
			return Capacity.of(free, missing);
		}
		return isWorthTopUp(prefetch) ? Capacity.topUp(this.pool.size(), this.bestExpected) : Capacity.NONE;
	}

	private int free() {
		return Math.max(0, this.pool.size() - this.pool.active() - this.waiting.size());
	}

	/**
	 * A more urgent job than those that wait here will be the next to begin.
	 */
	private boolean isWorthTopUp(int prefetch) {
		return prefetch > 0 && !this.waiting.isEmpty() && this.waiting.size() < prefetch + 2 * this.pool.size()
				&& this.bestExpected < this.waiting.last().job().priority();
	}

	/**
	 * Take the jobs of a claim, and note whether there are more. A job on its last
	 * attempt does not wait for another one, which might end the JVM. All jobs are taken,
	 * or none if this throws.
	 */
	synchronized void take(List<BufferedJob> jobs, boolean more, boolean withheld) {
		if (this.closed) {
			this.work.giveBack(jobs.stream().map(BufferedJob::job).toList());
			return;
		}
		boolean anyLast = jobs.stream().map(BufferedJob::job).anyMatch(ClaimedJob::isLastAttempt);
		this.moreExpected |= more;
		this.lastAttemptsWait = withheld || (this.lastAttemptsWait && anyLast);
		hold(jobs);
		this.pool.startThreads(
				anyLast ? this.pool.active() + this.waiting.size() : this.runTimes.threadsFor(this.waiting.size()));
	}

	/**
	 * Hold all of the jobs or, if there is not enough memory for that, none.
	 */
	private void hold(List<BufferedJob> jobs) {
		try {
			this.waiting.addAll(jobs);
			this.payloads.add(jobs);
		}
		catch (RuntimeException | Error ex) {
			jobs.forEach(this.waiting::remove);
			throw ex;
		}
	}

	/**
	 * Return whether jobs on their last attempt wait for a handler to be free.
	 */
	synchronized boolean isWithholding() {
		return this.lastAttemptsWait;
	}

	/**
	 * Have all handlers at work if those that are take nothing any more: their jobs take
	 * longer than others did before.
	 * @return whether another call soon may help
	 */
	synchronized boolean startMoreThreads() {
		boolean more = !this.pool.isComplete() && !this.waiting.isEmpty();
		if (more && System.nanoTime() - this.lastTaken > RunTimeEstimate.MOMENT.toNanos()) {
			this.pool.startThreads(this.pool.active() + this.waiting.size());
		}
		return more;
	}

	private void handle() {
		BufferedJob held = next();
		while (held != null) {
			held = handle(held) ? next() : null;
		}
	}

	/**
	 * Handle a job.
	 * @return whether the thread was not replaced meanwhile
	 */
	private boolean handle(BufferedJob held) {
		HandlerExecution run = begin(held);
		try {
			this.work.run(run);
		}
		catch (Throwable ex) {
			this.work.failed(run, ex);
		}
		finally {
			run.end();
			clearInterrupt();
		}
		return end(run);
	}

	/**
	 * An interrupt that was meant for one job must not meet the next.
	 */
	@SuppressWarnings("ResultOfMethodCallIgnored")
	private static void clearInterrupt() {
		Thread.interrupted();
	}

	private synchronized @Nullable BufferedJob next() {
		BufferedJob next = this.pool.isHalted() ? null : this.waiting.pollFirst();
		if (next == null) {
			this.pool.leave();
			notifyAll();
		}
		else {
			this.lastTaken = System.nanoTime();
			this.pool.startThreads(this.runTimes.threadsFor(this.waiting.size()));
		}
		if (capacity().total() > 0) {
			this.work.capacityFreed(this);
		}
		return next;
	}

	private int slowRuns() {
		long since = System.nanoTime() - RunTimeEstimate.HORIZON.toNanos();
		int slow = 0;
		for (HandlerExecution run : this.runs) {
			slow += run.hasBegunBefore(since) ? 1 : 0;
		}
		return slow;
	}

	/**
	 * Remove jobs that wait and are not to begin here.
	 * @param unwanted which jobs to remove
	 * @return the jobs
	 */
	public synchronized List<ClaimedJob> removeWaiting(Predicate<BufferedJob> unwanted) {
		List<BufferedJob> removed = this.waiting.stream().filter(unwanted).toList();
		this.waiting.removeAll(removed);
		removed.forEach(this.payloads::remove);
		return removed.stream().map(BufferedJob::job).toList();
	}

	private synchronized HandlerExecution begin(BufferedJob held) {
		HandlerExecution run = this.work.begin(held);
		this.runs.add(run);
		return run;
	}

	private synchronized boolean end(HandlerExecution run) {
		this.runTimes.add(run.age().toNanos());
		this.payloads.remove(run.held());
		boolean current = this.runs.remove(run);
		if (!current) {
			this.pool.leaveReplaced(run);
			this.work.capacityFreed(this);
		}
		return current;
	}

	/**
	 * Let another thread take the place of one that is stuck.
	 * @return whether this queue may go on
	 */
	synchronized boolean replace(HandlerExecution stuck) {
		if (this.runs.remove(stuck)) {
			this.pool.replace(stuck);
			this.pool.startThreads(this.runTimes.threadsFor(this.waiting.size()));
			this.work.capacityFreed(this);
			notifyAll();
		}
		return !this.pool.isHalted();
	}

	/**
	 * Start no further job.
	 * @return the jobs that had not begun
	 */
	synchronized List<ClaimedJob> close() {
		this.closed = true;
		return removeWaiting((held) -> true);
	}

	synchronized boolean awaitIdle(Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); this.pool.active() > 0 && left > 0;) {
			wait(left);
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
		return this.pool.active() == 0;
	}

	synchronized List<HandlerExecution> runs() {
		return new ArrayList<>(this.runs);
	}

	/**
	 * Return all whose handlers have not ended, also those that were replaced.
	 */
	synchronized List<HandlerExecution> unended() {
		List<HandlerExecution> all = runs();
		all.addAll(this.pool.stuck());
		return all;
	}

	/**
	 * What a executor asks of the worker that it belongs to.
	 */
	public interface Work {

		/**
		 * Prepare a run on the current thread.
		 * @param held the job
		 * @return the run
		 */
		HandlerExecution begin(BufferedJob held);

		/**
		 * Run a job to its outcome.
		 * @param run the run
		 */
		void run(HandlerExecution run);

		/**
		 * Called when a run could not be completed.
		 * @param run the run
		 * @param ex the failure
		 */
		void failed(HandlerExecution run, Throwable ex);

		/**
		 * Give back jobs that will not begin here.
		 * @param jobs the jobs
		 */
		void giveBack(List<ClaimedJob> jobs);

		/**
		 * Note that a executor can take more.
		 * @param executor the executor
		 */
		void capacityFreed(QueueExecutor executor);

	}

}
