package io.jobqueue.internal.payload;

import java.io.Serializable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.module.SimpleModule;

import org.springframework.beans.BeanUtils;

/**
 * Detects types that Jackson can write but not read: properties of interfaces and
 * abstract classes without type information, and classes without a usable constructor. It
 * examines the deserializers with which payloads are read.
 */
final class JacksonTypeCheck {

	private final DeserializationContext context;

	/**
	 * Writes the values that are read, {@code null} if only reading is checked.
	 */
	private final @Nullable JsonMapper writer;

	private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

	/**
	 * Whether only properties without a type are looked for.
	 */
	private final boolean untyped;

	private JacksonTypeCheck(DeserializationContext context, @Nullable JsonMapper writer, boolean untyped) {
		this.context = context;
		this.writer = writer;
		this.untyped = untyped;
	}

	/**
	 * Return the module that a mapper needs for the check. Deserializers can be looked up
	 * only while a mapper reads a value, so the module adds a type to read.
	 */
	static JacksonModule module() {
		return new SimpleModule("jobQueueTypeCheck").addDeserializer(Probe.class, new ProbeDeserializer());
	}

	/**
	 * Return the reason why a type cannot be read.
	 * @param mapper a mapper with the {@link #module()}
	 * @param type the type
	 * @return the rest of a sentence, or {@code null} if the type may be readable
	 */
	static @Nullable String unreadable(JsonMapper mapper, JavaType type) {
		return probe(mapper, (context) -> new JacksonTypeCheck(context, null, false).reason(type));
	}

	/**
	 * Return the reason why a type cannot be read, or why what is read is not what was
	 * written.
	 * @param mapper a mapper with the {@link #module()}
	 * @param type the type
	 * @return the rest of a sentence, or {@code null} if values may come back as they are
	 */
	static @Nullable String lost(JsonMapper mapper, JavaType type) {
		return probe(mapper, (context) -> new JacksonTypeCheck(context, mapper, false).reason(type));
	}

	/**
	 * Return which property has a type that values do not keep their class in.
	 * @param mapper a mapper with the {@link #module()}
	 * @param type the type
	 * @return the beginning of a sentence, or {@code null} if there is none
	 */
	static @Nullable String untyped(JsonMapper mapper, JavaType type) {
		return probe(mapper, (context) -> new JacksonTypeCheck(context, null, true).reason(type));
	}

	/**
	 * Return what is found in a context in which deserializers can be looked up.
	 * @param mapper a mapper with the {@link #module()}
	 * @param check looks for something
	 * @return what it returns
	 */
	@SuppressWarnings("unchecked")
	static <T> @Nullable T probe(JsonMapper mapper, Function<DeserializationContext, @Nullable T> check) {
		return (T) mapper.readerFor(Probe.class)
			.without(DeserializationFeature.UNWRAP_ROOT_VALUE)
			.withAttribute(Probe.class, check)
			.<Probe>readValue("0")
			.found();
	}

	private @Nullable String reason(JavaType type) {
		if (this.context.getConfig().getProblemHandlers() != null) {
			return null;
		}
		try {
			ValueDeserializer<?> found = this.context.findNonContextualValueDeserializer(type);
			boolean unknown = found instanceof AbstractDeserializer && !this.untyped
					&& this.context.findTypeDeserializer(type) == null;
			return unknown ? described(type) + " has no type information" : reason(found);
		}
		catch (JacksonException ex) {
			return ex.getOriginalMessage();
		}
	}

	private @Nullable String reason(ValueDeserializer<?> deserializer) {
		if (!(deserializer instanceof BeanDeserializerBase bean) || !this.seen.add(bean)) {
			return null;
		}
		if (!bean.getValueInstantiator().canInstantiate()) {
			return "%s has neither a constructor for its properties nor one without parameters"
				.formatted(bean.handledType().getName());
		}
		String reason = (this.writer != null) ? JacksonLossCheck.reason(this.writer, this.context, bean) : null;
		reason = (reason != null) ? reason : reason(bean, bean.creatorProperties());
		return (reason != null) ? reason : reason(bean, bean.properties());
	}

	private @Nullable String reason(BeanDeserializerBase bean, Iterator<SettableBeanProperty> properties) {
		String reason = null;
		while (reason == null && properties.hasNext()) {
			SettableBeanProperty property = properties.next();
			if (isStored(bean, property)) {
				reason = reason(bean, property);
			}
		}
		return reason;
	}

	/**
	 * Whether a property is in the JSON of its class. One that has only a setter is never
	 * written.
	 */
	static boolean isStored(BeanDeserializerBase bean, SettableBeanProperty property) {
		return !property.isIgnorable() && property.getInjectableValueId() == null
				&& isWritten(bean.handledType(), property);
	}

	private static boolean isWritten(Class<?> type, SettableBeanProperty property) {
		if (!(property.getMember() instanceof AnnotatedMethod)) {
			return true;
		}
		var descriptor = BeanUtils.getPropertyDescriptor(type, property.getName());
		return descriptor != null && descriptor.getReadMethod() != null;
	}

	private @Nullable String reason(BeanDeserializerBase bean, SettableBeanProperty property) {
		ValueDeserializer<?> value = property.getValueDeserializer();
		TypeDeserializer typed = property.getValueTypeDeserializer();
		JavaType type = property.getType();
		if (typed == null && value instanceof ContainerDeserializerBase<?> container) {
			value = container.getContentDeserializer();
			type = type.getContentType();
			typed = (type != null)
					? this.context.findPropertyContentTypeDeserializer(property.getType(), property.getMember()) : null;
		}
		if (typed != null || value == null || type == null) {
			return null;
		}
		if (this.untyped && isUntyped(type) && !property.getType().isMapLikeType()) {
			return "'%s' of %s is of type %s".formatted(property.getName(), bean.handledType().getName(),
					type.getRawClass().getSimpleName());
		}
		return (value instanceof AbstractDeserializer && !this.untyped)
				? "'%s' of %s is %s".formatted(property.getName(), bean.handledType().getName(), described(type))
				: reason(value);
	}

	private static String described(JavaType type) {
		return "the %s %s".formatted(type.isInterface() ? "interface" : "abstract class", type.getRawClass().getName());
	}

	private static boolean isUntyped(JavaType type) {
		return type.isJavaLangObject() || type.hasRawClass(Serializable.class);
	}

	/**
	 * The value that is read to obtain a {@code DeserializationContext}.
	 *
	 * @param found what the check has found
	 */
	private record Probe(@Nullable Object found) {
	}

	private static final class ProbeDeserializer extends ValueDeserializer<Probe> {

		@Override
		@SuppressWarnings("unchecked")
		public Probe deserialize(JsonParser parser, DeserializationContext context) {
			return new Probe(((Function<DeserializationContext, @Nullable Object>) context.getAttribute(Probe.class))
				.apply(context));
		}

	}

}
