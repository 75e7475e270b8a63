package io.jobqueue.internal.dashboard.jobs;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The trace in which a job was enqueued.
 *
 * @param traceId its id
 * @param address its address in the tracing system, {@code null} if that is unknown
 */
public record TraceLink(String traceId, @Nullable String address) {

	private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}.*");

	private static final String PLACEHOLDER = "{traceId}";

	static @Nullable TraceLink of(Map<String, String> headers, @Nullable String template) {
		Matcher header = TRACEPARENT.matcher(headers.getOrDefault("traceparent", ""));
		return header.matches() ? new TraceLink(header.group(1),
				(template != null) ? template.replace(PLACEHOLDER, header.group(1)) : null) : null;
	}

}
