package io.jobqueue.internal.handler;

import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.AsyncJob;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobType;
import io.jobqueue.RecurringJob;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What is said about methods whose calls cannot become jobs.
 */
class AsyncJobMistakesTests extends AsyncJobTestBase {

	static final Arguments[] MISTAKES = {
			arguments(WithPrivateMethod.class,
					".call (bean 'asyncJobMistakesTests.WithPrivateMethod') is private: calls of it do not",
					"call it from another bean"),
			arguments(WithFinalMethod.class, "is final: calls of it do not pass the proxy",
					"neither private nor final"),
			arguments(WithStaticMethod.class, "is static: calls of it do not pass", "neither private nor final"),
			arguments(OfFinalClass.class, "OfFinalClass has @AsyncJob methods, but is final", "Remove 'final'"),
			arguments(WithResult.class, "returns a String, but its callers cannot wait", "Return void, or JobReceipt"),
			arguments(InBackground.class, "is @Async, on the method or on its class", "Remove @Async"),
			arguments(OnSchedule.class, "is also annotated with @Scheduled", "Remove one of them"),
			arguments(Recurring.class, "is also annotated with @RecurringJob", "Remove one of them"),
			arguments(Handling.class, "is also annotated with @JobHandler", "Remove one of them"),
			arguments(WithoutName.class, "has the name ''", "at most 200 printable characters"),
			arguments(WithSpacedName.class, "has the name 'book credit'", "without spaces"),
			arguments(InBadQueue.class, "names queue 'Credit Notes'", "Use a name that matches"),
			arguments(WithoutUnit.class, "has maxRunTime = \"30\"", "Set a duration with its unit"),
			arguments(InNewTransaction.class, "has propagation REQUIRES_NEW", "Remove that propagation"),
			arguments(WithUnknownPolicy.class, "') names the retry policy 'politely'", "Declare the bean"),
			arguments(SameNames.class, "The name 'twice' of an @AsyncJob method belongs to two handlers: ",
					"a name of its own"),
			arguments(OfObject.class,
					"has the parameter 'it' of type java.lang.Object, but JSON does not bring java.lang.Object back: it loses the class of a value",
					"Use records"),
			arguments(OfObjects.class, "'them' of type java.lang.Object[], but JSON does not bring java.lang.Object",
					"Use records"),
			arguments(OfAnyThings.class, "'them' of type java.util.List<?>, but JSON does not bring java.lang.Object",
					"Use records"),
			arguments(OfVariable.class, "'it' of type T, but JSON does not bring java.lang.Object", "Use records"),
			arguments(OfSerializable.class, "does not bring java.io.Serializable back: it loses the class",
					"Use records"),
			arguments(OfSerializables.class, "does not bring java.io.Serializable back: it loses the class",
					"Use records"),
			arguments(OfNumber.class, "does not bring java.lang.Number back: it loses the class", "Use records"),
			arguments(OfNumbers.class, "does not bring java.lang.Number back: it loses the class", "Use records"),
			arguments(OfComparable.class, "not deserialized: the interface java.lang.Comparable has no type",
					"annotate interfaces with @JsonTypeInfo"),
			arguments(OfException.class, "does not bring java.lang.IllegalStateException back: it loses the class",
					"Use records"),
			arguments(OfPattern.class, "does not bring java.util.regex.Pattern back: it loses the flags",
					"Use records"),
			arguments(OfCalendar.class, "does not bring java.util.GregorianCalendar back: it loses the time zone",
					"Use records"),
			arguments(OfAny.class,
					"does not bring 'any' of %s (java.lang.Object) back: it loses the class"
						.formatted(Any.class.getName()),
					"Use records"),
			arguments(OfNestedNumbers.class,
					"does not bring 'all' of %s (java.lang.Number) back".formatted(Numbers.class.getName()),
					"Use records"),
			arguments(OfGeneric.class,
					"does not bring 'value' of %s (java.lang.Object) back".formatted(Generic.class.getName()),
					"Use records"),
			arguments(OfStream.class, "does not bring java.util.stream.Stream back: it loses the content",
					"Use records"),
			arguments(OfInput.class, "does not bring java.io.InputStream back: it loses the content", "Use records"),
			arguments(OfInterface.class, "Animal, which can be serialized but not deserialized: the interface ",
					"annotate interfaces with @JsonTypeInfo"),
			arguments(OfInterfaces.class, "Animal>>, which can be serialized but not deserialized: the interface ",
					"annotate interfaces with @JsonTypeInfo"),
			arguments(OfLossyClass.class, "Lossy, which can be serialized but not deserialized: 'secret' of ",
					"Use records") };

	@ParameterizedTest
	@FieldSource("MISTAKES")
	void mistakeIsNamed(Class<?> bean, String description, String action) {
		assertRefused(bean, description, action, bean);
	}

	/**
	 * What is injected into a post-processor exists before the proxies.
	 */
	@Test
	void beanWithoutProxyIsNamed() {
		assertRefused(Accepted.class, "runs at once instead of becoming a job", "Do not inject the bean into a Bean",
				Accepted.class, Early.class);
	}

	@Test
	void nameOfAPayloadClassIsRefused() {
		assertRefused(NameOfAPayload.class, "The name 'paid' of an @AsyncJob method belongs to two handlers: ",
				"Give the @AsyncJob method a name of its own", NameOfAPayload.class, Payments.class);
		assertRefused(NameOfAPayload.class, "has the name 'paid'", "which is not that of a payload class",
				Payments.class, NameOfAPayload.class);
	}

	@Test
	void namesOfParametersMustBeInTheClassFile() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("bean", new RootBeanDefinition(NamelessParameters.of(Accepted.class)));
		HandlerScanner scanner = new HandlerScanner(beans, new JobTypes(), new JacksonPayloadCodec());
		assertThatExceptionOfType(InvalidHandlerException.class).isThrownBy(scanner::scan)
			.withMessageContaining("has parameters whose names are missing in its class file")
			.withMessageContaining("Compile with '-parameters'");
	}

	@Test
	void contextNeedsNoName() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("bean", new RootBeanDefinition(NamelessParameters.of(OfContext.class)));
		assertThat(new HandlerScanner(beans, new JobTypes(), new JacksonPayloadCodec()).scan()).hasSize(1);
	}

	@Test
	void receiptAndTypesThatComeBackAreAccepted() {
		try (AnnotationConfigApplicationContext context = context(Accepted.class)) {
			context.refresh();
			assertThat(context.getBean(JobHandlers.class).find("default", "a")).isNotNull();
		}
	}

	private void assertRefused(Class<?> bean, String description, String action, Class<?>... beans) {
		try (AnnotationConfigApplicationContext context = context(beans)) {
			Throwable failure = catchThrowable(context::refresh);
			InvalidHandlerException refused = (InvalidHandlerException) ((failure instanceof InvalidHandlerException)
					? failure : NestedExceptionUtils.getMostSpecificCause(failure));
			assertThat(refused.description()).contains(bean.getName(), description).endsWith(".");
			assertThat(refused.action()).contains(action).endsWith(".");
		}
	}

	static class WithPrivateMethod {

		@AsyncJob("a")
		@SuppressWarnings("UnusedMethod")
		private void call() {
		}

	}

	static class WithFinalMethod {

		@AsyncJob("a")
		final void call() {
		}

	}

	static class WithStaticMethod {

		@AsyncJob("a")
		static void call() {
		}

	}

	static final class OfFinalClass {

		@AsyncJob("a")
		void call() {
		}

	}

	static class WithResult {

		@AsyncJob("a")
		String call() {
			return "";
		}

	}

	@Async
	static class InBackground {

		@AsyncJob("a")
		void call() {
		}

	}

	static class OnSchedule {

		@AsyncJob("a")
		@Scheduled(fixedRate = 1)
		void call() {
		}

	}

	static class Recurring {

		@AsyncJob("a")
		@RecurringJob(fixedRate = "1h")
		void call() {
		}

	}

	static class Handling {

		@AsyncJob("a")
		@JobHandler
		void call(Paid paid) {
		}

	}

	static class WithoutName {

		@AsyncJob("")
		void call() {
		}

	}

	static class WithSpacedName {

		@AsyncJob("book credit")
		void call() {
		}

	}

	static class InBadQueue {

		@AsyncJob(value = "a", queue = "Credit Notes")
		void call() {
		}

	}

	static class WithoutUnit {

		@AsyncJob(value = "a", maxRunTime = "30")
		void call() {
		}

	}

	static class InNewTransaction {

		@AsyncJob(value = "a", delivery = Delivery.TRANSACTIONAL)
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		void call() {
		}

	}

	static class WithUnknownPolicy {

		@AsyncJob(value = "a", retryPolicy = "politely")
		void call() {
		}

	}

	static class SameNames {

		@AsyncJob(value = "twice", queue = "one")
		void call() {
		}

		@AsyncJob(value = "twice", queue = "other")
		void call(int number) {
		}

	}

	@JobType("paid")
	record Paid(int cents) {
	}

	static class NameOfAPayload {

		@AsyncJob(value = "paid", queue = "one")
		void call() {
		}

	}

	static class Payments {

		@JobHandler(queue = "other")
		void handle(Paid paid) {
		}

	}

	static class OfObject {

		@AsyncJob("a")
		void call(Object it) {
		}

	}

	static class OfObjects {

		@AsyncJob("a")
		void call(Object[] them) {
		}

	}

	static class OfAnyThings {

		@AsyncJob("a")
		void call(List<?> them) {
		}

	}

	static class OfVariable<T> {

		@AsyncJob("a")
		void call(T it) {
		}

	}

	static class OfSerializable {

		@AsyncJob("a")
		void call(Serializable it) {
		}

	}

	static class OfSerializables {

		@AsyncJob("a")
		void call(Map<String, Serializable> them) {
		}

	}

	static class OfNumber {

		@AsyncJob("a")
		void call(Number it) {
		}

	}

	static class OfNumbers {

		@AsyncJob("a")
		void call(List<? extends Number> them) {
		}

	}

	static class OfComparable {

		@AsyncJob("a")
		void call(Comparable<String> it) {
		}

	}

	static class OfException {

		@AsyncJob("a")
		void call(IllegalStateException it) {
		}

	}

	static class OfPattern {

		@AsyncJob("a")
		void call(Pattern it) {
		}

	}

	static class OfCalendar {

		@AsyncJob("a")
		void call(Optional<GregorianCalendar> it) {
		}

	}

	record Any(int number, Object any) {
	}

	static class OfAny {

		@AsyncJob("a")
		void call(List<Any> them) {
		}

	}

	record Numbers(Map<String, List<Number>> all) {
	}

	static class OfNestedNumbers {

		@AsyncJob("a")
		void call(Numbers them) {
		}

	}

	record Generic<T>(T value) {
	}

	static class OfGeneric {

		@AsyncJob("a")
		void call(Generic<?> it) {
		}

	}

	static class OfStream {

		@AsyncJob("a")
		void call(Stream<String> them) {
		}

	}

	static class OfInput {

		@AsyncJob("a")
		void call(InputStream in) {
		}

	}

	interface Animal {

	}

	static class OfInterface {

		@AsyncJob("a")
		void call(Animal any) {
		}

	}

	static class OfInterfaces {

		@AsyncJob("a")
		void call(Map<String, List<Animal>> all) {
		}

	}

	static class Lossy {

		@SuppressWarnings("UnusedVariable")
		private String secret = "";

	}

	static class OfLossyClass {

		@AsyncJob("a")
		void call(Lossy one) {
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	interface Named {

	}

	/**
	 * Its values come back although that of one property may have any class.
	 *
	 * @param typed names its class
	 * @param read is read by the application
	 * @param anything has the types that JSON has
	 * @param next another one
	 */
	record Exact(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Number typed,
			@JsonDeserialize(using = NumberReader.class) Number read, Map<String, Object> anything,
			@Nullable Exact next) {
	}

	static class NumberReader extends ValueDeserializer<Number> {

		@Override
		public Number deserialize(JsonParser parser, DeserializationContext context) {
			return parser.getLongValue();
		}

	}

	static class Accepted {

		@AsyncJob("a")
		JobReceipt call(Map<String, Object> anything, List<Named> named, Exact exact, Class<?> type,
				Map.Entry<String, Long> entry, Iterable<String> all, CharSequence text, Date date, Path path,
				ZoneId zone, JsonNode json, Map<TimeUnit, int[]> byUnit) {
			return AsyncJobTestBase.RECEIPT;
		}

	}

	static class OfContext {

		@AsyncJob("a")
		void call(JobContext job) {
		}

	}

	static class Early implements BeanPostProcessor {

		Early(Accepted accepted) {
			assertThat(accepted).isNotNull();
		}

	}

}
