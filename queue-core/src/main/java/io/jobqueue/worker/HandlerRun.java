package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.ClaimLostException;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.ProgressReport;

/**
 * A job that a thread is running. Its outcome is settled once: by the handler, by the end
 * of its run time, or by a stop that has waited long enough.
 */
final class HandlerRun implements Lease {

	private static final Logger logger = LoggerFactory.getLogger(HandlerRun.class);

	private final HeldJob held;

	private final Settler settler;

	private final Leases leases;

	private final Attempt attempt;

	private final Thread thread = Thread.currentThread();

	private final long since = System.nanoTime();

	private final AtomicBoolean decided = new AtomicBoolean();

	private volatile long deadline;

	private volatile boolean stopping;

	private volatile @Nullable Long cancelBy;

	private @Nullable ProgressReport report;

	private boolean over;

	HandlerRun(HeldJob held, Settler settler, Leases leases) {
		this.held = held;
		this.settler = settler;
		this.leases = leases;
		this.deadline = held.since() + held.job().maxRunTime().toNanos();
		this.attempt = new Attempt(held.job(), this);
	}

	ClaimedJob job() {
		return this.held.job();
	}

	HeldJob held() {
		return this.held;
	}

	Attempt attempt() {
		return this.attempt;
	}

	Thread thread() {
		return this.thread;
	}

	Duration age() {
		return Duration.ofNanos(System.nanoTime() - this.since);
	}

	boolean hasBegunBefore(long nanoTime) {
		return this.since - nanoTime < 0;
	}

	@Override
	public void extend(Duration duration) {
		if (isOver()) {
			throw new ClaimLostException(job().id());
		}
		this.leases.renew(job(), duration);
		leaseBegins(duration);
	}

	void leaseBegins(Duration duration) {
		this.deadline = System.nanoTime() + duration.toNanos();
	}

	boolean isOverdueFor(Duration time) {
		return System.nanoTime() - this.deadline > time.toNanos();
	}

	/**
	 * Return something with the stack trace of the handler's thread, to be logged.
	 */
	Throwable whereabouts() {
		Throwable whereabouts = new Throwable("Thread " + this.thread.getName());
		whereabouts.setStackTrace(this.thread.getStackTrace());
		return whereabouts;
	}

	/**
	 * A handler that was interrupted by a stop is not to blame for its failure.
	 */
	void finish(Ending ending) {
		if (decide()) {
			boolean excused = ending.thrown() != null && this.stopping && !job().atMostOnce();
			settle(excused ? () -> Outcomes.released(job()) : ending.outcome(), ending.thrown());
		}
	}

	/**
	 * Take it upon oneself to settle the run.
	 * @return whether nobody else has done so
	 */
	boolean decide() {
		return this.decided.compareAndSet(false, true);
	}

	@Override
	public boolean isOver() {
		return this.decided.get();
	}

	/**
	 * End the run as far as the database is concerned.
	 * @param cause what led to the outcome, {@code null} if nothing went wrong
	 */
	void settle(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		this.settler.submit(new Settled(job(), outcomeOf(outcome), cause));
	}

	private Outcome outcomeOf(Supplier<Outcome> outcome) {
		try {
			return outcome.get();
		}
		catch (Throwable ex) {
			logger.error("What becomes of {} cannot be told; its attempt counts as failed", job(), ex);
			return Outcomes.undecided(job());
		}
	}

	@Override
	public synchronized void report(ProgressReport latest) {
		this.report = latest;
	}

	synchronized @Nullable ProgressReport report() {
		return this.report;
	}

	/**
	 * Forget a report that was written, unless something else was said since.
	 */
	synchronized void reported(ProgressReport written) {
		if (written.equals(this.report)) {
			this.report = null;
		}
	}

	/**
	 * Tell the handler that its job is to be cancelled.
	 * @param grace how long it has before it is interrupted
	 */
	synchronized void requestCancel(Duration grace) {
		if (this.cancelBy == null) {
			this.cancelBy = System.nanoTime() + grace.toNanos();
		}
	}

	@Override
	public boolean isCancelRequested() {
		return this.cancelBy != null;
	}

	/**
	 * Return whether the handler goes on although it had time to end.
	 */
	boolean isCancelOverdue() {
		Long by = this.cancelBy;
		return by != null && System.nanoTime() - by >= 0;
	}

	void interruptForStop() {
		this.stopping = true;
		interrupt();
	}

	/**
	 * The thread may have gone on to another job.
	 */
	synchronized void interrupt() {
		if (!this.over) {
			this.thread.interrupt();
		}
	}

	synchronized void end() {
		this.over = true;
	}

	synchronized boolean hasEnded() {
		return this.over;
	}

}
