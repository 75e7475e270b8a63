package io.jobqueue.internal.boot.settings;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.store.StorableDuration;

/**
 * Checks the value of a single setting; messages name its key.
 */
public final class Setting {

	private Setting() {
	}

	static Duration positive(String property, Duration value) {
		check(value.toMillis() > 0, property, value, "Set a duration of at least 1 ms.");
		return storable(property, value);
	}

	static Duration notNegative(String property, Duration value) {
		check(!value.isNegative(), property, value, "Set a duration that is not negative.");
		return storable(property, value);
	}

	static int positive(String property, int value) {
		check(value > 0, property, value, "Set a number above 0, or remove the setting.");
		return value;
	}

	static int notNegative(String property, int value) {
		check(value >= 0, property, value, "Set a number that is not negative.");
		return value;
	}

	static <T> T required(String property, @Nullable T value, String why) {
		if (value == null) {
			throw new InvalidConfigurationException("The setting '%s' is missing: %s.".formatted(property, why),
					"Set it.");
		}
		return value;
	}

	static void atLeast(String property, Duration value, String otherProperty, Duration other) {
		if (value.compareTo(other) < 0) {
			throw new InvalidConfigurationException(
					"The setting '%s' is %s, less than '%s', which is %s.".formatted(property, text(value),
							otherProperty, text(other)),
					"Raise '%s' or lower '%s'.".formatted(property, otherProperty));
		}
	}

	private static Duration storable(String property, Duration value) {
		check(StorableDuration.isStorable(value), property, value, "Set a duration of at most 100 years.");
		return value;
	}

	/**
	 * Refuse a value.
	 * @param condition whether the value is accepted
	 * @param property the key of the setting
	 * @param value the value
	 * @param action what to do if it is refused
	 * @throws InvalidConfigurationException if the value is refused
	 */
	public static void check(boolean condition, String property, Object value, String action) {
		if (!condition) {
			throw new InvalidConfigurationException("The setting '%s' is %s.".formatted(property, text(value)), action);
		}
	}

	static String text(Object value) {
		if (value instanceof Duration duration) {
			return DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE)
				.replaceAll("(?<=[a-z])(?=[0-9])", " ");
		}
		return (value instanceof String) ? "'" + value + "'" : value.toString();
	}

}
