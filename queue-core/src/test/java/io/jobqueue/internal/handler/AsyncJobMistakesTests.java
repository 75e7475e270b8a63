package io.jobqueue.internal.handler;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

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
			arguments(OfObject.class, "has the parameter 'it' with the type java.lang.Object, which cannot be stored",
					"Use records"),
			arguments(OfObjects.class, "has the parameter 'them' with the type java.lang.Object", "Use records"),
			arguments(OfAnyThings.class, "has the parameter 'them' with the type java.lang.Object", "Use records"),
			arguments(OfStream.class, "has the parameter 'them' with the type java.util.stream.Stream", "Use records"),
			arguments(OfInput.class, "has the parameter 'in' with the type java.io.InputStream", "Use records"),
			arguments(OfInterface.class, "'any', which can be serialized but not deserialized: the interface ",
					"annotate interfaces with @JsonTypeInfo"),
			arguments(OfInterfaces.class, "'all', which can be serialized but not deserialized: the interface ",
					"annotate interfaces with @JsonTypeInfo"),
			arguments(OfLossyClass.class, "'one', which can be serialized but not deserialized: 'secret' of ",
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
	void receiptMapOfAnythingAndSubtypesWithNamesAreAccepted() {
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

	static class Accepted {

		@AsyncJob("a")
		JobReceipt call(Map<String, Object> anything, List<Named> named) {
			return AsyncJobTestBase.RECEIPT;
		}

	}

	static class Early implements BeanPostProcessor {

		Early(Accepted accepted) {
			assertThat(accepted).isNotNull();
		}

	}

}
