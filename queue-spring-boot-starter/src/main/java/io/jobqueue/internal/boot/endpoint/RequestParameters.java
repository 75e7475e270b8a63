package io.jobqueue.internal.boot.endpoint;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

import io.jobqueue.internal.store.StorableText;

/**
 * The parameters of a request besides its path. An unknown name and an empty value are
 * refused: a condition that is mistyped, or whose variable is empty in a script, must not
 * select more jobs.
 */
public final class RequestParameters {

	private static final String REASON = "reason";

	private final Map<String, @Nullable Object> values;

	/**
	 * Create the parameters of a request.
	 * @param values their values by name; a parameter that is given more than once has a
	 * collection
	 */
	public RequestParameters(Map<String, @Nullable Object> values) {
		this.values = values;
	}

	/**
	 * Return the parameters besides the reason, which any operation may have.
	 */
	RequestParameters withoutReason() {
		Map<String, @Nullable Object> others = new HashMap<>(this.values);
		others.remove(REASON);
		return new RequestParameters(others);
	}

	/**
	 * Return why an operator does this, {@code null} if no reason is given.
	 */
	@Nullable String reason() {
		return text(REASON);
	}

	/**
	 * Refuse all other names.
	 */
	void requireOnly(Collection<String> names) {
		this.values.keySet()
			.forEach((name) -> Assert.isTrue(names.contains(name), () -> "Unknown parameter '%s': %s".formatted(name,
					names.isEmpty() ? "remove it" : "the known ones are " + String.join(", ", names))));
	}

	/**
	 * Refuse all other names.
	 * @param names the names that are known
	 * @throws IllegalArgumentException if there is another one
	 */
	public void requireOnly(String... names) {
		requireOnly(List.of(names));
	}

	boolean hasAny(Collection<String> names) {
		return names.stream().anyMatch(this.values::containsKey);
	}

	@Nullable String text(String name) {
		return this.values.containsKey(name) ? text(name, this.values.get(name)) : null;
	}

	private static String text(String name, @Nullable Object value) {
		Assert.isTrue(!(value instanceof Collection), () -> "'%s' is given more than once".formatted(name));
		String text = (value != null) ? value.toString() : "";
		Assert.isTrue(StringUtils.hasText(text), () -> "'%s' has no value: set one, or omit it".formatted(name));
		return StorableText.require(name, text);
	}

	String requiredText(String name) {
		String text = text(name);
		if (text == null) {
			throw new IllegalArgumentException("'%s' is missing".formatted(name));
		}
		return text;
	}

	<T> @Nullable T value(String name, ParameterType<T> type) {
		String text = text(name);
		return (text != null) ? type.parse(name, text) : null;
	}

	<T> T required(String name, ParameterType<T> type) {
		return type.parse(name, requiredText(name));
	}

}
