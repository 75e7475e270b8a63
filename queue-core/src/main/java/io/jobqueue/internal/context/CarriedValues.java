package io.jobqueue.internal.context;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.payload.Headers;

/**
 * The kinds of values that are stored in reserved headers of a job.
 */
public enum CarriedValues {

	/**
	 * Entries of the MDC.
	 */
	MDC("mdc."),

	/**
	 * Values of thread-local accessors.
	 */
	THREAD_LOCALS("context.");

	private static final Logger logger = LoggerFactory.getLogger(CarriedValues.class);

	private final String prefix;

	CarriedValues(String kind) {
		this.prefix = Headers.RESERVED + kind;
	}

	void addTo(Map<String, String> headers, Map<String, String> values) {
		values.forEach((key, value) -> headers.put(this.prefix + key, Headers.storable(value)));
	}

	/**
	 * Return the values in the encoded headers of a job. Headers that cannot be read,
	 * such as in rows of other programs, are logged and have no values.
	 * @param headers the encoded headers
	 * @param job the job, for the log
	 * @return the values by their names
	 */
	public Map<String, String> of(@Nullable String headers, Object job) {
		try {
			return (headers != null) ? carried(Headers.decodeReserved(headers)) : Map.of();
		}
		catch (RuntimeException ex) {
			logger.warn("Could not read the carried values of {}", job, ex);
			return Map.of();
		}
	}

	private Map<String, String> carried(Map<String, String> headers) {
		Map<String, String> values = new HashMap<>();
		headers.forEach((name, value) -> {
			if (name.startsWith(this.prefix)) {
				values.put(name.substring(this.prefix.length()), value);
			}
		});
		return values;
	}

}
