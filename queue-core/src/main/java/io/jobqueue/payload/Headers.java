package io.jobqueue.payload;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The headers of a job as they are stored: a JSON object, or nothing. Those of the
 * application and those of the queue, which have names of a kind of their own.
 */
public final class Headers {

	/**
	 * What the names of the queue's own headers begin with.
	 */
	public static final String RESERVED = "jobqueue.";

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
	 * Decode the headers of the application.
	 * @param stored what was stored
	 * @return an unmodifiable map
	 */
	public static Map<String, String> decode(@Nullable String stored) {
		return (stored != null) ? those(stored, (name) -> !name.startsWith(RESERVED)) : Map.of();
	}

	/**
	 * Decode the headers of the queue itself.
	 * @param stored what was stored
	 * @return an unmodifiable map
	 */
	public static Map<String, String> decodeReserved(@Nullable String stored) {
		return (stored != null && stored.contains(RESERVED)) ? those(stored, (name) -> name.startsWith(RESERVED))
				: Map.of();
	}

	/**
	 * Add a header that comes along with a job, and must not have it refused: what no
	 * database stores is replaced, and a name of the queue's own is passed over.
	 * @param headers the headers so far
	 * @param name the name of the header
	 * @param value its value
	 */
	public static void carry(@Nullable Map<String, String> headers, String name, String value) {
		if (headers != null && !name.startsWith(RESERVED)) {
			headers.put(storable(name), storable(value));
		}
	}

	/**
	 * Replace what no database stores.
	 * @param text some text
	 * @return that text, or one like it
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
