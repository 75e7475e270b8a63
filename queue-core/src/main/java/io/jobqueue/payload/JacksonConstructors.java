package io.jobqueue.payload;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.module.SimpleModule;

/**
 * Calls the constructors of records, and others that take properties, with an array of
 * arguments. Jackson 3.1 derives a method handle from that array at each call: about half
 * of the time of reading a small payload in a JVM that has read a few thousand.
 */
@SuppressWarnings("serial")
final class JacksonConstructors extends ValueDeserializerModifier {

	private static final MethodType OF_ARRAY = MethodType.methodType(Object.class, Object[].class);

	/**
	 * Return the module that makes a mapper call constructors this way.
	 */
	static JacksonModule module() {
		return new SimpleModule("jobQueueConstructors").setDeserializerModifier(new JacksonConstructors());
	}

	/**
	 * Modules with instantiators of their own, such as that of Kotlin, expect that of
	 * Jackson. They see it before this modifier is called.
	 */
	@Override
	public BeanDeserializerBuilder updateBuilder(DeserializationConfig config, BeanDescription.Supplier bean,
			BeanDeserializerBuilder builder) {
		ValueInstantiator original = builder.getValueInstantiator();
		if (original.getClass() == StdValueInstantiator.class) {
			replace(builder, (StdValueInstantiator) original);
		}
		return builder;
	}

	private static void replace(BeanDeserializerBuilder builder, StdValueInstantiator original) {
		if (original.getWithArgsCreator() instanceof AnnotatedConstructor constructor) {
			try {
				builder.setValueInstantiator(new Instantiator(original,
						MethodHandles.lookup().unreflectConstructor(constructor.getAnnotated())));
			}
			catch (IllegalAccessException ex) {
				// Jackson, which may have access, calls the constructor
			}
		}
	}

	private static final class Instantiator extends StdValueInstantiator {

		private final MethodHandle constructor;

		private Instantiator(StdValueInstantiator original, MethodHandle constructor) {
			super(original);
			int count = constructor.type().parameterCount();
			this.constructor = constructor.asFixedArity().asSpreader(Object[].class, count).asType(OF_ARRAY);
		}

		@Override
		public Object createFromObjectWith(DeserializationContext context, Object[] arguments) {
			try {
				return this.constructor.invokeExact(arguments);
			}
			catch (Error ex) {
				throw ex;
			}
			catch (Throwable ex) {
				return context.handleInstantiationProblem(getValueClass(), arguments, rewrapCtorProblem(context, ex));
			}
		}

	}

}
