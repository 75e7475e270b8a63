package io.jobqueue.internal.kafka.record;

import java.nio.charset.StandardCharsets;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The headers of the record of a job.
 */
public final class JobHeaders {

	/**
	 * The id of the job, by which consumers deduplicate.
	 */
	public static final String ID = "jobqueue-id";

	/**
	 * The name of the type of the job.
	 */
	public static final String TYPE = "jobqueue-type";

	/**
	 * The time when the job was enqueued.
	 */
	public static final String ENQUEUED_AT = "jobqueue-enqueued-at";

	/**
	 * The number of the attempt, from 1.
	 */
	public static final String ATTEMPT = "jobqueue-attempt";

	/**
	 * Names what the codec of the queue has written, if that is {@link #BYTES}.
	 */
	public static final String PAYLOAD = "jobqueue-payload";

	/**
	 * The value of {@link #PAYLOAD} for bytes instead of text.
	 */
	public static final String BYTES = "bytes";

	private JobHeaders() {
	}

	/**
	 * Add a header.
	 * @param headers the headers of a record
	 * @param name the name of the header
	 * @param value its value
	 */
	public static void add(Headers headers, String name, String value) {
		headers.add(name, value.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Return the last header with a name.
	 * @param headers the headers of a record
	 * @param name the name
	 * @return its value, {@code null} if there is none
	 */
	public static @Nullable String last(Headers headers, String name) {
		Header last = headers.lastHeader(name);
		return (last != null && last.value() != null) ? new String(last.value(), StandardCharsets.UTF_8) : null;
	}

}
