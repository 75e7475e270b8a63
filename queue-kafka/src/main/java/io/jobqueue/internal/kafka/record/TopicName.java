package io.jobqueue.internal.kafka.record;

import java.util.regex.Pattern;

import io.jobqueue.InvalidConfigurationException;

/**
 * Checks the names of topics.
 */
public final class TopicName {

	private static final Pattern VALID = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

	private TopicName() {
	}

	/**
	 * Check a name that the application sets.
	 * @param setting the key of the setting
	 * @param name the name
	 * @throws InvalidConfigurationException if no topic can have the name
	 */
	public static void check(String setting, String name) {
		if (!VALID.matcher(name).matches()) {
			throw new InvalidConfigurationException(
					"The setting '%s' is '%s', which is not a valid name of a Kafka topic.".formatted(setting, name),
					"Use 1 to 249 letters, digits, dots, underscores and dashes, other than '.' and '..'.");
		}
	}

}
