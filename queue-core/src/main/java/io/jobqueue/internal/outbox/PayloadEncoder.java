package io.jobqueue.internal.outbox;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.validation.Validator;

import io.jobqueue.JobRejectedException;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.JsonFailureException;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.payload.PayloadReader;
import io.jobqueue.internal.store.DatabaseEncoding;
import io.jobqueue.internal.store.StorableText;

/**
 * Validates and encodes payloads, and rejects those that cannot be stored or read again,
 * and other text that cannot be stored.
 */
public final class PayloadEncoder {

	private static final String PAYLOAD = "payload";

	private final PayloadCodecs codecs;

	private final @Nullable Validator validator;

	private final long maxSize;

	private final DatabaseEncoding encoding;

	private final Set<Class<?>> readable = ConcurrentHashMap.newKeySet();

	/**
	 * Create an encoder.
	 * @param codecs the codecs of the queues
	 * @param validator validates payloads before they are encoded, {@code null} for no
	 * validation
	 * @param maxSize the maximum size of an encoded payload together with its headers, in
	 * bytes
	 * @param encoding the encoding of the database
	 */
	public PayloadEncoder(PayloadCodecs codecs, @Nullable Validator validator, long maxSize,
			DatabaseEncoding encoding) {
		this.codecs = codecs;
		this.validator = validator;
		this.maxSize = maxSize;
		this.encoding = encoding;
	}

	/**
	 * Reject text that the database cannot store: the character NUL, unpaired surrogates,
	 * and characters that its encoding lacks.
	 */
	void requireStorable(String property, String text) {
		if (text.indexOf('\0') >= 0) {
			throw new JobRejectedException(property, "contains the character NUL, which databases cannot store");
		}
		if (!StorableText.isStorable(text)) {
			throw new JobRejectedException(property, "contains an unpaired surrogate");
		}
		requireEncodable(property, text);
	}

	void requireEncodable(String property, String text) {
		String refusal = this.encoding.refusal(text);
		if (refusal != null) {
			throw new JobRejectedException(property, refusal);
		}
	}

	/**
	 * Replace the characters that the encoding of the database lacks.
	 */
	@Nullable String storable(@Nullable String text) {
		return (text != null) ? this.encoding.replaced(text) : null;
	}

	/**
	 * Encode a payload.
	 * @param headers the encoded headers of the job, which count towards the maximum size
	 * @throws JobRejectedException if the payload is invalid, too large, or cannot be
	 * encoded, stored or read again
	 */
	Encoded encode(Object payload, @Nullable String headers, String queue, String type) {
		validate(payload, type);
		PayloadCodec codec = this.codecs.of(queue);
		refuseUnreadable(codec, JobTypes.payloadClass(payload), type);
		Encoded encoded = encode(codec, payload, type);
		if (encoded.text() != null) {
			requireStorable(PAYLOAD, encoded.text());
		}
		requireSize(encoded, headers, type);
		return encoded;
	}

	/**
	 * Reject a payload that is too large.
	 */
	void requireSize(Encoded encoded, @Nullable String headers, String type) {
		if (largest(encoded.text()) + size(encoded.bytes()) + largest(headers) > this.maxSize) {
			checkSize(size(encoded.text()) + size(encoded.bytes()), size(headers), type);
		}
	}

	/**
	 * A character takes at most 3 bytes. Most payloads are so short that their exact size
	 * is not needed.
	 */
	private static long largest(@Nullable String text) {
		return (text != null) ? 3L * text.length() : 0;
	}

	private void checkSize(long payload, long headers, String type) {
		if (payload > this.maxSize) {
			throw new JobRejectedException(PAYLOAD,
					"of type %s has %s bytes, more than the %s that jobqueue.producer.max-payload-size allows"
						.formatted(type, payload, this.maxSize));
		}
		if (payload + headers > this.maxSize) {
			throw new JobRejectedException("headers",
					"of a job of type %s have %s bytes, and its payload has %s: together more than the %s that jobqueue.producer.max-payload-size allows"
						.formatted(type, headers, payload, this.maxSize));
		}
	}

	private void validate(Object payload, String type) {
		if (this.validator == null || !this.validator.supports(payload.getClass())) {
			return;
		}
		Errors errors = this.validator.validateObject(payload);
		if (errors.hasErrors()) {
			throw new JobRejectedException(PAYLOAD, "of type %s is invalid: %s".formatted(type, reasons(errors)));
		}
	}

	/**
	 * Return the reasons without the rejected values, which may be confidential.
	 */
	private static String reasons(Errors errors) {
		return errors.getAllErrors().stream().map(PayloadEncoder::reason).collect(Collectors.joining(", "));
	}

	private static String reason(ObjectError error) {
		String message = String.valueOf(error.getDefaultMessage());
		return (error instanceof FieldError field) ? field.getField() + " " + message : message;
	}

	/**
	 * Generic classes are not checked, as their type arguments are unknown here. They are
	 * checked with their handlers.
	 */
	private void refuseUnreadable(PayloadCodec codec, Class<?> payloadClass, String type) {
		if (payloadClass.getTypeParameters().length > 0 || this.readable.contains(payloadClass)) {
			return;
		}
		String reason = codec.unreadable(payloadClass);
		if (reason != null) {
			throw new JobRejectedException(PAYLOAD, "of type %s can be serialized but not deserialized: %s. %s"
				.formatted(type, reason, PayloadReader.READABLE));
		}
		this.readable.add(payloadClass);
	}

	private static Encoded encode(PayloadCodec codec, Object payload, String type) {
		try {
			return codec.encode(payload);
		}
		catch (RuntimeException | StackOverflowError ex) {
			String reason = (ex instanceof JsonFailureException failure) ? ": " + failure.reason() : "";
			throw new JobRejectedException(PAYLOAD, "of type %s cannot be serialized%s".formatted(type, reason), ex);
		}
	}

	private static long size(@Nullable String text) {
		return (text != null) ? text.getBytes(StandardCharsets.UTF_8).length : 0;
	}

	private static long size(byte @Nullable [] bytes) {
		return (bytes != null) ? bytes.length : 0;
	}

}
