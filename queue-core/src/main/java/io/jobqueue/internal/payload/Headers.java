package io.jobqueue.internal.payload;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Encodes and decodes the headers of a job, which are stored as a JSON object, or as
 * {@code NULL} if there are none. Headers of the job queue itself have the prefix
 * {@link #RESERVED}; all others belong to the application.
 */
public final class Headers {

	/**
	 * The prefix of the names of the job queue's own headers.
	 */
	public static final String RESERVED = "jobqueue.";

	private static final String SCHEDULED_AT = RESERVED + "scheduled-at";

	private static final String WORKFLOW = RESERVED + "workflow";

	/**
	 * The headers and captured values that name the trace of a request.
	 */
	private static final Pattern TRACE = Pattern.compile(
			"traceparent|tracestate|baggage|b3|x-b3-.+|(jobqueue\\.(mdc|context)\\.)?(trace|span)_?id",
			Pattern.CASE_INSENSITIVE);

	private static final JsonMapper JSON = new JsonMapper();

	private static final ObjectReader READER = JSON.readerForMapOf(String.class);

	private Headers() {
	}

	/**
	 * Encode headers.
	 * @param headers the headers
	 * @return the JSON object, {@code null} if there are no headers
	 */
	public static @Nullable String encode(Map<String, String> headers) {
		return headers.isEmpty() ? null : JSON.writeValueAsString(headers);
	}

	/**
	 * Decode the headers of the application.
	 * @param stored the stored headers
	 * @return an unmodifiable map
	 */
	public static Map<String, String> decode(@Nullable String stored) {
		return (stored != null) ? those(stored, (name) -> !name.startsWith(RESERVED)) : Map.of();
	}

	/**
	 * Decode the headers of the job queue itself.
	 * @param stored the stored headers
	 * @return an unmodifiable map
	 */
	public static Map<String, String> decodeReserved(@Nullable String stored) {
		return (stored != null && stored.contains(RESERVED)) ? those(stored, (name) -> name.startsWith(RESERVED))
				: Map.of();
	}

	/**
	 * Remove what names the trace of a request, which is not that of later jobs.
	 * @param headers the headers
	 * @return the other ones
	 */
	public static Map<String, String> withoutTrace(Map<String, String> headers) {
		Map<String, String> others = new LinkedHashMap<>(headers);
		others.keySet().removeIf((name) -> TRACE.matcher(name).matches());
		return others;
	}

	/**
	 * Add the tick of a schedule to the headers of its job.
	 * @param stored the stored headers of the schedule
	 * @param tick the time of the tick
	 * @return the headers to store
	 */
	public static String withScheduledAt(@Nullable String stored, Instant tick) {
		return with(stored, SCHEDULED_AT, tick.toString());
	}

	private static String with(@Nullable String stored, String name, String value) {
		Map<String, String> headers = new LinkedHashMap<>();
		if (stored != null) {
			headers.putAll(READER.<Map<String, String>>readValue(stored));
		}
		headers.put(name, value);
		return JSON.writeValueAsString(headers);
	}

	/**
	 * Return the tick of the schedule that enqueued a job.
	 * @param stored the stored headers of the job
	 * @return the time of the tick, {@code null} for a job that no schedule has enqueued
	 */
	public static @Nullable Instant scheduledAt(@Nullable String stored) {
		String tick = decodeReserved(stored).get(SCHEDULED_AT);
		return (tick != null) ? Instant.parse(tick) : null;
	}

	/**
	 * Add the instance of a workflow to the headers of the job of a step.
	 * @param stored the stored headers of the job
	 * @param workflow the id of the instance
	 * @return the headers to store
	 */
	public static String withWorkflow(@Nullable String stored, UUID workflow) {
		return with(stored, WORKFLOW, workflow.toString());
	}

	/**
	 * Return the instance of a workflow of which a job is a step.
	 * @param stored the stored headers of the job
	 * @return the id of the instance, {@code null} if the job is no step
	 */
	public static @Nullable UUID workflow(@Nullable String stored) {
		String workflow = decodeReserved(stored).get(WORKFLOW);
		return (workflow != null) ? UUID.fromString(workflow) : null;
	}

	/**
	 * Add a header with captured context, which must not make the job invalid: characters
	 * that cannot be stored are replaced, and a reserved name is ignored.
	 * @param headers the headers to add to, {@code null} to ignore the header
	 * @param name the name of the header
	 * @param value the value of the header
	 */
	public static void carry(@Nullable Map<String, String> headers, String name, String value) {
		if (headers != null && !name.startsWith(RESERVED)) {
			headers.put(storable(name), storable(value));
		}
	}

	/**
	 * Replace the characters that PostgreSQL does not store: NUL and unpaired surrogates.
	 * @param text the text
	 * @return the text with replacement characters
	 */
	public static String storable(String text) {
		String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
		return whole.replace('\0', '\uFFFD');
	}

	private static Map<String, String> those(String stored, Predicate<String> names) {
		return READER.<Map<String, String>>readValue(stored)
			.entrySet()
			.stream()
			.filter((header) -> names.test(header.getKey()))
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
	}

}
