package io.jobqueue.boot.settings;

import java.lang.reflect.Constructor;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

import io.jobqueue.boot.properties.JobQueueProperties;

/**
 * A setting, a group of settings or a map of such groups: a node of the tree of all keys
 * under {@code jobqueue.}, read from the records that they are bound to.
 */
final class SettingNode {

	private static final String OURS = "io.jobqueue.";

	private static final String ANY_NAME = "<name>";

	private static final Pattern UNBRACKETED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*");

	private final String name;

	private final Class<?> type;

	private final boolean list;

	/**
	 * The settings of a group, by their names in {@link Form#UNIFORM uniform} form.
	 */
	private final Map<String, SettingNode> children = new TreeMap<>();

	private @Nullable SettingNode entry;

	private SettingNode(String name, ResolvableType type) {
		this.name = name;
		this.list = Collection.class.isAssignableFrom(type.toClass());
		this.type = (this.list ? type.getGeneric(0) : type).toClass();
		if (Map.class.isAssignableFrom(this.type)) {
			this.entry = new SettingNode(ANY_NAME, type.getGeneric(1));
		}
		else if (this.type.getName().startsWith(OURS) && !this.type.isEnum()) {
			addChildren();
		}
	}

	static SettingNode root() {
		SettingNode root = new SettingNode("jobqueue", ResolvableType.forClass(JobQueueProperties.class));
		Objects.requireNonNull(root.children.get("defaults")).children.remove("types"); // of
																						// single
																						// queues
																						// only
		return root;
	}

	private void addChildren() {
		Constructor<?> constructor = this.type.getDeclaredConstructors()[0];
		for (int index = 0; index < constructor.getParameterCount(); index++) {
			String parameter = constructor.getParameters()[index].getName();
			SettingNode child = new SettingNode(DataObjectPropertyName.toDashedForm(parameter),
					ResolvableType.forConstructorParameter(constructor, index));
			this.children.put(child.name.replace("-", ""), child);
		}
	}

	/**
	 * Return the type of the values of a setting.
	 */
	Class<?> type() {
		return this.type;
	}

	/**
	 * Return whether this is a map of groups, or a group.
	 */
	boolean isGroup() {
		return this.entry != null || !this.children.isEmpty();
	}

	/**
	 * Return whether this is a map of the application's own keys.
	 */
	private boolean isFree() {
		return this.entry != null && this.entry.type == Object.class;
	}

	/**
	 * Find what a key is for.
	 * @param key the key
	 * @param ofVariable whether it is made from the name of an environment variable,
	 * where a dot may stand for a dash
	 * @return the setting or group, or {@code null} if there is no such key
	 */
	@Nullable FoundSetting find(ConfigurationPropertyName key, boolean ofVariable) {
		return find(new Search(key, ofVariable), 1, this.name);
	}

	private @Nullable FoundSetting find(Search search, int index, String path) {
		if (index == search.length() || this.type == Object.class || (this.list && search.isLastIndexOfList(index))) {
			return new FoundSetting(path + search.rest(index), this);
		}
		if (this.entry != null) {
			return this.entry.find(search, index + 1, path + search.name(index));
		}
		for (int next = index + 1; next <= search.furthest(index); next++) {
			SettingNode child = this.children.get(search.joined(index, next));
			FoundSetting found = (child != null) ? child.find(search, next, path + "." + child.name) : null;
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	/**
	 * Call for each key that there is.
	 * @param like a key that gives names to entries of maps
	 * @param action what to do with the key
	 */
	void forEachKey(ConfigurationPropertyName like, Consumer<String> action) {
		forEachKey(new Search(like, false), 1, this.name, action);
	}

	private void forEachKey(Search like, int index, String path, Consumer<String> action) {
		if (isFree()) {
			action.accept(path);
		}
		else if (this.entry != null) {
			String entryName = (index < like.length() - 1) ? like.name(index) : "." + ANY_NAME;
			this.entry.forEachKey(like, index + 1, path + entryName, action);
		}
		else if (this.children.isEmpty()) {
			action.accept(path);
		}
		this.children.values().forEach((child) -> child.forEachKey(like, index + 1, path + "." + child.name, action));
	}

	/**
	 * Call for each key of a group.
	 * @param path the group's key
	 * @param action what to do with the key
	 */
	void forEachKeyBelow(String path, Consumer<String> action) {
		forEachKey(new Search(ConfigurationPropertyName.EMPTY, false), 0, path, action);
	}

	/**
	 * A setting or a group.
	 *
	 * @param key its key as the documentation writes it
	 * @param node what it is
	 */
	record FoundSetting(String key, SettingNode node) {
	}

	/**
	 * A key, element by element.
	 */
	private record Search(ConfigurationPropertyName key, boolean ofVariable) {

		int length() {
			return this.key.getNumberOfElements();
		}

		int furthest(int index) {
			return this.ofVariable ? length() : index + 1;
		}

		boolean isLastIndexOfList(int index) {
			return index == length() - 1 && this.key.isNumericIndex(index);
		}

		String rest(int index) {
			return (index < length()) ? this.key.subName(index).toString() : "";
		}

		/**
		 * Return the name of an entry of a map, in brackets where the key needs them.
		 */
		String name(int index) {
			String element = this.key.getElement(index, Form.ORIGINAL);
			return UNBRACKETED.matcher(element).matches() ? "." + element : "[" + element + "]";
		}

		String joined(int from, int to) {
			StringBuilder joined = new StringBuilder();
			for (int index = from; index < to; index++) {
				joined.append(this.key.getElement(index, Form.UNIFORM));
			}
			return joined.toString();
		}

	}

}
