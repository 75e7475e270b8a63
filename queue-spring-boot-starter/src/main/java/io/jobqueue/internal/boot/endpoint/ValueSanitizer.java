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
 * @param setting the setting that controls who sees them
 */
public record ValueSanitizer(boolean shown, String setting) {

	/**
	 * Parameters of a search that compare hidden values.
	 */
	private static final String[] SEARCHED = { "error", "key", "group" };

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
	 * @param parameters the conditions of the search
	 * @throws IllegalArgumentException if one of them compares a hidden value
	 */
	public void requireShownForSearch(RequestParameters parameters) {
		requireShownFor(parameters, SEARCHED);
	}

	void requireShownFor(RequestParameters parameters, String... names) {
		for (String name : names) {
			Assert.isTrue(this.shown || parameters.text(name) == null,
					() -> "'%s' searches values that are hidden from this user; '%s' controls who sees them"
						.formatted(name, this.setting));
		}
	}

	/**
	 * Return a text, or asterisks in its place.
	 * @param text the text
	 * @return the visible text, {@code null} for {@code null}
	 */
	public @Nullable String text(@Nullable String text) {
		return (text == null || this.shown) ? text : HIDDEN;
	}

	/**
	 * Return the first line of an error, or the type of the exception alone.
	 * @param error the error
	 * @return up to 300 characters, {@code null} for {@code null}
	 */
	public @Nullable String summary(@Nullable String error) {
		return (error != null) ? cut(visible(error).lines().findFirst().orElse(""), MAX_LINE) : null;
	}

	/**
	 * Return an error with its stack trace, or the type of the exception alone.
	 * @param error the error
	 * @return up to 10,000 characters, {@code null} for {@code null}
	 */
	public @Nullable String error(@Nullable String error) {
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

	/**
	 * Return headers, or their names with asterisks as values.
	 * @param headers the headers
	 * @return the visible headers by name
	 */
	public Map<String, String> headers(Map<String, String> headers) {
		Map<String, String> visible = new TreeMap<>(headers);
		visible.replaceAll((name, value) -> this.shown ? value : HIDDEN);
		return visible;
	}

	/**
	 * Return a payload, or asterisks and its size.
	 * @param payload the payload
	 * @return the visible payload
	 */
	public JobPayload payload(JobPayload payload) {
		return this.shown ? payload : new JobPayload(HIDDEN, payload.binary(), payload.size());
	}

}
