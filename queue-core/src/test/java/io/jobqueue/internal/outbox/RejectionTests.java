package io.jobqueue.internal.outbox;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

import org.springframework.beans.BeanUtils;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.NoOp;
import org.springframework.util.ClassUtils;

import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What cannot be stored fails in the caller, and nothing is written.
 */
class RejectionTests extends NodeTestBase {

	static final List<Object> NAMELESS = List.of(new Object() {
	}, (Callable<String>) () -> "lambda", new int[] { 1 }, 42, true, 'c', new Object());

	static final List<Object> CLASSLESS = List.of(Map.of("a", 1), JsonNodeFactory.instance.objectNode(), "text");

	private JobQueue queue;

	@BeforeEach
	void prepare() {
		this.queue = producer().queue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Emails", "-emails", "_emails", "e mails", "emails\n", "émails", "a.b" })
	void badQueueName(String name) {
		assertRejected("queue", () -> this.queue.enqueue(name, new Mail("hi"))).hasMessageContaining("'" + name + "'")
			.hasMessageContaining("[a-z0-9][a-z0-9_-]{0,99}, in lower case");
	}

	@Test
	void payloadThatCanNeverBeRead() {
		for (int time = 0; time < 2; time++) {
			assertRejected("payload", () -> this.queue.enqueue(new Cage(new Cat("Tom")))).hasMessageContaining(
					"of type Cage can be serialized but not deserialized: 'animal' of " + Cage.class.getName());
		}
	}

	@Test
	void queueNameThatIsTooLong() {
		assertThat(this.queue.enqueue("q".repeat(100), new Mail("hi")).accepted()).isTrue();
		this.sql.sql("TRUNCATE jobqueue_job").update();
		assertRejected("queue", () -> this.queue.enqueue("q".repeat(101), new Mail("hi")));
	}

	@ParameterizedTest
	@FieldSource("NAMELESS")
	void payloadWhoseClassYieldsNoName(Object payload) {
		assertRejected("type", () -> this.queue.enqueue(payload)).hasMessageContaining("has no name to use");
	}

	@ParameterizedTest
	@ValueSource(strings = { "$HibernateProxy", "$$SpringCGLIB$$0" })
	void payloadOfAGeneratedClass(String suffix) {
		Enhancer enhancer = new Enhancer();
		enhancer.setSuperclass(Plain.class);
		enhancer.setUseCache(false);
		enhancer.setCallback(NoOp.INSTANCE);
		enhancer.setNamingPolicy((prefix, source, key, names) -> prefix + suffix);
		Object generated = enhancer.create();
		assertThat(generated.getClass().getName()).isEqualTo(Plain.class.getName() + suffix);
		assertRejected("type", () -> this.queue.enqueue("emails", generated))
			.hasMessageContaining("%s, a subclass of %s, was generated at run time"
				.formatted(Plain.class.getName() + suffix, Plain.class.getName()))
			.hasMessageContaining("enqueue an id or a record");
		assertThat(this.queue.enqueue(new Plain()).accepted()).isTrue();
	}

	/**
	 * As those that a shell or a script compiles.
	 */
	@Test
	void recordWithoutAClassFile() throws Exception {
		Class<?> compiled = new InMemory().define(Mail.class);
		Object payload = BeanUtils.instantiateClass(compiled.getDeclaredConstructor(String.class), "hi");
		assertThat(this.queue.enqueue(payload).accepted()).isTrue();
	}

	@Test
	void constantWithABodyHasTheTypeOfItsEnum() {
		assertThat(Colour.BLUE).isNotExactlyInstanceOf(Colour.class);
		this.queue.enqueue(Colour.BLUE);
		assertThat(this.sql.sql("SELECT type || payload FROM jobqueue_job").query(String.class).single())
			.isEqualTo("Colour\"BLUE\"");
	}

	@ParameterizedTest
	@FieldSource("CLASSLESS")
	void payloadWithoutAClassOfItsOwnAndWithoutAType(Object payload) {
		assertRejected("type", () -> this.queue.enqueue(payload)).hasMessageContaining("name the type");
		assertThat(this.queue.enqueue(JobRequest.of(payload).type("charge")).accepted()).isTrue();
		this.sql.sql("TRUNCATE jobqueue_job").update();
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", "two words", "tab\t", "nul\0", "half\uD83D" })
	void typeThatIsNoName(String type) {
		assertRejected("type", () -> this.queue.enqueue(JobRequest.of("text").type(type)));
	}

	@Test
	void typeThatIsTooLong() {
		assertRejected("type", () -> this.queue.enqueue(JobRequest.of("text").type("t".repeat(201))))
			.hasMessageContaining("200");
	}

	@Test
	void typeForAPayloadWhoseClassNamesIt() {
		assertRejected("type", () -> this.queue.enqueue(JobRequest.of(new Mail("hi")).type("fax")))
			.hasMessageContaining(Mail.class.getName());
	}

	@Test
	void typeOfAMapThatAClassHas() {
		this.queue.enqueue(new Mail("hi"));
		this.sql.sql("TRUNCATE jobqueue_job").update();
		assertRejected("type", () -> this.queue.enqueue(JobRequest.of(Map.of("to", "me")).type("mail")))
			.hasMessageContaining("'mail' names both");
	}

	@Test
	void typeNameThatAnotherClassHas() {
		this.queue.enqueue(new Mail("hi"));
		this.sql.sql("TRUNCATE jobqueue_job").update();
		assertRejected("type", () -> this.queue.enqueue(new OtherMail("hi"))).hasMessageContaining("'mail' names both")
			.hasMessageContaining(Mail.class.getName())
			.hasMessageContaining(OtherMail.class.getName());
	}

	@Test
	void severalJobsAsOnePayload() {
		assertRejected("type", () -> this.queue.enqueue(List.of(new Mail("hi"))))
			.hasMessageContaining("a List is not a payload; use enqueueAll");
		assertRejected("type", () -> this.queue.enqueue(Set.of(new Mail("hi"))))
			.hasMessageContaining("a Set is not a payload; use enqueueAll");
		assertRejected("type", () -> this.queue.enqueue(Stream.of(new Mail("hi"))))
			.hasMessageContaining("a Stream is not a payload; use enqueueAll");
	}

	@Test
	void mapWithoutAType() {
		assertRejected("type", () -> this.queue.enqueue(Map.of("to", "me")))
			.hasMessageContaining("a Map does not name a type");
	}

	@Test
	void objectNodeWithoutAType() {
		assertRejected("type", () -> this.queue.enqueue(JsonNodeFactory.instance.objectNode()))
			.hasMessageContaining("is missing: an ObjectNode does not name a type");
	}

	@Test
	void textWithoutATypeIsRefusedWithAnAction() {
		assertRejected("type", () -> this.queue.enqueue("hello"))
			.hasMessageContaining("JobRequest.of(queue, payload).type(name)");
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullAsAPayload() {
		assertRejected("payload", () -> this.queue.enqueue((Object) null)).hasMessageContaining("must not be null");
		assertRejected("payload", () -> this.queue.enqueue("emails", null));
		assertRejected("queue", () -> this.queue.enqueue(null, new Mail("hi")));
		assertRejected("request", () -> this.queue.enqueue((JobRequest) null)).hasMessageContaining("must not be null");
		assertRejected("requestsOrPayloads", () -> this.queue.enqueueAll(null));
	}

	@Test
	@SuppressWarnings("NullAway")
	void nothingAmongSeveralJobsIsNamedByItsIndex() {
		List<Object> jobs = Arrays.asList(new Mail("0"), JobRequest.of(new Mail("1")), null, new Mail("3"));
		assertRejected("requestsOrPayloads[2]", () -> this.queue.enqueueAll(jobs))
			.hasMessageContaining("must not be null");
	}

	@Test
	@SuppressWarnings({ "NullAway", "CheckReturnValue" })
	void optionThatIsNothing() {
		JobRequest mail = JobRequest.of(new Mail("hi"));
		assertRejected("key", () -> mail.key(null));
		assertRejected("orderedBy", () -> mail.orderedBy(null));
		assertRejected("limitedBy", () -> mail.limitedBy(null));
		assertRejected("group", () -> mail.group(null));
		assertRejected("onDuplicate", () -> mail.onDuplicate(null));
		assertRejected("header tenant", () -> mail.header("tenant", null));
		assertRejected("header", () -> mail.header(null, "acme"));
	}

	@Test
	void payloadThatRefersToItself() {
		Node node = new Node(new ArrayList<>());
		node.children().add(node);
		assertRejected("payload", () -> this.queue.enqueue(node))
			.hasMessageContaining("at 'children.[0]': it refers to itself");
		Link link = new Link();
		link.next = link;
		assertRejected("payload", () -> this.queue.enqueue(link))
			.hasMessageContaining("at 'next': it refers to itself. Enqueue an id");
		link.next = new Link();
		link.next.other = link;
		assertRejected("payload", () -> this.queue.enqueue(link))
			.hasMessageContaining("at 'next.other': it refers to itself");
	}

	@Test
	void payloadThatIsNestedTooDeeply() {
		Link link = new Link();
		for (int depth = 0; depth < 600; depth++) {
			Link first = new Link();
			first.next = link;
			link = first;
		}
		Link deep = link;
		assertRejected("payload", () -> this.queue.enqueue(deep)).hasMessageContaining("'next.next.")
			.hasMessageContaining("levels below")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(250));
	}

	@Test
	void optionalAsAPayload() {
		assertRejected("type", () -> this.queue.enqueue(Optional.of(new Mail("hi"))))
			.hasMessageContaining("enqueue its value");
	}

	@Test
	void requestAsAPayload() {
		Object request = JobRequest.of(new Mail("hi"));
		assertRejected("type", () -> this.queue.enqueue(request)).hasMessageContaining("enqueue(JobRequest)");
		assertRejected("type", () -> this.queue.enqueue("emails", request)).hasMessageContaining("enqueue(JobRequest)");
	}

	@Test
	void optionsBeyondWhatTheTableHolds() {
		JobRequest mail = JobRequest.of(new Mail("hi"));
		assertRejected("maxAttempts", () -> this.queue.enqueue(mail.maxAttempts(-1)));
		assertRejected("maxRunTime", () -> this.queue.enqueue(mail.maxRunTime(Duration.ZERO)));
		assertRejected("maxRunTime", () -> this.queue.enqueue(mail.maxRunTime(Duration.ofSeconds(Long.MAX_VALUE))));
		assertRejected("delay", () -> this.queue.enqueue(mail.delay(Duration.ofSeconds(Long.MAX_VALUE))));
		assertRejected("runAt", () -> this.queue.enqueue(mail.runAt(Instant.MAX)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "nul\0", "half\uD83D" })
	void keyThatIsNone(String key) {
		JobRequest mail = JobRequest.of(new Mail("hi"));
		assertRejected("key", () -> this.queue.enqueue(mail.key(key)));
		assertRejected("orderedBy", () -> this.queue.enqueue(mail.orderedBy(key)));
		assertRejected("limitedBy", () -> this.queue.enqueue(mail.limitedBy(key)));
		assertRejected("group", () -> this.queue.enqueue(mail.group(key)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "k", "\u20AC" })
	void keyThatIsTooLong(String character) {
		JobRequest mail = JobRequest.of(new Mail("hi"));
		assertRejected("key", () -> this.queue.enqueue(mail.key(character.repeat(801)))).hasMessageContaining("801");
		assertRejected("orderedBy", () -> this.queue.enqueue(mail.orderedBy(character.repeat(801))));
		assertRejected("limitedBy", () -> this.queue.enqueue(mail.limitedBy(character.repeat(801))));
		assertRejected("group", () -> this.queue.enqueue(mail.group(character.repeat(801))));
	}

	/**
	 * In a queue with a name as long as names may be, and without repetitions that an
	 * index could compress.
	 */
	@ParameterizedTest
	@CsvSource({ "97, 122", "19968, 40000" })
	void longestKeysFitEachIndex(int first, int last) {
		Supplier<String> key = () -> new Random().ints(800, first, last)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
		JobRequest mail = JobRequest.of("q".repeat(100), new Mail("hi"));
		this.queue.enqueue(mail.key(key.get()));
		this.queue.enqueue(mail.orderedBy(key.get()));
		this.queue.enqueue(mail.limitedBy(key.get()));
		this.queue.enqueue(mail.group(key.get()));
		JobReceipt all = this.queue
			.enqueue(mail.key(key.get()).orderedBy(key.get()).limitedBy(key.get()).group(key.get()));
		assertThat(all.accepted()).isTrue();
		assertThat(count("jobqueue_job")).isEqualTo(5);
	}

	@Test
	void debounceWithoutADelay() {
		JobRequest mail = JobRequest.of(new Mail("hi")).key("k").onDuplicate(OnDuplicate.DEBOUNCE);
		assertRejected("onDuplicate", () -> this.queue.enqueue(mail)).hasMessageContaining("delay");
		assertThat(this.queue.enqueue(mail.runAt(Instant.now().plusSeconds(60))).accepted()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "nul\0", "half\uD83D" })
	void headerThatNoDatabaseHolds(String text) {
		JobRequest mail = JobRequest.of(new Mail("hi"));
		assertRejected("header tenant", () -> this.queue.enqueue(mail.header("tenant", text)));
		assertRejected("header", () -> this.queue.enqueue(mail.header(text, "acme")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobqueue.", "jobqueue.mdc.tenant" })
	void headerWithANameOfTheQueues(String name) {
		assertRejected("header " + name, () -> this.queue.enqueue(JobRequest.of(new Mail("hi")).header(name, "acme")))
			.hasMessageContaining("jobqueue.");
	}

	private AbstractThrowableAssert<?, JobRejectedException> assertRejected(String property, ThrowingCallable call) {
		var rejection = assertThatExceptionOfType(JobRejectedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
		assertThat(count("jobqueue_job") + count("jobqueue_key")).isZero();
		return assertThat(rejection.actual());
	}

	static class Plain {

		public String text = "";

	}

	enum Colour {

		BLUE {

			@Override
			int value() {
				return 1;
			}

		};

		abstract int value();

	}

	static final class Link {

		public @Nullable Link next;

		public @Nullable Link other;

	}

	record Node(List<Node> children) {
	}

	@JobType("mail")
	record OtherMail(String text) {
	}

	interface Animal {

	}

	record Cat(String name) implements Animal {
	}

	record Cage(Animal animal) {
	}

	/**
	 * Defines classes and has no files of them.
	 */
	private static final class InMemory extends ClassLoader {

		Class<?> define(Class<?> type) throws IOException {
			try (InputStream file = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
				byte[] bytes = file.readAllBytes();
				return defineClass(type.getName(), bytes, 0, bytes.length);
			}
		}

		@Override
		public URL getResource(String name) {
			return null;
		}

	}

}
