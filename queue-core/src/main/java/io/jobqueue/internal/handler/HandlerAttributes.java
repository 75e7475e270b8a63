package io.jobqueue.internal.handler;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

import io.jobqueue.JobHandler;
import io.jobqueue.RecurringJob;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.Backoff;
import io.jobqueue.internal.store.StorableDuration;

/**
 * Reads the attributes of a handler's annotation.
 *
 * @param handler the name of the handler in messages
 * @param placeholders resolves the placeholders of a text
 */
record HandlerAttributes(String handler, UnaryOperator<String> placeholders) {

	private static final String WITH_UNIT = "Set a duration with its unit, such as 500ms, 30s, 5m or 1h";

	/**
	 * Return the text of an attribute with its placeholders resolved.
	 */
	String resolve(String attribute, String given) {
		try {
			return this.placeholders.apply(given);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidHandlerException(
					"%s has %s = \"%s\", whose placeholder has no value".formatted(this.handler, attribute, given),
					"Set that property, or add a default to the placeholder, as in ${name:default}");
		}
	}

	AttemptOptions options(JobHandler annotation) {
		Backoff backoff = backoff(annotation.backoff());
		if (backoff != null && !annotation.retryPolicy().isEmpty()) {
			throw new InvalidHandlerException("%s has a backoff and names the retry policy '%s'".formatted(this.handler,
					annotation.retryPolicy()), "Remove one of them: the policy decides how long a job waits");
		}
		return new AttemptOptions(maxAttempts(annotation.maxAttempts()),
				duration("maxRunTime", annotation.maxRunTime(), Duration.ofMillis(1)), backoff);
	}

	AttemptOptions options(RecurringJob annotation) {
		return new AttemptOptions(maxAttempts(annotation.maxAttempts()),
				duration("maxRunTime", annotation.maxRunTime(), Duration.ofMillis(1)), backoff(annotation.backoff()));
	}

	private @Nullable Integer maxAttempts(int given) {
		if (given < JobHandler.UNSET) {
			throw new InvalidHandlerException("%s has maxAttempts = %s".formatted(this.handler, given),
					"Set a number of attempts, or 0 for no limit");
		}
		return (given != JobHandler.UNSET) ? given : null;
	}

	/**
	 * Return the duration of an attribute.
	 * @param attribute the name of the attribute
	 * @param given its text
	 * @param least the shortest duration
	 * @return the duration, {@code null} for an empty text
	 */
	@Nullable Duration duration(String attribute, String given, Duration least) {
		String text = resolve(attribute, given);
		return StringUtils.hasText(text) ? atLeast(least, attribute, text) : null;
	}

	/**
	 * Return the duration of an attribute.
	 * @param attribute the name of the attribute
	 * @param given its text
	 * @param most the longest duration
	 * @return the duration, {@code null} for an empty text
	 */
	@Nullable Duration durationUpTo(Duration most, String attribute, String given) {
		String text = resolve(attribute, given);
		Duration duration = StringUtils.hasText(text) ? parse(attribute, text) : null;
		if (duration != null && (duration.isNegative() || duration.compareTo(most) > 0)) {
			throw invalid(attribute, text, "Set a duration from 0ms to %sms".formatted(most.toMillis()));
		}
		return duration;
	}

	private @Nullable Backoff backoff(String[] given) {
		List<Duration> delays = Arrays.stream(given)
			.map((delay) -> atLeast(Duration.ZERO, "backoff", resolve("backoff", delay)))
			.toList();
		return delays.isEmpty() ? null : Backoff.list(delays);
	}

	private Duration atLeast(Duration least, String attribute, String text) {
		Duration duration = parse(attribute, text);
		if (duration.compareTo(least) < 0 || !StorableDuration.isStorable(duration)) {
			throw invalid(attribute, text, "Set a duration from %sms to 100 years".formatted(least.toMillis()));
		}
		return duration;
	}

	/**
	 * A number without a unit is rejected: it would mean milliseconds, which is rarely
	 * intended.
	 */
	private Duration parse(String attribute, String text) {
		if (text.isEmpty() || Character.isDigit(text.charAt(text.length() - 1))) {
			throw invalid(attribute, text, WITH_UNIT);
		}
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(attribute, text, WITH_UNIT);
		}
	}

	private InvalidHandlerException invalid(String attribute, String text, String action) {
		return new InvalidHandlerException("%s has %s = \"%s\"".formatted(this.handler, attribute, text), action);
	}

}
