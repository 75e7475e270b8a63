package io.jobqueue.boot.endpoint;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.util.Assert;

import io.jobqueue.JobPayload;

/**
 * Shows what applications have written about their jobs, or hides it: payloads, headers,
 * keys, and the texts of exceptions, which may quote any of these.
 *
 * @param shown whether it is shown
 */
record Values(boolean shown) {

	/**
	 * Conditions of a search whose values are hidden.
	 */
	static final String[] SEARCHED = { "error", "key", "group" };

	private static final String HIDDEN = SanitizableData.SANITIZED_VALUE;

	private static final int MAX_LINE = 300;

	private static final int MAX_TEXT = 10_000;

	/**
	 * The type of an exception, and what follows it.
	 */
	private static final Pattern EXCEPTION = Pattern.compile("((?:\\w+\\.){1,30}[A-Z][\\w$]*)(?:[:\\r\\n].*)?",
			Pattern.DOTALL);

	/**
	 * Users who may not see errors, keys and groups must not learn them by guessing.
	 */
	void requireShownFor(Arguments arguments, String... names) {
		for (String name : names) {
			Assert.isTrue(this.shown || arguments.text(name) == null,
					() -> "'%s' searches values that are hidden from this user; 'management.endpoint.jobqueue.show-values' controls who sees them"
						.formatted(name));
		}
	}

	@Nullable String text(@Nullable String text) {
		return (text == null || this.shown) ? text : HIDDEN;
	}

	/**
	 * Return the first line of an error, or the type of the exception alone.
	 */
	@Nullable String summary(@Nullable String error) {
		return (error != null) ? cut(visible(error).lines().findFirst().orElse(""), MAX_LINE) : null;
	}

	/**
	 * Return an error with its stack trace, or the type of the exception alone.
	 */
	@Nullable String error(@Nullable String error) {
		return (error != null) ? cut(visible(error), MAX_TEXT) : null;
	}

	String error(Throwable thrown) {
		StringWriter text = new StringWriter();
		thrown.printStackTrace(new PrintWriter(text));
		return cut(visible(text.toString()), MAX_TEXT);
	}

	private String visible(String error) {
		if (this.shown) {
			return error;
		}
		Matcher exception = EXCEPTION.matcher(error);
		return exception.matches() ? exception.group(1) + ": " + HIDDEN : HIDDEN;
	}

	/**
	 * JSON has no room for half of a surrogate pair.
	 */
	private static String cut(String text, int length) {
		String cut = (text.length() > length) ? text.substring(0, length) : text;
		return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

	Map<String, String> headers(Map<String, String> headers) {
		Map<String, String> visible = new TreeMap<>(headers);
		visible.replaceAll((name, value) -> this.shown ? value : HIDDEN);
		return visible;
	}

	JobPayload payload(JobPayload payload) {
		return this.shown ? payload : new JobPayload(HIDDEN, payload.binary(), payload.size());
	}

}
