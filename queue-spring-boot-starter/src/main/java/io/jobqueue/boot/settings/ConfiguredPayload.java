package io.jobqueue.boot.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

import io.jobqueue.InvalidConfigurationException;

/**
 * Converts settings to payloads. A key that is no property of the class is refused, as it
 * is most likely misspelt.
 */
final class ConfiguredPayload {

	private final JsonMapper json;

	ConfiguredPayload(JsonMapper json) {
		this.json = json.rebuild().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
	}

	/**
	 * Convert the settings of a payload.
	 * @param settings the settings
	 * @param target the class of the payload
	 * @param key the key of the settings, for messages
	 * @throws InvalidConfigurationException if they do not fit the class
	 */
	Object convert(Map<String, Object> settings, JavaType target, String key) {
		try {
			return this.json.convertValue(withLists(settings, true), target);
		}
		catch (UnrecognizedPropertyException ex) {
			throw refused(key, ex, "is no property of its class", "Use one of %s, or remove it."
				.formatted(ex.getKnownPropertyIds().stream().map("'%s'"::formatted).sorted().toList()));
		}
		catch (JacksonException ex) {
			throw refused(key, ex, "does not fit its class: " + firstLine(ex.getOriginalMessage()), "Correct it.");
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationException("The setting '%s' does not fit %s: %s.".formatted(key,
					target.getRawClass().getName(), firstLine(ex.getMessage())), "Correct it.", ex);
		}
	}

	/**
	 * The elements of a list are bound to keys that are their numbers.
	 */
	private static Object withLists(Map<?, ?> settings, boolean root) {
		Map<String, @Nullable Object> converted = new LinkedHashMap<>();
		settings.forEach((name, value) -> converted.put(String.valueOf(name),
				(value instanceof Map<?, ?> map) ? withLists(map, false) : value));
		List<@Nullable Object> list = new ArrayList<>();
		while (converted.containsKey(String.valueOf(list.size()))) {
			list.add(converted.get(String.valueOf(list.size())));
		}
		return (!root && !list.isEmpty() && list.size() == converted.size()) ? list : converted;
	}

	private static InvalidConfigurationException refused(String key, JacksonException cause, String reason,
			String action) {
		String path = cause.getPath()
			.stream()
			.map((part) -> (part.getPropertyName() != null) ? "." + part.getPropertyName()
					: "[" + part.getIndex() + "]")
			.collect(Collectors.joining());
		return new InvalidConfigurationException("The setting '%s%s' %s.".formatted(key, path, reason), action, cause);
	}

	/**
	 * Return the reason without Jackson's advice on its own features.
	 */
	private static String firstLine(@Nullable String message) {
		String line = (message != null) ? message.lines().findFirst().orElse("") : "";
		return line.replaceFirst(" \\(set `\\w+Feature.*", "");
	}

}
