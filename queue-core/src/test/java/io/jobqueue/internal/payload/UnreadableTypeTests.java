package io.jobqueue.internal.payload;

import java.io.Serializable;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which types JSON can hold but never give back.
 */
class UnreadableTypeTests {

	private final JacksonPayloadCodec codec = new JacksonPayloadCodec(new JsonMapper());

	@Test
	void propertyOfAnInterface() {
		assertThat(this.codec.unreadable(Cage.class))
			.isEqualTo("'animal' of %s is the interface %s".formatted(Cage.class.getName(), Animal.class.getName()));
		assertThat(this.codec.unreadable(Hutch.class))
			.isEqualTo("'animal' of %s is the interface %s".formatted(Hutch.class.getName(), Animal.class.getName()));
	}

	@Test
	void propertyOfAnInterfaceFurtherDown() {
		assertThat(this.codec.unreadable(Zoo.class)).startsWith("'animal' of " + Cage.class.getName());
		assertThat(this.codec.unreadable(Herd.class)).startsWith("'animals' of " + Herd.class.getName());
		assertThat(this.codec.unreadable(Names.class)).startsWith("'byName' of " + Names.class.getName());
	}

	@Test
	void propertyOfAThread() {
		assertThat(this.codec.unreadable(Inner.class)).startsWith("'contextClassLoader' of java.lang.Thread");
	}

	@Test
	void propertyWithoutConstructor() {
		assertThat(this.codec.unreadable(Holder.class)).isEqualTo(
				Closed.class.getName() + " has neither a constructor for its properties nor one without parameters");
	}

	@Test
	void argumentsOfGenericClassesAreKnown() {
		assertThat(this.codec.unreadable(type(new ParameterizedTypeReference<Envelope<Animal>>() {
		}))).startsWith("'content' of ");
		assertThat(this.codec.unreadable(type(new ParameterizedTypeReference<Envelope<Dog>>() {
		}))).isNull();
	}

	@ParameterizedTest
	@ValueSource(classes = { Map.class, String.class, JsonNode.class, Dog.class, Typed.class, Hidden.class, Tree.class,
			Untyped.class, Setter.class, Exception.class })
	void whatMayBeReadableIsAccepted(Class<?> type) {
		assertThat(this.codec.unreadable(type)).isNull();
	}

	@Test
	void propertyWithoutAType() {
		assertThat(this.codec.untyped(Any.class))
			.isEqualTo("'any' of %s is of type Object".formatted(Any.class.getName()));
		assertThat(this.codec.untyped(Many.class)).startsWith("'many' of ");
		assertThat(this.codec.untyped(Serial.class)).endsWith(" is of type Serializable");
		assertThat(this.codec.untyped(type(new ParameterizedTypeReference<Envelope<Object>>() {
		}))).startsWith("'content' of ");
		assertThat(this.codec.untyped(Free.class)).isNull();
		assertThat(this.codec.untyped(Map.class)).isNull();
	}

	@Test
	void nothingIsCertainWithAProblemHandler() {
		JsonMapper mapper = JsonMapper.builder().addHandler(new DeserializationProblemHandler() {
		}).build();
		assertThat(new JacksonPayloadCodec(mapper).unreadable(Cage.class)).isNull();
	}

	private static Type type(ParameterizedTypeReference<?> reference) {
		return reference.getType();
	}

	interface Animal {

	}

	record Dog(String name) implements Animal {
	}

	record Cage(Animal animal) {
	}

	static class Hutch {

		private Animal animal = new Dog("");

		public Animal getAnimal() {
			return this.animal;
		}

		public void setAnimal(Animal animal) {
			this.animal = animal;
		}

	}

	record Zoo(List<Cage> cages) {
	}

	record Herd(List<Animal> animals) {
	}

	record Names(Map<String, Animal> byName) {
	}

	record Inner(Object anything, Thread thread) {
	}

	record Envelope<T>(T content) {
	}

	record Holder(Closed closed) {
	}

	static final class Closed {

		public final String text;

		Closed(String text, int more) {
			this.text = text + more;
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	interface Shape {

	}

	record Typed(Shape shape, List<Shape> shapes, @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) Animal animal) {
	}

	record Hidden(String name, @JsonIgnore Animal animal) {
	}

	record Tree(String name, List<Tree> children) {
	}

	record Untyped(Object anything, List<?> more) {
	}

	record Any(Object any) {
	}

	record Many(List<?> many) {
	}

	record Serial(Serializable value) {
	}

	record Free(Map<String, Object> more, JsonNode node, Number number) {
	}

	static class Setter {

		public String name = "";

		private Animal animal = new Dog("");

		void setAnimal(Animal animal) {
			this.animal = animal;
		}

		@Override
		public String toString() {
			return this.name + this.animal;
		}

	}

}
