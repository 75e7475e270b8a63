package io.jobqueue;

/**
 * The urgency of a job: of two due jobs, the one with the lower value runs first. Jobs of
 * one priority run in the order of their run-at, then of their age.
 *
 * @param value the value, from 0 (most urgent) to 99
 */
public record Priority(int value) implements Comparable<Priority> {

	/**
	 * A user waits for the result: 0, the best of the class {@code interactive} (0–9).
	 */
	public static final Priority INTERACTIVE = new Priority(0);

	/**
	 * Users notice if it is late: 10, the best of the class {@code user_visible} (10–19).
	 * The default.
	 */
	public static final Priority USER_VISIBLE = new Priority(10);

	/**
	 * The job must run soon: 20, the best of the class {@code eventual} (20–29).
	 */
	public static final Priority EVENTUAL = new Priority(20);

	/**
	 * The job can wait for hours: 30, the best of the class {@code reporting} (30–99).
	 */
	public static final Priority REPORTING = new Priority(30);

	private static final int WORST = 99;

	/**
	 * Create a priority.
	 * @param value the value, from 0 to 99
	 * @throws IllegalArgumentException if the value is out of range
	 */
	public Priority {
		if (value < 0 || value > WORST) {
			throw new IllegalArgumentException("A priority must be a number from 0 to 99, but is " + value);
		}
	}

	/**
	 * Return the priority with the given value.
	 * @param value the value, from 0 to 99
	 * @return the priority
	 * @throws IllegalArgumentException if the value is out of range
	 */
	public static Priority of(int value) {
		return new Priority(value);
	}

	/**
	 * Return the class that this priority belongs to.
	 * @return the class
	 */
	public PriorityClass priorityClass() {
		return PriorityClass.of(this.value);
	}

	@Override
	public int compareTo(Priority other) {
		return Integer.compare(this.value, other.value);
	}

}
