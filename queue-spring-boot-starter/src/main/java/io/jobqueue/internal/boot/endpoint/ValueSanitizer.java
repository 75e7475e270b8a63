package io.jobqueue.internal.boot.endpoint;

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
 * Hides values of the application from unauthorized users: payloads, headers, keys,
 * groups and the messages of exceptions, which may quote any of these.
 *
 * @param shown whether the user may see them
 */
record ValueSanitizer(boolean shown) {

	/**
	 * Parameters of a search that compare hidden values.
	 */
	static final String[] SEARCHED = { "error", "key", "group" };

	private static final String HIDDEN = SanitizableData.SANITIZED_VALUE;

	private static final int MAX_LINE = 300;

	private static final int MAX_TEXT = 10_000;

	/**
	 * The class name of an exception, followed by its message and stack trace.
	 */
	private static final Pattern EXCEPTION = Pattern.compile("((?:\\w+\\.){1,30}[A-Z][\\w$]*)(?:[:\\r\\n].*)?",
			Pattern.DOTALL);

	/**
	 * Refuse searches by hidden values, which would confirm guesses.
	 */
	void requireShownFor(RequestParameters parameters, String... names) {
		for (String name : names) {
			Assert.isTrue(this.shown || parameters.text(name) == null,
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
	 * Replaces half of a surrogate pair, which JSON cannot represent.
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
