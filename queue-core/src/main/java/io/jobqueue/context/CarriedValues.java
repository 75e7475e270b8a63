package io.jobqueue.context;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.payload.Headers;

/**
 * The kinds of values that jobs carry in reserved headers.
 */
public enum CarriedValues {

	/**
	 * Entries of the MDC.
	 */
	MDC("mdc."),

	/**
	 * Values of thread locals.
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
	 * Return the values that the encoded headers of a job carry. If the headers cannot be
	 * read, as in rows that other programs wrote, there are none.
	 * @param headers the headers
	 * @param job the job as the log names it
	 * @return the values by their names
	 */
	public Map<String, String> of(@Nullable String headers, Object job) {
		try {
			return carried(Headers.decodeReserved(headers));
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
