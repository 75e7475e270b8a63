package io.jobqueue.payload;

import java.util.List;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Values and failures are those of Jackson without the module.
 */
class JacksonConstructorsTests {

	private static final String JSON = "{\"from\":1,\"to\":2}";

	private final JsonMapper mapper = mapper(JacksonConstructors.module());

	private static JsonMapper mapper(JacksonModule module) {
		return JsonMapper.builder().addModule(module).build();
	}

	@Test
	void recordsAndClasses() {
		assertThat(this.mapper.readValue(JSON, Trip.class)).isEqualTo(new Trip(1, 2L));
		assertThat(this.mapper.readValue("{\"from\":1}", Trip.class)).isEqualTo(new Trip(1, null));
		assertThat(this.mapper.readValue(JSON, Created.class).sum).isEqualTo(3);
		assertThat(this.mapper.readValue(JSON, FromFactory.class).sum).isEqualTo(3);
		assertThat(this.mapper.readValue("{\"names\":[\"a\",\"b\"]}", Names.class).names).containsExactly("a", "b");
	}

	@Test
	void jacksonCallsNoConstructorWithArguments() {
		Class<?> ofJackson = StdValueInstantiator.class;
		assertThat(Recorder.instantiator(new SimpleModule(), Trip.class)).isExactlyInstanceOf(ofJackson);
		assertThat(Recorder.instantiator(JacksonConstructors.module(), Trip.class)).isNotExactlyInstanceOf(ofJackson);
		assertThat(Recorder.instantiator(JacksonConstructors.module(), Created.class))
			.isNotExactlyInstanceOf(ofJackson);
	}

	@Test
	void failureOfTheConstructor() {
		JacksonException expected = failure(new JsonMapper());
		JacksonException failure = failure(this.mapper);
		assertThat(failure).hasSameClassAs(expected).hasMessage(expected.getMessage());
		assertThat(failure.getCause()).hasSameClassAs(expected.getCause()).hasMessage("'to' must be positive");
	}

	private static JacksonException failure(JsonMapper mapper) {
		return catchThrowableOfType(DatabindException.class,
				() -> mapper.readValue("{\"from\":1,\"to\":-2}", Trip.class));
	}

	@Test
	void errorOfTheConstructor() {
		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> this.mapper.readValue("{\"levels\":0}", Endless.class));
	}

	@Test
	void instantiatorOfAnotherModuleStays() {
		JsonMapper other = mapper(new Doubling()).rebuild().addModule(JacksonConstructors.module()).build();
		assertThat(other.readValue(JSON, Trip.class)).isEqualTo(new Trip(2, 2L));
	}

	private record Trip(int from, Long to) {

		Trip {
			if (to != null && to < 0) {
				throw new IllegalArgumentException("'to' must be positive");
			}
		}

	}

	private record Endless(int levels) {

		Endless {
			new Endless(levels + 1);
		}

	}

	private static final class Created {

		private final long sum;

		@JsonCreator
		private Created(@JsonProperty("from") int from, @JsonProperty("to") long to) {
			this.sum = from + to;
		}

	}

	private static final class FromFactory {

		private final long sum;

		private FromFactory(long sum) {
			this.sum = sum;
		}

		@JsonCreator
		static FromFactory of(@JsonProperty("from") int from, @JsonProperty("to") long to) {
			return new FromFactory(from + to);
		}

	}

	private static final class Names {

		private final List<String> names;

		@JsonCreator
		private Names(@JsonProperty("names") String... names) {
			this.names = List.of(names);
		}

	}

	/**
	 * Records the instantiator of a type after the modifiers of all modules that are
	 * added later.
	 */
	@SuppressWarnings("serial")
	private static final class Recorder extends ValueDeserializerModifier {

		private @Nullable ValueInstantiator instantiator;

		static ValueInstantiator instantiator(JacksonModule module, Class<?> type) {
			Recorder recorder = new Recorder();
			JsonMapper mapper = JsonMapper.builder()
				.addModule(new SimpleModule("recorder").setDeserializerModifier(recorder))
				.addModule(module)
				.build();
			Object value = mapper.readValue(JSON, mapper.constructType(type));
			assertThat(value).isInstanceOf(type);
			return Objects.requireNonNull(recorder.instantiator);
		}

		@Override
		public BeanDeserializerBuilder updateBuilder(DeserializationConfig config, BeanDescription.Supplier bean,
				BeanDeserializerBuilder builder) {
			this.instantiator = builder.getValueInstantiator();
			return builder;
		}

	}

	/**
	 * Doubles the first argument. As the module of Kotlin does, it accepts no
	 * instantiator but that of Jackson.
	 */
	@SuppressWarnings("serial")
	private static final class Doubling extends SimpleModule {

		@Override
		public void setupModule(SetupContext context) {
			context.addValueInstantiators(new ValueInstantiators.Base() {
				@Override
				public ValueInstantiator modifyValueInstantiator(DeserializationConfig config,
						BeanDescription.Supplier bean, ValueInstantiator original) {
					assertThat(original).isExactlyInstanceOf(StdValueInstantiator.class);
					return new Instantiator((StdValueInstantiator) original);
				}
			});
		}

		private static final class Instantiator extends StdValueInstantiator {

			private Instantiator(StdValueInstantiator original) {
				super(original);
			}

			@Override
			public Object createFromObjectWith(DeserializationContext context, Object[] arguments) {
				arguments[0] = 2 * (int) arguments[0];
				return super.createFromObjectWith(context, arguments);
			}

		}

	}

}
