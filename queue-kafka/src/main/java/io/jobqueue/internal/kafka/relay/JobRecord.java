package io.jobqueue.internal.kafka.relay;

import java.nio.charset.StandardCharsets;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.relay.RelayedJob;
import io.jobqueue.internal.store.ClaimedJob;

/**
 * The record of a job. Its value is the payload as it stands in the table.
 */
final class JobRecord {

	static final String ID = "jobqueue-id";

	static final String TYPE = "jobqueue-type";

	static final String ENQUEUED_AT = "jobqueue-enqueued-at";

	static final String ATTEMPT = "jobqueue-attempt";

	private JobRecord() {
	}

	/**
	 * Of several headers with the same name, consumers take the last one, so the job's
	 * own come first.
	 */
	static ProducerRecord<byte[], byte[]> of(RelayedJob relayed, String topic) {
		ClaimedJob job = relayed.job();
		ProducerRecord<byte[], byte[]> kafka = new ProducerRecord<>(topic, key(job), value(job.payload()));
		relayed.headers().forEach((name, value) -> add(kafka.headers(), name, value));
		add(kafka.headers(), ID, job.id().toString());
		add(kafka.headers(), TYPE, job.type());
		add(kafka.headers(), ENQUEUED_AT, job.createdAt().toString());
		add(kafka.headers(), ATTEMPT, Integer.toString(job.attempt()));
		return kafka;
	}

	/**
	 * Order is promised for ordering keys only; a unique key spreads the records.
	 */
	private static byte @Nullable [] key(ClaimedJob job) {
		String key = (job.orderingKey() != null) ? job.orderingKey() : job.key();
		return (key != null) ? key.getBytes(StandardCharsets.UTF_8) : null;
	}

	private static byte[] value(Encoded payload) {
		byte[] bytes = payload.bytes();
		return (bytes != null) ? bytes : String.valueOf(payload.text()).getBytes(StandardCharsets.UTF_8);
	}

	private static void add(Headers headers, String name, String value) {
		headers.add(name, value.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Return about how many bytes a job takes in the buffer of the producer.
	 */
	static long size(ClaimedJob job) {
		byte[] bytes = job.payload().bytes();
		return ((bytes != null) ? bytes.length : length(job.payload().text())) + length(job.headers());
	}

	private static long length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

}
