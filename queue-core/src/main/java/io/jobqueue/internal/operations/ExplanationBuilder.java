package io.jobqueue.internal.operations;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Explanation;
import io.jobqueue.Explanation.Reason;
import io.jobqueue.internal.logging.LogText;

/**
 * Builds an explanation. Names in texts are escaped: other applications choose them.
 */
final class ExplanationBuilder {

	private static final int MAX_ERROR = 500;

	private final Reason reason;

	private final String sentence;

	private String remedy = "";

	private List<UUID> jobs = List.of();

	private @Nullable UUID batch;

	private List<String> workers = List.of();

	private @Nullable String nearest;

	private @Nullable Instant since;

	private @Nullable Instant until;

	private @Nullable String error;

	private ExplanationBuilder(Reason reason, String sentence) {
		this.reason = reason;
		this.sentence = sentence;
	}

	/**
	 * @param arguments names and values for the placeholders of the sentence
	 */
	static ExplanationBuilder of(Reason reason, String sentence, Object... arguments) {
		return new ExplanationBuilder(reason, formatted(sentence, arguments));
	}

	ExplanationBuilder remedy(String remedy, Object... arguments) {
		this.remedy = formatted(remedy, arguments);
		return this;
	}

	ExplanationBuilder jobs(List<UUID> jobs) {
		this.jobs = jobs;
		return this;
	}

	ExplanationBuilder batch(@Nullable UUID batch) {
		this.batch = batch;
		return this;
	}

	ExplanationBuilder workers(List<String> workers) {
		this.workers = workers;
		return this;
	}

	ExplanationBuilder nearest(@Nullable String nearest) {
		this.nearest = nearest;
		return this;
	}

	ExplanationBuilder since(@Nullable Instant since) {
		this.since = since;
		return this;
	}

	ExplanationBuilder until(@Nullable Instant until) {
		this.until = until;
		return this;
	}

	ExplanationBuilder error(@Nullable String error) {
		this.error = (error != null) ? firstLine(error) : null;
		return this;
	}

	Explanation build(UUID job) {
		return new Explanation(job, this.reason, this.sentence, this.remedy, this.jobs, this.batch, this.workers,
				this.nearest, this.since, this.until, this.error);
	}

	private static String formatted(String text, Object... arguments) {
		Object[] escaped = new Object[arguments.length];
		for (int index = 0; index < arguments.length; index++) {
			escaped[index] = (arguments[index] instanceof Instant time) ? text(time)
					: LogText.escaped(arguments[index]);
		}
		return text.formatted(escaped);
	}

	static String text(Instant time) {
		return time.truncatedTo(ChronoUnit.SECONDS).toString();
	}

	/**
	 * A cut never leaves half of a surrogate pair, which JSON cannot represent.
	 */
	private static String firstLine(String error) {
		String line = error.lines().findFirst().orElse("");
		if (line.length() <= MAX_ERROR) {
			return line;
		}
		return line.substring(0, Character.isHighSurrogate(line.charAt(MAX_ERROR - 1)) ? MAX_ERROR - 1 : MAX_ERROR);
	}

}
