package io.jobqueue.internal.payload;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.StdConvertingDeserializer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds the types of which the values of a type consist: itself, its elements and its
 * properties, and theirs. Values of a map may have any type that JSON has. What is read
 * with type information, or by a deserializer of the application, is not divided further.
 */
final class JacksonParts {

	private static final String JACKSON = "tools.jackson.";

	private final DeserializationContext context;

	private final Set<JavaType> seen = new HashSet<>();

	private final List<PayloadPart> parts;

	private JacksonParts(DeserializationContext context, List<PayloadPart> parts) {
		this.context = context;
		this.parts = parts;
	}

	/**
	 * Return the parts of a type.
	 * @param mapper a mapper with the module of {@link JacksonTypeCheck}
	 * @param type the type
	 * @return the parts, the type itself first
	 */
	static List<PayloadPart> of(JsonMapper mapper, JavaType type) {
		List<PayloadPart> parts = new ArrayList<>();
		JacksonTypeCheck.probe(mapper, (context) -> {
			new JacksonParts(context, parts).add(type, null);
			return null;
		});
		return parts;
	}

	private void add(JavaType type, @Nullable String property) {
		if (this.seen.add(type)) {
			ValueDeserializer<?> deserializer = deserializer(type);
			boolean restored = this.context.findTypeDeserializer(type) != null || isForeign(deserializer);
			this.parts.add(new PayloadPart(type, property, restored));
			if (!restored) {
				addParts(type, deserializer, property);
			}
		}
	}

	/**
	 * What cannot be read has no deserializer.
	 */
	private @Nullable ValueDeserializer<?> deserializer(JavaType type) {
		try {
			return this.context.findNonContextualValueDeserializer(type);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static boolean isForeign(@Nullable ValueDeserializer<?> deserializer) {
		return deserializer instanceof StdConvertingDeserializer
				|| (deserializer != null && !deserializer.getClass().getName().startsWith(JACKSON));
	}

	private void addParts(JavaType type, @Nullable ValueDeserializer<?> deserializer, @Nullable String property) {
		if (deserializer instanceof BeanDeserializerBase bean) {
			bean.creatorProperties().forEachRemaining((each) -> add(bean, each));
			bean.properties().forEachRemaining((each) -> add(bean, each));
		}
		else if (type.getContentType() != null) {
			addElement(type, type.getContentType(), property);
		}
		else if (!type.hasRawClass(Class.class)) {
			type.getBindings().getTypeParameters().forEach((each) -> addElement(type, each, property));
		}
	}

	private void addElement(JavaType type, JavaType element, @Nullable String property) {
		if (!type.isMapLikeType() || !element.isJavaLangObject()) {
			add(element, property);
		}
	}

	private void add(BeanDeserializerBase bean, SettableBeanProperty property) {
		boolean restored = property.getValueTypeDeserializer() != null || isForeign(property.getValueDeserializer())
				|| isTyped(property);
		if (!restored && JacksonTypeCheck.isStored(bean, property)) {
			add(property.getType(), "'%s' of %s".formatted(property.getName(), bean.handledType().getName()));
		}
	}

	private boolean isTyped(SettableBeanProperty property) {
		return property.getType().getContentType() != null
				&& this.context.findPropertyContentTypeDeserializer(property.getType(), property.getMember()) != null;
	}

}
