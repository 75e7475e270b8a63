package io.jobqueue.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Outcomes that could not be written while the database answers, and when to try them
 * again: all of them together, after a pause that grows while none can be written.
 */
final class HeldUp {

	/**
	 * So many wait before the outcomes of other jobs wait with them. That is more than
	 * handlers and claims in advance commonly come to.
	 */
	static final int MAX_SIZE = 20_000;

	private static final long FIRST_PAUSE_MILLIS = 100;

	private static final long MAX_PAUSE_MILLIS = 1_000;

	/**
	 * For so long an outcome is tried as it is while no other one can be written.
	 */
	static final Duration FIRST_TRIES = Duration.ofMinutes(1);

	/**
	 * For so long an outcome is tried at all while no other one can be written: a right
	 * that is missing is granted within that time.
	 */
	static final Duration ALL_TRIES = Duration.ofHours(1);

	private final Set<Settled> outcomes = Collections.newSetFromMap(new IdentityHashMap<>());

	private final IdentityHashMap<Settled, Refusal> refusals = new IdentityHashMap<>();

	private boolean everything;

	private long pauseMillis = FIRST_PAUSE_MILLIS;

	private long lastTry = System.nanoTime();

	boolean isEmpty() {
		return this.outcomes.isEmpty();
	}

	boolean isFull() {
		return this.outcomes.size() >= MAX_SIZE;
	}

	/**
	 * Return whether nothing at all could be written at the last try.
	 */
	boolean isEverything() {
		return this.everything;
	}

	/**
	 * Hold up outcomes until each of them is removed. Those that are here already stay.
	 */
	void addAll(Collection<Settled> batch) {
		if (this.outcomes.isEmpty()) {
			this.lastTry = System.nanoTime();
		}
		this.outcomes.addAll(batch);
	}

	/**
	 * Note that outcomes were written or given up.
	 */
	void removeAll(Collection<Settled> batch) {
		if (!this.outcomes.isEmpty()) {
			batch.forEach(this.outcomes::remove);
		}
	}

	/**
	 * Note that none of the outcomes is at fault.
	 */
	void nothingCouldBeWritten() {
		this.everything = true;
	}

	boolean isDue() {
		return !this.outcomes.isEmpty()
				&& System.nanoTime() - this.lastTry > Duration.ofMillis(this.pauseMillis).toNanos();
	}

	/**
	 * Return all outcomes to be tried again, in another order: those that were tried one
	 * by one are not always the same.
	 */
	List<Settled> all() {
		List<Settled> all = new ArrayList<>(this.outcomes);
		Collections.shuffle(all);
		this.everything = false;
		return all;
	}

	/**
	 * Note that all were tried again. What has been refused and is here no more was
	 * written.
	 */
	void tried() {
		this.lastTry = System.nanoTime();
		this.pauseMillis = this.outcomes.isEmpty() ? FIRST_PAUSE_MILLIS
				: Math.min(2 * this.pauseMillis, MAX_PAUSE_MILLIS);
		if (this.outcomes.isEmpty()) {
			this.refusals.clear();
		}
	}

	/**
	 * Note that an outcome was refused when it was tried alone.
	 * @param writes how many writes have succeeded so far
	 * @return when it was refused for the first time
	 */
	Refusal refused(Settled settled, long writes) {
		return this.refusals.computeIfAbsent(settled, (key) -> new Refusal(writes, System.nanoTime()));
	}

	/**
	 * The first time that an outcome was refused.
	 *
	 * @param writes how many writes had succeeded by then
	 * @param at when that was, as a {@link System#nanoTime}
	 */
	record Refusal(long writes, long at) {

		/**
		 * Return whether the outcome is at fault, as another one was written since.
		 */
		boolean isProven(WriteFailure failure, long writesSoFar) {
			return writesSoFar > this.writes && (failure != WriteFailure.TIMED_OUT || isOlderThan(FIRST_TRIES));
		}

		boolean isOlderThan(Duration age) {
			return System.nanoTime() - this.at > age.toNanos();
		}

	}

}
