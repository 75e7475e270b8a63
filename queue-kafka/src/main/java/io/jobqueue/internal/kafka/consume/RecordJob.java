package io.jobqueue.internal.kafka.consume;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import io.jobqueue.OnDuplicate;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.kafka.record.JobHeaders;
import io.jobqueue.internal.outbox.EncodedRequest;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.payload.PayloadReader;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;

/**
 * The job of a record. That of a tombstone has no payload.
 *
 * @param topic the settings of the topic
 * @param cluster the id of the cluster
 * @param message the record
 * @param group the name of the group that the job is counted in, {@code null} for none
 */
record RecordJob(ConsumedTopic topic, String cluster, ConsumerRecord<byte[], byte[]> message, @Nullable String group) {

	/**
	 * The type of records without a type, and of those that cannot be stored otherwise.
	 */
	static final String UNKNOWN = "unknown-record";

	private static final String POSITION = "kafka-position";

	private static final int MAX_KEY = 800;

	/**
	 * Return the request for the job.
	 */
	EncodedRequest request() {
		String type = type();
		return (type != null) ? request(type, payload(), headers(), orderingKey(), null) : unknown(payload());
	}

	/**
	 * Return the type of the job, {@code null} if neither the record nor the settings
	 * name one.
	 */
	@Nullable String type() {
		String own = JobHeaders.last(this.message.headers(), JobHeaders.TYPE);
		return (own != null) ? own : this.topic.type();
	}

	/**
	 * Return the request for a job that can be stored unless its headers cannot be or it
	 * is too large, and that a handler fails.
	 */
	EncodedRequest unknown() {
		byte[] value = this.message.value();
		return unknown((value != null) ? Encoded.ofBytes(value) : PayloadReader.NONE);
	}

	private EncodedRequest unknown(Encoded payload) {
		return request(UNKNOWN, payload, headers(), null, 1);
	}

	/**
	 * Return the request for a job that can always be stored, without the value and the
	 * headers of the record.
	 */
	EncodedRequest bare() {
		return request(UNKNOWN, Encoded.ofBytes(new byte[0]), Map.of(POSITION, position()), null, 1);
	}

	private EncodedRequest request(String type, Encoded payload, Map<String, String> headers,
			@Nullable String orderingKey, @Nullable Integer maxAttempts) {
		UniqueKey key = new UniqueKey(id().toString(), OnDuplicate.KEEP, this.topic.dedupeFor());
		return new EncodedRequest(this.topic.queue(), type, payload, headers, key, orderingKey, this.group,
				maxAttempts);
	}

	/**
	 * Return the id of the job that was relayed, else one that the record has at each
	 * delivery.
	 */
	UUID id() {
		String id = JobHeaders.last(this.message.headers(), JobHeaders.ID);
		try {
			return (id != null) ? UUID.fromString(id) : idOfPosition();
		}
		catch (IllegalArgumentException ex) {
			return idOfPosition();
		}
	}

	/**
	 * A topic that was created again has other records at the same positions.
	 */
	private UUID idOfPosition() {
		String name = this.cluster + "/" + position() + "/" + this.message.timestamp();
		return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Not formatted: some locales have digits of their own.
	 */
	String position() {
		return this.message.topic() + "-" + this.message.partition() + "@" + this.message.offset();
	}

	/**
	 * Return the headers of the record. Characters that cannot be stored are replaced,
	 * and names of the queue's own headers are left out.
	 */
	private Map<String, String> headers() {
		Map<String, String> headers = new LinkedHashMap<>();
		this.message.headers().forEach((header) -> {
			if (header.value() != null) {
				Headers.carry(headers, header.key(), new String(header.value(), StandardCharsets.UTF_8));
			}
		});
		headers.put(POSITION, position());
		return headers;
	}

	/**
	 * The codec of the queue reads what it would have written: bytes, if the record or
	 * the settings say so, else text.
	 */
	private Encoded payload() {
		byte[] value = this.message.value();
		if (value == null) {
			return PayloadReader.NONE;
		}
		boolean bytes = this.topic.binary()
				|| JobHeaders.BYTES.equals(JobHeaders.last(this.message.headers(), JobHeaders.PAYLOAD));
		String text = bytes ? null : text(value);
		return (text != null) ? Encoded.ofText(text) : Encoded.ofBytes(value);
	}

	/**
	 * Return the key of the record, or its hash if it cannot be stored. A share group
	 * keeps no order.
	 */
	private @Nullable String orderingKey() {
		byte[] key = this.message.key();
		if (key == null || key.length == 0 || this.topic.isShared()) {
			return null;
		}
		String text = text(key);
		return (text != null && text.length() <= MAX_KEY) ? text : "sha256:" + hash(key);
	}

	private static @Nullable String text(byte[] bytes) {
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			return (text.indexOf('\0') < 0) ? text : null;
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	private static String hash(byte[] key) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
