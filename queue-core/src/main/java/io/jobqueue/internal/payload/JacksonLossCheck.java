package io.jobqueue.internal.payload;

import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.bean.BuilderBasedDeserializer;
import tools.jackson.databind.deser.impl.ObjectIdReader;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;

/**
 * Detects the properties of a class whose values Jackson loses without an error. A
 * property that {@code @JsonIgnore} or {@code @JsonIgnoreProperties} leaves out is not
 * lost, nor is one without a field, which the class derives from others.
 */
final class JacksonLossCheck {

	private final BeanDeserializerBase bean;

	private final BeanDescription description;

	private final Set<String> written;

	private final Set<String> ignored;

	/**
	 * Without those of superclasses of the JDK, whose properties have names of their own.
	 */
	private final List<AnnotatedField> fields;

	private JacksonLossCheck(BeanDeserializerBase bean, DeserializationContext context, Set<String> written) {
		this.bean = bean;
		this.description = context.introspectBeanDescription(bean.getValueType());
		this.written = written;
		this.ignored = ignored(context);
		this.fields = StreamSupport.stream(this.description.getClassInfo().fields().spliterator(), false)
			.filter((field) -> !field.isTransient() && (!isOfJdk(field) || !bean.properties().hasNext()))
			.filter((field) -> !context.getAnnotationIntrospector().hasIgnoreMarker(context.getConfig(), field))
			.toList();
	}

	/**
	 * Jackson itself restores references to parents, and ids of objects.
	 */
	private Set<String> ignored(DeserializationContext context) {
		Set<String> names = new HashSet<>(context.getConfig()
			.getDefaultPropertyIgnorals(this.bean.handledType(), this.description.getClassInfo())
			.getIgnored());
		List<BeanPropertyDefinition> parents = this.description.findBackReferences();
		if (parents != null) {
			parents.forEach((property) -> names.add(property.getName()));
		}
		ObjectIdReader id = this.bean.getObjectIdReader(context);
		if (id != null) {
			names.add(id.propertyName.getSimpleName());
		}
		return names;
	}

	/**
	 * Return which property of a class is lost.
	 * @param mapper the mapper that writes the class
	 * @param context the context in which it is read
	 * @param bean the deserializer of the class
	 * @return the rest of a sentence, {@code null} if none is known
	 */
	static @Nullable String reason(JsonMapper mapper, DeserializationContext context, BeanDeserializerBase bean) {
		Written written = new Written();
		mapper.acceptJsonFormatVisitor(bean.getValueType(), written);
		if (!written.hasProperties || bean instanceof BuilderBasedDeserializer
				|| bean.getValueInstantiator().canCreateUsingDelegate()) {
			return null;
		}
		return new JacksonLossCheck(bean, context, written.names).reason();
	}

	private @Nullable String reason() {
		return Stream
			.of(reasons("is read, but not written", unwritten()), reasons("is written, but not read", unread()),
					reasons("is neither written nor read", hidden()))
			.flatMap((reasons) -> reasons)
			.findFirst()
			.orElse(null);
	}

	private Stream<String> reasons(String reason, Stream<String> names) {
		return names.map((name) -> "'%s' of %s %s".formatted(name, this.bean.handledType().getName(), reason));
	}

	private Stream<String> unwritten() {
		Iterable<SettableBeanProperty> read = this.bean::properties;
		return StreamSupport.stream(read.spliterator(), false)
			.filter((property) -> !property.isIgnorable() && property.getInjectableValueId() == null)
			.map(SettableBeanProperty::getName)
			.filter((name) -> !this.written.contains(name) && !this.ignored.contains(name));
	}

	private Stream<String> unread() {
		return this.description.findProperties()
			.stream()
			.filter((property) -> this.written.contains(property.getName())
					&& !this.bean.hasProperty(property.getName()) && !this.ignored.contains(property.getName()))
			.filter((property) -> this.fields.stream().anyMatch((field) -> isOf(field, property) && varies(field)))
			.map(BeanPropertyDefinition::getName);
	}

	/**
	 * Jackson calls a property with read-only access ignored, although it writes it. A
	 * final field that is no parameter of the constructor is derived from those that are.
	 * Without such a constructor it is constant, unless it is filled later, or by another
	 * constructor.
	 */
	private boolean varies(AnnotatedField field) {
		return isIgnored(field) || (!isConstructed() && (!isFinal(field) || field.getType().isContainerType()
				|| this.bean.handledType().getDeclaredConstructors().length > 1));
	}

	private Stream<String> hidden() {
		return this.fields.stream()
			.filter((field) -> !isConstructed() && this.description.findAnyGetter() == null)
			.filter((field) -> !isFinal(field) && !isIgnored(field))
			.filter((field) -> this.description.findProperties().stream().noneMatch((each) -> isOf(field, each)))
			.map(AnnotatedField::getName);
	}

	private static boolean isOfJdk(AnnotatedField field) {
		return field.getDeclaringClass().getName().startsWith("java.");
	}

	private boolean isConstructed() {
		return this.bean.creatorProperties().hasNext();
	}

	private static boolean isFinal(AnnotatedField field) {
		return Modifier.isFinal(field.getModifiers());
	}

	private boolean isIgnored(AnnotatedField field) {
		return Stream.concat(this.description.getIgnoredPropertyNames().stream(), this.ignored.stream())
			.anyMatch((name) -> isOf(field, name));
	}

	private static boolean isOf(AnnotatedField field, BeanPropertyDefinition property) {
		return isOf(field, property.getName()) || isOf(field, property.getInternalName());
	}

	/**
	 * Fields may have prefixes, such as {@code isActive}, {@code _name} or {@code mName}.
	 */
	private static boolean isOf(AnnotatedField field, String property) {
		return letters(field.getName()).endsWith(letters(property));
	}

	private static String letters(String name) {
		return name.replace("_", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * The names of the properties that a class has in JSON, if it is an object there.
	 */
	private static final class Written extends JsonFormatVisitorWrapper.Base {

		private final Set<String> names = new HashSet<>();

		private boolean hasProperties;

		@Override
		public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
			this.hasProperties = true;
			return new JsonObjectFormatVisitor.Base(getContext()) {

				@Override
				public void property(BeanProperty property) {
					Written.this.names.add(property.getName());
				}

				@Override
				public void optionalProperty(BeanProperty property) {
					property(property);
				}

			};
		}

	}

}
