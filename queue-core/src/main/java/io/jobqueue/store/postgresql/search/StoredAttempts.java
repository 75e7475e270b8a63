package io.jobqueue.store.postgresql.search;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.jobqueue.JobDetails.Attempt;

/**
 * Reads the history of a job.
 */
final class StoredAttempts {

	private static final JsonMapper JSON = new JsonMapper();

	/**
	 * Nodes of a later version may store others.
	 */
	private static final Set<String> OUTCOMES = Stream.of(Attempt.Outcome.values())
		.map(Enum::name)
		.collect(Collectors.toUnmodifiableSet());

	private StoredAttempts() {
	}

	static List<Attempt> read(@Nullable String history) {
		return (history != null) ? JSON.readTree(history)
			.valueStream()
			.filter((stored) -> OUTCOMES.contains(outcome(stored)))
			.map(StoredAttempts::attempt)
			.toList() : List.of();
	}

	private static String outcome(JsonNode stored) {
		return stored.path("outcome").asString().toUpperCase(Locale.ROOT);
	}

	private static Attempt attempt(JsonNode stored) {
		JsonNode began = stored.path("began");
		return new Attempt(stored.path("attempt").asInt(), began.isMissingNode() ? null : instant(began),
				instant(stored.path("ended")), stored.path("worker").asString(),
				Attempt.Outcome.valueOf(outcome(stored)), stored.path("error").asString(null));
	}

	private static Instant instant(JsonNode time) {
		return OffsetDateTime.parse(time.asString()).toInstant();
	}

}
