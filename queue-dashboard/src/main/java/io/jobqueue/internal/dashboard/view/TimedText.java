package io.jobqueue.internal.dashboard.view;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A part of a text: a time that it contains, or what is between two times. Browsers show
 * times in the zone and the format of their users.
 *
 * @param text the part
 * @param time the time, {@code null} if it is none
 */
public record TimedText(String text, @Nullable Instant time) {

	private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z");

	/**
	 * Return the parts of a text.
	 * @param text the text, with times such as {@code 2026-11-28T12:00:00Z}
	 * @return the parts in their order
	 */
	public static List<TimedText> of(String text) {
		List<TimedText> parts = new ArrayList<>();
		int end = 0;
		Matcher time = TIME.matcher(text);
		while (time.find()) {
			parts.add(new TimedText(text.substring(end, time.start()), null));
			parts.add(new TimedText(time.group(), parse(time.group())));
			end = time.end();
		}
		parts.add(new TimedText(text.substring(end), null));
		return parts;
	}

	/**
	 * A name can look like a time that does not exist.
	 */
	private static @Nullable Instant parse(String text) {
		try {
			return Instant.parse(text);
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

}
