package io.jobqueue.internal.kafka.consume;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The position up to which records may have begun, in the metadata of the acknowledged
 * offset. Both are equal after an owner has left in order.
 */
final class PolledUpTo {

	private static final Pattern METADATA = Pattern.compile("jobqueue:(\\d{1,18})");

	private PolledUpTo() {
	}

	static OffsetAndMetadata write(long acknowledged, long polled) {
		return new OffsetAndMetadata(acknowledged, "jobqueue:" + polled);
	}

	/**
	 * Return the position, 0 if there is none.
	 */
	static long read(@Nullable OffsetAndMetadata committed) {
		Matcher metadata = METADATA.matcher((committed != null) ? committed.metadata() : "");
		return metadata.matches() ? Long.parseLong(metadata.group(1)) : 0;
	}

}
