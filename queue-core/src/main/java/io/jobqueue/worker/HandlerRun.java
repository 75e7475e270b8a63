package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Recorded;

/**
 * A job that a thread is running. Its outcome is settled once: by the handler, by the end
 * of its run time, or by a stop that has waited long enough.
 */
final class HandlerRun {

	private final HeldJob held;

	private final Settler settler;

	private final Attempt attempt;

	private final Thread thread = Thread.currentThread();

	private final long since = System.nanoTime();

	private final AtomicBoolean settled = new AtomicBoolean();

	private volatile long deadline;

	private volatile boolean stopping;

	private boolean over;

	HandlerRun(HeldJob held, Settler settler, Leases leases) {
		this.held = held;
		this.settler = settler;
		this.deadline = held.since() + held.job().maxRunTime().toNanos();
		this.attempt = new Attempt(held.job(), (duration) -> {
			leases.renew(held.job(), duration);
			leaseBegins(duration);
		});
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
	void finish(Supplier<Outcome> ending) {
		settle(() -> {
			Outcome outcome = ending.get();
			boolean succeeded = outcome instanceof Completed || outcome instanceof Recorded;
			return (this.stopping && !succeeded && !job().atMostOnce()) ? Outcomes.released(job()) : outcome;
		});
	}

	/**
	 * End the run as far as the database is concerned, unless it has ended.
	 * @return whether it had not
	 */
	boolean settle(Supplier<Outcome> outcome) {
		boolean first = this.settled.compareAndSet(false, true);
		if (first) {
			this.settler.submit(job(), outcome.get());
		}
		return first;
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
