package io.jobqueue.internal.boot.settings;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

import io.jobqueue.InvalidConfigurationException;

/**
 * Refuses durations without a unit, which are milliseconds, where so few of them make no
 * sense: most likely seconds are meant. With a unit they are accepted.
 */
final class BareDurations {

	private static final Pattern NUMBER = Pattern.compile("[+]?[0-9]{1,3}");

	private static final int SECOND = 1000;

	/**
	 * Settings of which parts of a second make sense.
	 */
	private static final Set<String> SHORT = Set.of("poll-interval", "max-poll-interval", "delay", "delays", "min",
			"max", "period", "transaction-time");

	private static final int LEAST_OF_SHORT = 100;

	private final Binder binder;

	BareDurations(Environment environment) {
		this.binder = Binder.get(environment);
	}

	/**
	 * Check each setting that is a duration, or a list of them.
	 */
	void check(Map<ConfigurationPropertyName, ResolvableType> settings) {
		settings.entrySet()
			.stream()
			.filter((setting) -> areOf(setting.getValue()))
			.map(Map.Entry::getKey)
			.sorted()
			.forEach(this::check);
	}

	private static boolean areOf(ResolvableType type) {
		return type.toClass() == Duration.class || type.asCollection().getGeneric(0).resolve() == Duration.class;
	}

	private void check(ConfigurationPropertyName property) {
		String key = property.toString();
		String value = this.binder.bind(property, Bindable.of(String.class)).orElse("");
		String name = key.substring(key.lastIndexOf('.') + 1).replaceFirst("\\[\\d+]$", "");
		int least = SHORT.contains(name) ? LEAST_OF_SHORT : SECOND;
		Arrays.stream(value.split(",")).map(String::strip).forEach((single) -> check(key, value, single, least));
	}

	private static void check(String key, String value, String single, int least) {
		if (NUMBER.matcher(single).matches() && Integer.parseInt(single) > 0 && Integer.parseInt(single) < least) {
			throw new InvalidConfigurationException(
					"'%s: %s' is %s ms: a number without a unit is milliseconds.".formatted(key, value, single),
					"Write '%ss' for seconds, or '%1$sms' if that is meant.".formatted(single));
		}
	}

}
