package io.jobqueue.boot.settings;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.StringUtils;

/**
 * Environment variables with settings of queues. By the rules of Spring Boot a variable
 * alone cannot name a queue with dashes or underscores. Where another source has a
 * setting of that queue, a variable replaces or adds others: its name has an underscore
 * for each dash or underscore.
 */
final class QueueVariables {

	private static final String PREFIX = "jobqueue.queues";

	private static final ConfigurationPropertyName QUEUES = ConfigurationPropertyName.of(PREFIX);

	private QueueVariables() {
	}

	static boolean areIn(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
	}

	/**
	 * Return the queue that a key is for, {@code null} if it is not one of a queue.
	 */
	static @Nullable String queueOf(ConfigurationPropertyName key) {
		return QUEUES.isAncestorOf(key) ? key.getElement(QUEUES.getNumberOfElements(), Form.ORIGINAL) : null;
	}

	/**
	 * Return the key of a variable with the name of a queue in it.
	 * @param variable the key that Spring Boot makes of the name of a variable
	 * @param queue a queue that another source names
	 * @return the key, or {@code null} if the variable is not for that queue
	 */
	static @Nullable ConfigurationPropertyName forQueue(ConfigurationPropertyName variable, String queue) {
		String[] words = StringUtils.tokenizeToStringArray(queue, "-_");
		int first = QUEUES.getNumberOfElements();
		if (!QUEUES.isAncestorOf(variable) || variable.getNumberOfElements() <= first + words.length) {
			return null;
		}
		for (int index = 0; index < words.length; index++) {
			if (!words[index].equals(variable.getElement(first + index, Form.UNIFORM))) {
				return null;
			}
		}
		return QUEUES.append("[" + queue + "]").append(variable.subName(first + words.length));
	}

	/**
	 * Return how the key of a queue's settings is written.
	 */
	static String keyOf(String queue) {
		return PREFIX + (queue.contains("_") ? ".[" + queue + "]" : "." + queue);
	}

	/**
	 * Return how the names of variables with settings of a queue begin.
	 */
	static String prefixOf(String queue) {
		return (PREFIX + "." + queue + ".").toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
	}

	/**
	 * Find a variable with a setting of a queue.
	 * @param queue the name of the queue
	 * @param environment the sources of settings
	 * @return the name of the variable and its source, empty if another source has
	 * settings of the queue, too
	 */
	static Optional<String> of(String queue, ConfigurableEnvironment environment) {
		ConfigurationPropertyName prefix = ConfigurationPropertyName.of(PREFIX + "[" + queue + "]");
		String variable = null;
		for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
			Optional<String> found = origin(source, prefix);
			if (found.isPresent() && !areIn(source)) {
				return Optional.empty();
			}
			variable = (variable != null) ? variable : found.orElse(null);
		}
		return Optional.ofNullable(variable);
	}

	private static Optional<String> origin(ConfigurationPropertySource source, ConfigurationPropertyName prefix) {
		if (!(source instanceof IterableConfigurationPropertySource iterable)) {
			return Optional.empty();
		}
		return iterable.stream()
			.filter(prefix::isAncestorOf)
			.map(source::getConfigurationProperty)
			.filter(Objects::nonNull)
			.map(ConfigurationProperty::getOrigin)
			.map(String::valueOf)
			.findFirst();
	}

}
