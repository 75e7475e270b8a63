package io.jobqueue;

import java.util.Locale;

/**
 * The classes of {@link Priority} that meters, alerts and people distinguish.
 */
public enum PriorityClass {

	/**
	 * Priorities 0–9: a user waits for the result.
	 */
	INTERACTIVE(0, 9),

	/**
	 * Priorities 10–19: users notice if it is late.
	 */
	USER_VISIBLE(10, 19),

	/**
	 * Priorities 20–29: the job must run soon.
	 */
	EVENTUAL(20, 29),

	/**
	 * Priorities 30–99: the job can wait for hours.
	 */
	REPORTING(30, 99);

	private final int best;

	private final int worst;

	PriorityClass(int best, int worst) {
		this.best = best;
		this.worst = worst;
	}

	/**
	 * Return the lowest value of this class, which runs first.
	 * @return the lowest value
	 */
	public int best() {
		return this.best;
	}

	/**
	 * Return the highest value of this class, which runs last.
	 * @return the highest value
	 */
	public int worst() {
		return this.worst;
	}

	/**
	 * Return the name that meters use as a tag value, such as {@code user_visible}.
	 * @return the name in lower case
	 */
	public String tagValue() {
		return name().toLowerCase(Locale.ROOT);
	}

	static PriorityClass of(int value) {
		for (PriorityClass candidate : values()) {
			if (value <= candidate.worst) {
				return candidate;
			}
		}
		throw new IllegalArgumentException("A priority must be a number from 0 to 99, but is " + value);
	}

}
