package io.jobqueue.payload;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The headers of a job as they are stored: a JSON object, or nothing.
 */
public final class Headers {

	private static final JsonMapper JSON = new JsonMapper();

	private static final ObjectReader READER = JSON.readerForMapOf(String.class);

	private Headers() {
	}

	/**
	 * Encode headers.
	 * @param headers the headers
	 * @return what to store
	 */
	public static @Nullable String encode(Map<String, String> headers) {
		return headers.isEmpty() ? null : JSON.writeValueAsString(headers);
	}

	/**
	 * Decode headers.
	 * @param stored what was stored
	 * @return an unmodifiable map
	 */
	public static Map<String, String> decode(@Nullable String stored) {
		return (stored != null) ? Map.copyOf(READER.<Map<String, String>>readValue(stored)) : Map.of();
	}

}
