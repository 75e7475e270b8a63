package io.jobqueue.internal.kafka.relay;

import java.nio.charset.StandardCharsets;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.kafka.record.JobHeaders;
import io.jobqueue.internal.relay.RelayedJob;
import io.jobqueue.internal.store.ClaimedJob;

/**
 * The record of a job. Its value is the payload as it stands in the table.
 */
final class JobRecord {

	private JobRecord() {
	}

	/**
	 * Of several headers with the same name, consumers take the last one, so the job's
	 * own come first.
	 */
	static ProducerRecord<byte[], byte[]> of(RelayedJob relayed, String topic) {
		ClaimedJob job = relayed.job();
		ProducerRecord<byte[], byte[]> kafka = new ProducerRecord<>(topic, key(job), value(job.payload()));
		relayed.headers().forEach((name, value) -> JobHeaders.add(kafka.headers(), name, value));
		JobHeaders.add(kafka.headers(), JobHeaders.ID, job.id().toString());
		JobHeaders.add(kafka.headers(), JobHeaders.TYPE, job.type());
		JobHeaders.add(kafka.headers(), JobHeaders.ENQUEUED_AT, job.createdAt().toString());
		JobHeaders.add(kafka.headers(), JobHeaders.ATTEMPT, Integer.toString(job.attempt()));
		if (job.payload().bytes() != null) {
			JobHeaders.add(kafka.headers(), JobHeaders.PAYLOAD, JobHeaders.BYTES);
		}
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
