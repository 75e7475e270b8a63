package io.jobqueue.internal.payload;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonManagedReference;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import com.fasterxml.jackson.annotation.OptBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.annotation.JsonDeserialize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which payloads JSON would give back without some of their values.
 */
class LostPropertyTests {

	static final List<Object> WHOLE = List.of(new Shown("ann"), new Derived(List.of(2, 3)), new Ignored("ann", "x"),
			new Older(1, 2), new Constant(), new Prefixed(), new Parent(), new Identified(), new Flat(new Shown("ann")),
			new Wrapped("x"), new Code("x"), new Delegated(Map.of("names", List.of("ann"))), new Injected("ann", null),
			new Newer(1, 2), new Built("ann"), new Sorted(List.of(2, 1)), new Open(), new Excluded(), new Renamed(),
			new Typed<>(new Shown("ann")), new IllegalStateException("x"), Coin.TAILS, Coin.HEADS);

	private final JacksonPayloadCodec codec = new JacksonPayloadCodec();

	@ParameterizedTest
	@FieldSource("WHOLE")
	void whatIsDerivedOrIgnoredIsNotLost(Object payload) {
		assertThat(this.codec.encode(payload).text()).isNotEmpty();
	}

	@Test
	void propertyThatIsReadButNotWritten() {
		assertRefused(new WriteOnly("ann", "x"), "'password' of %s is read, but not written");
		assertRefused(new OnlySetter(), "'amount' of %s is read, but not written");
		assertRefused(new Invisible("x"), "'text' of %s is read, but not written");
	}

	@Test
	void propertyThatIsWrittenButNotRead() {
		assertRefused(new ReadOnly("ann", "x"), "'role' of %s is written, but not read");
		assertRefused(new ReadOnlyField(), "'role' of %s is written, but not read");
		assertRefused(new Price(5), "'cents' of %s is written, but not read");
		assertRefused(new Cart(), "'items' of %s is written, but not read");
	}

	@Test
	void fieldThatIsNeitherWrittenNorRead() {
		assertRefused(new Hidden(), "'secret' of %s is neither written nor read");
		assertRefused(new Flags(new BitSet()), "'words' of java.util.BitSet is neither written nor read");
	}

	@Test
	void propertyFurtherDown() {
		assertRefused(new Logins(List.of()),
				"'password' of %s is read, but not written".formatted(WriteOnly.class.getName()));
	}

	@Test
	void ignoredPropertyThatTheConstructorNeeds() {
		assertRefused(new Counted("ann", 1), "its JSON cannot be read again", "no value for the int in %s");
		assertRefused(new Required("ann", "x"), "its JSON cannot be read again");
	}

	/**
	 * The handler's class may be another one than the producer's.
	 */
	@Test
	void handlersMayTakeThemAll() {
		assertThat(this.codec.unreadable(WriteOnly.class)).isNull();
		assertThat(this.codec.unreadable(OnlySetter.class)).isNull();
	}

	@Test
	void remedyIsNamed() {
		assertRefused(new WriteOnly("ann", "x"), "without access = WRITE_ONLY", "@JsonIgnore");
	}

	private void assertRefused(Object payload, String... reasons) {
		for (String reason : reasons) {
			assertThatExceptionOfType(JsonFailureException.class).isThrownBy(() -> this.codec.encode(payload))
				.satisfies((ex) -> assertThat(ex.reason()).contains(reason.formatted(payload.getClass().getName())));
		}
	}

	interface Named {

		String name();

	}

	record Shown(String name) implements Named {
	}

	record Typed<T extends Named>(T value) {
	}

	record Derived(List<Integer> amounts) {

		public int getTotal() {
			return this.amounts.stream().mapToInt(Integer::intValue).sum();
		}

	}

	record Ignored(String name, @JsonIgnore String password) {
	}

	@JsonIgnoreProperties(value = "formerAmount", allowSetters = true)
	record Older(int amount, Integer formerAmount) {
	}

	static final class Constant {

		private static final int SIZE = 3;

		private final String kind = "constant";

		private final int size = SIZE;

		private transient int hash = SIZE;

		@JsonIgnore
		private int cached = this.hash;

		public String getKind() {
			return this.kind + this.cached + this.size;
		}

	}

	static final class Prefixed {

		private boolean isActive = true;

		private String m_name = "";

		public boolean isActive() {
			return this.isActive;
		}

		public void setActive(boolean active) {
			this.isActive = active;
		}

		public String getName() {
			return this.m_name;
		}

		public void setName(String name) {
			this.m_name = name;
		}

	}

	static final class Parent {

		@JsonManagedReference
		public List<Child> children = new ArrayList<>();

	}

	static final class Child {

		@JsonBackReference
		public Parent parent = new Parent();

	}

	@JsonIdentityInfo(generator = ObjectIdGenerators.IntSequenceGenerator.class)
	static final class Identified {

		public String name = "";

	}

	record Flat(@JsonUnwrapped Shown shown) {
	}

	record Wrapped(@JsonValue String text) {

		@JsonCreator
		Wrapped {
			Objects.requireNonNull(text);
		}

	}

	@JsonIgnoreProperties(value = "formerAmount", allowGetters = true)
	record Newer(int amount, Integer formerAmount) {
	}

	static final class Code {

		private String text;

		public Code(String text) {
			this.text = text;
		}

		@JsonValue
		public String text() {
			return this.text;
		}

	}

	static final class Delegated {

		private final List<String> names;

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		Delegated(Map<String, List<String>> names) {
			this.names = names.getOrDefault("names", List.of());
		}

		public List<String> getNames() {
			return this.names;
		}

	}

	static final class Injected {

		private final String name;

		@JsonCreator
		Injected(@JsonProperty("name") String name,
				@JacksonInject(optional = OptBoolean.TRUE) @Nullable Runnable service) {
			this.name = (service != null) ? "" : name;
		}

		public String getName() {
			return this.name;
		}

	}

	static final class Sorted {

		private final List<Integer> amounts;

		private final List<Integer> sorted;

		private int reads;

		@JsonCreator
		Sorted(@JsonProperty("amounts") List<Integer> amounts) {
			this.amounts = amounts;
			this.sorted = amounts.stream().sorted().toList();
		}

		public List<Integer> getAmounts() {
			this.reads++;
			return this.amounts;
		}

		public List<Integer> getSorted() {
			return (this.reads > 0) ? this.sorted : List.of();
		}

	}

	static final class Open {

		private Map<String, Object> values = new HashMap<>();

		@JsonAnyGetter
		public Map<String, Object> values() {
			return this.values;
		}

		@JsonAnySetter
		public void put(String name, Object value) {
			this.values.put(name, value);
		}

	}

	@JsonIgnoreProperties("secret")
	static final class Excluded {

		public String shown = "";

		private int secret = 1;

		int secret() {
			return this.secret++;
		}

	}

	static final class Renamed {

		private String name = "";

		@JsonProperty("n")
		public String getName() {
			return this.name;
		}

		@JsonProperty("n")
		public void setName(String name) {
			this.name = name;
		}

	}

	@JsonDeserialize(builder = Built.Builder.class)
	static final class Built {

		private String name;

		private Built(String name) {
			this.name = name;
		}

		public String getName() {
			return this.name;
		}

		static final class Builder {

			private String name = "";

			@JsonProperty("name")
			Builder withName(String name) {
				this.name = name;
				return this;
			}

			Built build() {
				return new Built(this.name);
			}

		}

	}

	enum Coin {

		HEADS, TAILS {

			@Override
			String reverse() {
				return "heads";
			}

		};

		String reverse() {
			return "tails";
		}

	}

	record WriteOnly(String user, @JsonProperty(access = Access.WRITE_ONLY) String password) {
	}

	record ReadOnly(String user, @JsonProperty(access = Access.READ_ONLY) String role) {
	}

	record Logins(List<WriteOnly> logins) {
	}

	record Counted(String name, @JsonIgnore int count) {
	}

	record Required(String name, @JsonIgnore String secret) {

		Required {
			Objects.requireNonNull(secret);
		}

	}

	record Flags(BitSet flags) {
	}

	@JsonAutoDetect(getterVisibility = JsonAutoDetect.Visibility.NONE)
	record Invisible(String text) {
	}

	static final class OnlySetter {

		private int amount;

		public void setAmount(int amount) {
			this.amount = amount;
		}

		int amount() {
			return this.amount;
		}

	}

	static final class ReadOnlyField {

		@JsonProperty(access = Access.READ_ONLY)
		public String role = "";

	}

	static final class Price {

		private final long cents;

		public Price() {
			this(0);
		}

		public Price(long amount) {
			this.cents = amount;
		}

		public long getCents() {
			return this.cents;
		}

	}

	static final class Cart {

		private final List<String> items = new ArrayList<>();

		public List<String> getItems() {
			return this.items;
		}

	}

	static final class Hidden {

		public String shown = "";

		private int secret = 1;

		int secret() {
			return this.secret++;
		}

	}

}
