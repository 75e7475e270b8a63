package io.jobqueue.payload;

import java.lang.reflect.Type;
import java.util.Objects;

import tools.jackson.databind.json.JsonMapper;

import io.jobqueue.PayloadCodec;

/**
 * Stores payloads as JSON text. The class to decode to is the handler's alone: nothing
 * that is stored names one.
 */
public final class JacksonPayloadCodec implements PayloadCodec {

	private final JsonMapper jsonMapper;

	/**
	 * Create a codec.
	 * @param jsonMapper how payloads look
	 */
	public JacksonPayloadCodec(JsonMapper jsonMapper) {
		this.jsonMapper = jsonMapper;
	}

	@Override
	public Encoded encode(Object payload) {
		return Encoded.ofText(this.jsonMapper.writeValueAsString(payload));
	}

	@Override
	public Object decode(Encoded encoded, Type type) {
		String json = Objects.requireNonNull(encoded.text(), "The payload was not stored as text");
		Object payload = this.jsonMapper.readValue(json, this.jsonMapper.constructType(type));
		return Objects.requireNonNull(payload, "The payload is the JSON value null");
	}

}
