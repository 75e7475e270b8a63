package io.jobqueue.internal.payload;

import java.lang.reflect.Type;

import org.springframework.core.ResolvableType;

import io.jobqueue.JobContext;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.UnreadablePayloadException;

/**
 * Reads payloads of one type.
 */
public final class PayloadReader {

	/**
	 * The remedy, in messages, for a class that cannot be read.
	 */
	public static final String READABLE = "Use records for it and its properties, or classes that Jackson can instantiate (a"
			+ " constructor without parameters, or one with @JsonCreator; nested classes must be"
			+ " static), annotate interfaces with @JsonTypeInfo, or exclude the property with @JsonIgnore";

	/**
	 * The stored payload of a job without one, whatever the codec of its queue.
	 */
	public static final Encoded NONE = Encoded.ofText("null");

	private final PayloadCodec codec;

	private final Type type;

	private final Class<?> payloadClass;

	/**
	 * Create a reader.
	 * @param codec the codec that decodes payloads
	 * @param type the type to decode to
	 */
	public PayloadReader(PayloadCodec codec, Type type) {
		this.codec = codec;
		this.type = type;
		this.payloadClass = ResolvableType.forType(type).toClass();
	}

	/**
	 * Read the payload of a job.
	 * @param payload the encoded payload
	 * @param job the job
	 * @return the payload
	 * @throws UnreadablePayloadException if the payload cannot be decoded to the type
	 */
	public Object read(Encoded payload, JobContext job) {
		try {
			return this.payloadClass.cast(this.codec.decode(payload, this.type));
		}
		catch (RuntimeException | StackOverflowError ex) {
			String reason = (ex instanceof JsonFailureException failure) ? failure.reason() : "";
			throw new UnreadablePayloadException(job.type(), reason, ex);
		}
	}

}
