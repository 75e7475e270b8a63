package io.jobqueue.internal.dashboard.chart;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The time that a chart shows. Statistics older than 3 hours have steps of 10 minutes.
 */
public enum ChartRange {

	/**
	 * The last hour, in minutes.
	 */
	HOUR("Last hour", Duration.ofHours(1), Duration.ofMinutes(1), "per minute"),

	/**
	 * The last day, in steps of 10 minutes.
	 */
	DAY("Last day", Duration.ofDays(1), Duration.ofMinutes(10), "per 10 minutes"),

	/**
	 * The last week, in hours.
	 */
	WEEK("Last week", Duration.ofDays(7), Duration.ofHours(1), "per hour");

	private final String label;

	private final Duration period;

	private final Duration step;

	private final String perStep;

	ChartRange(String label, Duration period, Duration step, String perStep) {
		this.label = label;
		this.period = period;
		this.step = step;
		this.perStep = perStep;
	}

	/**
	 * Return the range that a parameter names.
	 * @param name the value of the parameter
	 * @return the range, {@link #HOUR} without a value, empty if there is no such range
	 */
	static Optional<ChartRange> of(@Nullable String name) {
		return (name == null || name.isEmpty()) ? Optional.of(HOUR)
				: Stream.of(values()).filter((range) -> range.parameter().equals(name)).findFirst();
	}

	/**
	 * Return the range that a parameter names.
	 * @param name the value of the parameter
	 * @return the range, {@link #HOUR} without a value
	 * @throws IllegalArgumentException if there is no such range
	 */
	public static ChartRange required(@Nullable String name) {
		return of(name).orElseThrow(
				() -> new IllegalArgumentException("'range' must be hour, day or week, but is '%s'".formatted(name)));
	}

	/**
	 * Return the value of the parameter that names this range.
	 * @return the value
	 */
	public String parameter() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return what people read.
	 * @return the label
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Return the time before now.
	 * @return the time, a multiple of the step
	 */
	Duration period() {
		return this.period;
	}

	/**
	 * Return the length of a step.
	 * @return the length
	 */
	Duration step() {
		return this.step;
	}

	/**
	 * Return the unit of numbers that are counted in each step.
	 * @return the unit, such as {@code per minute}
	 */
	String perStep() {
		return this.perStep;
	}

}
