package io.jobqueue.internal.payload;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import io.jobqueue.PayloadCodec;

/**
 * Encodes payloads as JSON text. Payloads are decoded only to the class that the handler
 * declares: stored payloads name no class.
 */
public final class JacksonPayloadCodec implements PayloadCodec {

	private final JsonMapper jsonMapper;

	private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

	/**
	 * The classes of payloads that were written before.
	 */
	private final Set<Class<?>> known = ConcurrentHashMap.newKeySet();

	/**
	 * Create a codec with the mapper of payloads, which no application has changed.
	 */
	public JacksonPayloadCodec() {
		this(PayloadMapper.builder().build());
	}

	/**
	 * Create a codec.
	 * @param jsonMapper the mapper to copy, without its default typing, with which stored
	 * payloads could name classes, and without failures on unknown properties, which
	 * newer nodes may store
	 */
	public JacksonPayloadCodec(JsonMapper jsonMapper) {
		this.jsonMapper = jsonMapper.rebuild()
			.deactivateDefaultTyping()
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			.addModule(JacksonTypeCheck.module())
			.build();
	}

	/**
	 * Return the mapper that writes and reads payloads.
	 * @return the mapper
	 */
	public JsonMapper mapper() {
		return this.jsonMapper;
	}

	@Override
	public Encoded encode(Object payload) {
		try {
			String json = this.jsonMapper.writeValueAsString(payload);
			if (json.length() > StreamReadConstraints.DEFAULT_MAX_NUM_LEN) {
				requireReadable(json);
			}
			if (!this.known.contains(payload.getClass())) {
				requireLossless(json, JobTypes.payloadClass(payload));
				this.known.add(payload.getClass());
			}
			return Encoded.ofText(json);
		}
		catch (JacksonException ex) {
			throw JsonFailureException.writing(ex);
		}
	}

	/**
	 * Jackson can write numbers and names that exceed its limits for reading.
	 */
	private void requireReadable(String json) {
		try (JsonParser parser = this.jsonMapper.createParser(json)) {
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				if (token.isNumeric()) {
					parser.getNumberValue();
				}
			}
		}
	}

	/**
	 * The arguments of generic classes are unknown here, and handlers may take payloads
	 * without a class of their own as another class.
	 */
	private void requireLossless(String json, Class<?> type) {
		if (type.getTypeParameters().length > 0 || !JobTypes.namesItself(type)) {
			return;
		}
		String reason = JacksonTypeCheck.lost(this.jsonMapper, this.jsonMapper.constructType(type));
		if (reason != null) {
			throw JsonFailureException.losing(reason);
		}
		try {
			read(json, type);
		}
		catch (JsonFailureException ex) {
			throw JsonFailureException.unreadable(ex);
		}
	}

	@Override
	public @Nullable String unreadable(Type type) {
		return JacksonTypeCheck.unreadable(this.jsonMapper, this.jsonMapper.constructType(type));
	}

	/**
	 * Return why values of a type are not read, or not as they were written.
	 * @param type the type
	 * @return the rest of a sentence, or {@code null} if values may come back as they are
	 */
	public @Nullable String lost(Type type) {
		return JacksonTypeCheck.lost(this.jsonMapper, this.jsonMapper.constructType(type));
	}

	/**
	 * Return the types of which the values of a type consist.
	 * @param type the type
	 * @return the type itself, those of its elements and properties, and theirs
	 */
	public List<PayloadPart> parts(JavaType type) {
		return JacksonParts.of(this.jsonMapper, type);
	}

	/**
	 * Return which property of a type holds values that do not keep their class.
	 * @param type the type of the handler's parameter
	 * @return the beginning of a sentence, or {@code null} if there is none
	 */
	public @Nullable String untyped(Type type) {
		return JacksonTypeCheck.untyped(this.jsonMapper, this.jsonMapper.constructType(type));
	}

	@Override
	public Object decode(Encoded encoded, Type type) {
		String json = Objects.requireNonNull(encoded.text(), "The payload was not stored as text");
		return Objects.requireNonNull(read(json, type), "The payload is the JSON value null");
	}

	/**
	 * The reader is created without a lock, as that may create beans. The arguments of a
	 * method are read from a tree, in which decimals must keep their digits.
	 */
	private ObjectReader reader(Type type) {
		ObjectReader known = this.readers.get(type);
		if (known == null) {
			known = this.jsonMapper.readerFor(this.jsonMapper.constructType(type));
			known = (type == ObjectNode.class) ? known.with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS) : known;
			this.readers.put(type, known);
		}
		return known;
	}

	private Object read(String json, Type type) {
		try {
			return reader(type).readValue(json);
		}
		catch (JacksonException ex) {
			throw JsonFailureException.reading(ex);
		}
	}

}
