package io.jobqueue.internal.dashboard.view;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.web.util.UriUtils;

/**
 * Encodes the parameters of addresses.
 */
public final class UrlQuery {

	private UrlQuery() {
	}

	/**
	 * Return parameters as the part of an address after its question mark.
	 * @param parameters the values by name; those that are {@code null} are left out
	 * @return such as {@code queue=emails&state=DEAD}, without text for no parameters
	 */
	public static String of(Map<String, ? extends @Nullable Object> parameters) {
		return parameters.entrySet()
			.stream()
			.filter((parameter) -> parameter.getValue() != null)
			.map((parameter) -> of(parameter.getKey(), String.valueOf(parameter.getValue())))
			.collect(Collectors.joining("&"));
	}

	/**
	 * Return one parameter.
	 * @param name its name
	 * @param value its value
	 * @return such as {@code queue=emails}
	 */
	public static String of(String name, String value) {
		return encode(name) + "=" + encode(value);
	}

	private static String encode(String text) {
		return UriUtils.encode(text, StandardCharsets.UTF_8);
	}

}
