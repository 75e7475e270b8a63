package io.jobqueue.internal.worker.execution;

import java.util.function.IntSupplier;

import io.jobqueue.internal.worker.execution.JobSink.Capacity;

/**
 * How many jobs the next claim of a queue may return: those that begin at once, and
 * others in advance. Guarded by its executor.
 */
final class ClaimDemand {

	private final HandlerPool pool;

	private final JobBuffer buffer;

	private final RunTimeEstimate runTimes;

	private final PayloadBudget.Share payloads;

	private final IntSupplier slowRuns;

	private boolean moreExpected = true;

	private int bestExpected = Capacity.ANY_PRIORITY;

	private boolean lastAttemptsWait;

	private boolean claimUnderWay;

	/**
	 * Create a demand that expects jobs.
	 * @param pool runs the jobs
	 * @param buffer holds the jobs that wait for it
	 * @param runTimes estimates how long they run
	 * @param payloads limits the memory for payloads
	 * @param slowRuns returns the number of handlers for which no job is claimed in
	 * advance
	 */
	ClaimDemand(HandlerPool pool, JobBuffer buffer, RunTimeEstimate runTimes, PayloadBudget.Share payloads,
			IntSupplier slowRuns) {
		this.pool = pool;
		this.buffer = buffer;
		this.runTimes = runTimes;
		this.payloads = payloads;
		this.slowRuns = slowRuns;
	}

	/**
	 * Return whether a job that is claimed now begins at once.
	 */
	boolean isIdle() {
		return free() > 0 && this.payloads.jobsLeft() > 0;
	}

	/**
	 * Return whether a handler is idle for which no job is known to be due, and that no
	 * claim may use.
	 */
	boolean leavesHandler() {
		return !this.moreExpected && !this.claimUnderWay && this.buffer.isEmpty() && !this.pool.isComplete()
				&& !this.pool.isHalted() && this.payloads.jobsLeft() > 0;
	}

	void expectMore() {
		this.moreExpected = true;
	}

	/**
	 * Note that a job of the given priority is due. It may be more urgent than the
	 * waiting jobs.
	 */
	void expect(int priority) {
		this.moreExpected = true;
		this.bestExpected = Math.min(this.bestExpected, priority);
	}

	/**
	 * Return the capacity for the next claim, which may miss the jobs of signals that
	 * arrive after this call.
	 */
	Capacity reserve() {
		Capacity capacity = capacity();
		if (capacity.total() > 0) {
			this.moreExpected = capacity.isTopUp();
			this.bestExpected = Capacity.ANY_PRIORITY;
			this.claimUnderWay = true;
		}
		return capacity;
	}

	/**
	 * Note that the claim for the reserved capacity has ended.
	 */
	void claimEnded() {
		this.claimUnderWay = false;
	}

	/**
	 * Note what a claim has returned.
	 * @param more whether there may be more jobs to claim
	 * @param withheld whether the claim has withheld due jobs
	 * @param anyLast whether any of its jobs is on its last attempt
	 */
	void claimed(boolean more, boolean withheld, boolean anyLast) {
		this.moreExpected |= more;
		this.lastAttemptsWait = withheld || (this.lastAttemptsWait && anyLast);
	}

	/**
	 * Return whether withheld jobs, or others on their last attempt, wait for a free
	 * handler.
	 */
	boolean isWithholding() {
		return this.lastAttemptsWait;
	}

	Capacity capacity() {
		Capacity capacity = (this.moreExpected && !this.pool.isHalted()) ? handlerCapacity() : Capacity.NONE;
		return (capacity.total() > 0) ? capacity.atMost(this.payloads.jobsLeft()) : capacity;
	}

	/**
	 * No job is claimed in advance while withheld jobs or others on their last attempt
	 * wait for a free handler, nor for handlers whose current job has run for longer than
	 * {@link RunTimeEstimate#PREFETCH_TIME}.
	 */
	private Capacity handlerCapacity() {
		int free = free();
		int seats = seats();
		int company = Math.max(0, seats - this.buffer.size()) - free;
		int prefetch = this.lastAttemptsWait ? 0 : this.runTimes.prefetch(this.pool.size() - this.slowRuns.getAsInt());
		int missing = Math.max(0, prefetch - Math.max(0, this.buffer.size() - seats));
		if (free + company > 0 || missing > prefetch / 2) {
			return Capacity.of(free, Math.min(RunTimeEstimate.MAX_PREFETCH, company + missing));
		}
		return isWorthTopUp(prefetch) ? Capacity.topUp(this.pool.size(), this.bestExpected) : Capacity.NONE;
	}

	private int free() {
		return Math.max(0, idle() - this.buffer.size());
	}

	private int idle() {
		return Math.max(0, this.pool.size() - this.pool.active());
	}

	/**
	 * Return the number of jobs that can begin at once: an idle handler takes as many as
	 * the last calls.
	 */
	private int seats() {
		return this.lastAttemptsWait ? idle() : this.runTimes.jobsOf(idle()) + this.buffer.room();
	}

	/**
	 * A top-up is useful if a job that is more urgent than a waiting one is due: it
	 * begins first.
	 */
	private boolean isWorthTopUp(int prefetch) {
		return prefetch > 0 && !this.buffer.isEmpty() && this.buffer.size() < prefetch + 2 * this.pool.size()
				&& this.bestExpected < this.buffer.lastPriority();
	}

}
