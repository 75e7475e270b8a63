package io.jobqueue.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Buried;
import io.jobqueue.store.Outcome.Completed;

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

	private final Map<Kind, Long> lastWrites = new HashMap<>();

	private long writes;

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
	 * Note that outcomes were written as they are. While others wait, that may prove one
	 * of the same kind at fault.
	 */
	void written(Collection<Settled> batch) {
		removeAll(batch);
		if (!this.refusals.isEmpty()) {
			this.writes++;
			batch.forEach((settled) -> this.lastWrites.put(Kind.of(settled.outcome()), this.writes));
		}
	}

	/**
	 * Note that outcomes were written in part, or given up.
	 */
	void removeAll(Collection<Settled> batch) {
		batch.forEach(this.outcomes::remove);
		if (!this.refusals.isEmpty()) {
			batch.forEach(this.refusals::remove);
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
	 * Note that all were tried again.
	 */
	void tried() {
		this.lastTry = System.nanoTime();
		this.pauseMillis = this.outcomes.isEmpty() ? FIRST_PAUSE_MILLIS
				: Math.min(2 * this.pauseMillis, MAX_PAUSE_MILLIS);
	}

	/**
	 * Note that an outcome was refused when it was tried alone.
	 * @return when it was refused for the first time
	 */
	Refusal refused(Settled settled) {
		return this.refusals.computeIfAbsent(settled, (key) -> new Refusal(this.writes, System.nanoTime()));
	}

	/**
	 * Return whether an outcome is at fault, as another one of its kind was written since
	 * it was refused for the first time.
	 */
	boolean isProven(Settled settled, WriteFailure failure) {
		Refusal first = refused(settled);
		return this.lastWrites.getOrDefault(Kind.of(settled.outcome()), 0L) > first.writes()
				&& failure != WriteFailure.DENIED && (!failure.isOfSize() || first.isOlderThan(FIRST_TRIES));
	}

	/**
	 * Outcomes that are written to the same tables.
	 *
	 * @param type the class of the outcome
	 * @param unkept whether it has no row in the archive
	 */
	private record Kind(Class<?> type, boolean unkept) {

		static Kind of(Outcome outcome) {
			return new Kind(outcome.getClass(), Duration.ZERO.equals(keep(outcome)));
		}

		private static @Nullable Duration keep(Outcome outcome) {
			if (outcome instanceof Completed completed) {
				return completed.keep();
			}
			return (outcome instanceof Buried buried) ? buried.keep() : null;
		}

	}

	/**
	 * The first time that an outcome was refused.
	 *
	 * @param writes how many writes had succeeded by then
	 * @param at when that was, as a {@link System#nanoTime}
	 */
	record Refusal(long writes, long at) {

		boolean isOlderThan(Duration age) {
			return System.nanoTime() - this.at > age.toNanos();
		}

	}

}
