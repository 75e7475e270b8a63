package io.jobqueue.internal.boot.settings;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.logging.EditDistance;

/**
 * The keys of all settings, for messages: read from the records that they are bound to.
 */
final class SettingNames {

	private static final String ANY_NAME = "<name>";

	private SettingNames() {
	}

	/**
	 * Return whether a setting is a group of others, or a map.
	 */
	static boolean isGroup(ResolvableType type) {
		return type.toClass().isRecord() || Map.class.isAssignableFrom(type.toClass());
	}

	/**
	 * Return whether the application names the keys below a setting, as those of a
	 * payload.
	 */
	static boolean isFree(ResolvableType type) {
		return type.toClass() == Object.class || type.asMap().getGeneric(1).resolve() == Object.class;
	}

	/**
	 * Return the nearest key, of those that end the same if there are any: it may only
	 * stand in the wrong group.
	 */
	static String nearest(ConfigurationPropertyName key) {
		List<String> all = like(key);
		String end = "." + key.getLastElement(Form.DASHED);
		List<String> alike = all.stream().filter((known) -> known.endsWith(end)).toList();
		return EditDistance.nearest(key.toString(), alike.isEmpty() ? all : alike).orElseThrow();
	}

	/**
	 * Return all keys.
	 * @param key a key that gives names to the entries of maps, before its last element
	 * @return the keys, in order
	 */
	static List<String> like(ConfigurationPropertyName key) {
		Set<String> keys = new TreeSet<>();
		add("jobqueue", ResolvableType.forClass(JobQueueProperties.class), keys);
		return keys.stream()
			.filter((known) -> !known.startsWith("jobqueue.defaults.types.")
					&& !known.startsWith("jobqueue.defaults.relay."))
			.map((known) -> named(known, key))
			.toList();
	}

	private static void add(String key, ResolvableType type, Set<String> keys) {
		if (type.toClass().isRecord()) {
			for (RecordComponent component : type.toClass().getRecordComponents()) {
				add(key + "." + DataObjectPropertyName.toDashedForm(component.getName()),
						ResolvableType.forMethodReturnType(component.getAccessor()), keys);
			}
		}
		else if (isGroup(type) && !isFree(type)) {
			add(key + "." + ANY_NAME, type.asMap().getGeneric(1), keys);
		}
		else {
			keys.add(key);
		}
	}

	private static String named(String known, ConfigurationPropertyName key) {
		StringBuilder named = new StringBuilder();
		String[] elements = StringUtils.delimitedListToStringArray(known, ".");
		for (int index = 0; index < elements.length; index++) {
			boolean hasName = elements[index].equals(ANY_NAME) && index < key.getNumberOfElements() - 1;
			named.append(hasName ? element(key, index) : "." + elements[index]);
		}
		return named.substring(1);
	}

	private static String element(ConfigurationPropertyName key, int index) {
		return key.chop(index + 1).toString().substring(key.chop(index).toString().length());
	}

}
