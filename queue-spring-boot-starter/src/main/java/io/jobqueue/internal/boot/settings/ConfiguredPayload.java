package io.jobqueue.internal.boot.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.logging.EditDistance;

/**
 * Converts settings to payloads. A key that is no property of the class is refused, as it
 * is most likely misspelt.
 */
final class ConfiguredPayload {

	private final JsonMapper json;

	private final JsonMapper lenient;

	ConfiguredPayload(JsonMapper json) {
		this.json = json.rebuild().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
		this.lenient = this.json.rebuild()
			.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
					DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
			.build();
	}

	/**
	 * Convert the settings of a payload.
	 * @param settings the settings
	 * @param target the class of the payload
	 * @param key the key of the settings, for messages
	 * @throws InvalidConfigurationException if they do not fit the class
	 */
	Object convert(Map<String, Object> settings, JavaType target, String key) {
		Object given = withLists(settings, true);
		try {
			return this.json.convertValue(given, target);
		}
		catch (JacksonException ex) {
			throw refused(key, given, unknownProperty(given, target).orElse(ex));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationException("The setting '%s' does not fit %s: %s.".formatted(key,
					target.getRawClass().getName(), firstLine(ex.getMessage())), "Correct it.", ex);
		}
	}

	/**
	 * A misspelt property is the reason why another one is missing.
	 */
	private Optional<JacksonException> unknownProperty(Object given, JavaType target) {
		try {
			this.lenient.convertValue(given, target);
			return Optional.empty();
		}
		catch (UnrecognizedPropertyException ex) {
			return Optional.of(ex);
		}
		catch (RuntimeException ex) {
			return Optional.empty();
		}
	}

	private static InvalidConfigurationException refused(String key, Object given, JacksonException cause) {
		if (cause instanceof UnrecognizedPropertyException unknown) {
			List<String> known = unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
			String nearest = EditDistance.nearest(unknown.getPropertyName(), known)
				.map(". The nearest one is '%s'"::formatted)
				.orElse("");
			return refused(key, cause, "is no property of its class" + nearest,
					"Use one of %s, or remove it.".formatted(known.stream().map("'%s'"::formatted).toList()));
		}
		return isMissing(given, cause.getPath()) ? refused(key, cause, "is missing, and its class needs it", "Set it.")
				: refused(key, cause, "does not fit its class: " + firstLine(cause.getOriginalMessage()),
						"Correct it.");
	}

	private static boolean isMissing(@Nullable Object given, List<JacksonException.Reference> path) {
		Object value = given;
		for (JacksonException.Reference part : path) {
			if (value instanceof Map<?, ?> map && !map.containsKey(part.getPropertyName())) {
				return true;
			}
			value = (value instanceof Map<?, ?> map) ? map.get(part.getPropertyName())
					: (value instanceof List<?> list) ? list.get(part.getIndex()) : null;
		}
		return false;
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
