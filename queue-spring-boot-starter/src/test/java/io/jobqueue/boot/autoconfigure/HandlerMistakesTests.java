package io.jobqueue.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.beans.factory.ObjectFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.context.WebApplicationContext;

import io.jobqueue.AsyncJob;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueue;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What is said about handlers that cannot work.
 */
class HandlerMistakesTests extends QueueTestBase {

	static final Arguments[] MISTAKES = {
			arguments(WithoutPayload.class, "has 0 payload parameters instead of one", "Declare one parameter"),
			arguments(WithTwoPayloads.class, "has 2 payload parameters instead of one", "Declare one parameter"),
			arguments(Asynchronous.class, "returns a CompletableFuture: its job would succeed before its work is done",
					"Wait for the work in the handler"),
			arguments(Misnamed.class, "has no non-private method named 'handle'", "Name its handler methods 'handle'"),
			arguments(InBadQueue.class, "names queue 'E-Mails'", "Use a name that matches"),
			arguments(InBackground.class, "is @Async, on the method or on its class: its job would succeed before",
					"Remove @Async"),
			arguments(ClassInBackground.class, "is @Async, on the method or on its class", "Remove @Async"),
			arguments(OfRequest.class, " has the scope 'request', which is not active", "Make the bean a singleton"),
			arguments(OfRequestByProxy.class, " has the scope 'request', which is not active",
					"Make the bean a singleton"),
			arguments(WithoutType.class, "takes a Map, whose class does not name the job type",
					"@JobHandler(type = …)"),
			arguments(OfOptional.class, " takes java.util.Optional, which cannot be a payload.", "Take a record"),
			arguments(OfArray.class, " takes " + Greeting.class.getName() + "[], which cannot be a payload.",
					"Take a record"),
			arguments(OfNumber.class, " takes long, which cannot be a payload.", "Take a record"),
			arguments(OfAnything.class, " takes java.lang.Object, which cannot be a payload.", "Take a record"),
			arguments(WithUnknownPolicy.class, "names the retry policy 'politely'", "Declare the bean"),
			arguments(Twin.class, "Jobs of type 'Greeting' in queue 'default' have two handlers", "Remove one of them"),
			arguments(Impostor.class, "'Greeting' names both", "@JobType"),
			arguments(AliasImpostor.class, "'Greeting' names both", "@JobType"),
			arguments(SharedAlias.class, "'old-name' names both", "@JobType"),
			arguments(MisspeltAlias.class, "without spaces", "@JobType"),
			arguments(OfList.class, " takes a List, but a handler takes a single payload.",
					"Take a record, and enqueue one job per element with enqueueAll."),
			arguments(OfNumbers.class, " takes an IntStream, but a handler takes a single payload.",
					"Take a record, and enqueue one job per element with enqueueAll."),
			arguments(OfTypedRecord.class, " has type = \"x\", but its payload's class " + Greeting.class.getName(),
					"Remove type = \"x\", or put @JobType(\"x\") on Greeting."),
			arguments(OfInterface.class, " takes the interface " + Animal.class.getName(),
					"Write a handler for each concrete class"),
			arguments(OfAbstractClass.class, " takes the abstract class " + Shape.class.getName(),
					"Write a handler for each concrete class"),
			arguments(OfUnreadable.class, "Cage, which can be serialized but not deserialized: 'animal' of ",
					"annotate interfaces with @JsonTypeInfo"),
			arguments(OfInner.class, "Inner has neither a constructor for its properties nor one without parameters",
					"or one with @JsonCreator; nested classes must be static"),
			arguments(InNewTransaction.class, "has propagation REQUIRES_NEW", "Remove that propagation"),
			arguments(OutsideTransaction.class, "has propagation NOT_SUPPORTED", "Remove that propagation"),
			arguments(NeverInTransaction.class, "has propagation NEVER", "Remove that propagation"),
			arguments(InNewJakartaTransaction.class, "has propagation REQUIRES_NEW", "Remove that propagation"),
			arguments(OfEntities.class,
					" with %s, an entity, which may have changed".formatted(Customer.class.getName()),
					"Pass the id of the entity"),
			arguments(OfEntityInRecord.class,
					" with 'customer' of %s (%s), an entity".formatted(Contract.class.getName(),
							Customer.class.getName()),
					"Pass the id of the entity"),
			arguments(WithoutRunTime.class, " has maxRunTime = \"0s\"", "Set a duration from 1ms to 100 years."),
			arguments(WithNegativeDelay.class, " has backoff = \"-5s\"", "Set a duration from 0ms to 100 years."),
			arguments(WithoutUnit.class, " has maxRunTime = \"30\"", "Set a duration with its unit") };

	static final Arguments[] WITHOUT_VALUE = { arguments(InUnknownQueue.class, "queue"),
			arguments(WithUnknownRunTime.class, "maxRunTime"), arguments(WithUnknownBackoff.class, "backoff") };

	@ParameterizedTest
	@FieldSource("MISTAKES")
	void mistakeIsNamed(Class<?> handler, String description, String action) {
		assertRefused(failure(handler), handler, description, action);
	}

	@ParameterizedTest
	@FieldSource("WITHOUT_VALUE")
	void placeholderWithoutValueIsNamed(Class<?> handler, String attribute) {
		this.contextRunner.withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
			.withBean(handler)
			.run((context) -> assertRefused(context.getStartupFailure(), handler,
					" has %s = \"${no.such}\", whose placeholder has no value".formatted(attribute),
					"Set that property"));
	}

	@Test
	void handlersThatLeaveNoTransactionAreAccepted() {
		this.contextRunner.withBean(InSameTransaction.class)
			.withBean(AtLeastOnceInNewTransaction.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void refusedScopeHasItsCause() {
		assertThat(failure(OfRequest.class)).hasRootCauseInstanceOf(IllegalStateException.class)
			.rootCause()
			.hasMessageContaining("No Scope registered for scope name 'request'");
	}

	@Test
	void scopeThatAnInterceptorOpensAroundRunsIsAccepted() {
		TenantScope scope = new TenantScope();
		this.contextRunner.withInitializer((context) -> context.getBeanFactory().registerScope("tenant", scope))
			.withBean("interceptor", JobInterceptor.class, () -> scope)
			.withBean(OfTenantByProxy.class)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("later", new Greeting("hi"));
				await().atMost(Duration.ofSeconds(30)).until(() -> scope.called.get() == 1);
			});
	}

	@Test
	void scopeThatAnInterceptorOpensNeedsAProxy() {
		TenantScope scope = new TenantScope();
		this.contextRunner.withInitializer((context) -> context.getBeanFactory().registerScope("tenant", scope))
			.withBean(OfTenant.class)
			.run((context) -> {
				assertRefused(context.getStartupFailure(), OfTenant.class,
						" has the scope 'tenant', which is not active", "needs a scoped proxy");
				assertThat(context.getStartupFailure()).rootCause().hasMessage("There is no tenant");
			});
	}

	@Test
	void methodMustNotBeHiddenByProxy() {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		this.contextRunner.withBean(HiddenByProxy.class)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.run((context) -> failure.set(context.getStartupFailure()));
		assertRefused(failure.get(), HiddenByProxy.class, "is not accessible through the bean's JDK proxy",
				"proxyTargetClass = true");
	}

	@Test
	void aliasMustNotBeATypeThatAnotherHandlerNames() {
		this.contextRunner.withBean(Faxes.class)
			.withBean(Letters.class)
			.run((context) -> assertRefused(context.getStartupFailure(), Letters.class,
					"Jobs of type 'fax' in queue 'faxes' have two handlers", "Remove the alias 'fax'"));
	}

	@Test
	void mistakesAreNamedWithoutWorkerToo() {
		this.contextRunner.withBean(Asynchronous.class)
			.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> assertRefused(context.getStartupFailure(), Asynchronous.class, "CompletableFuture",
					"Wait for the work"));
	}

	private Throwable failure(Class<?> handler) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		this.contextRunner.withBean(Greetings.class)
			.withBean(handler)
			.run((context) -> failure.set(context.getStartupFailure()));
		return failure.get();
	}

	private static void assertRefused(Throwable failure, Class<?> handler, String description, String action) {
		FailureAnalysis analysis = analyze(failure);
		assertThat(analysis.getDescription()).contains(handler.getName(), description).endsWith(".");
		assertThat(analysis.getAction()).contains(action).endsWith(".");
	}

	record Contract(long number, Customer customer) {
	}

	static class OfEntityInRecord {

		@AsyncJob("sign")
		void sign(List<Contract> contracts) {
		}

	}

	static class OfEntities {

		@AsyncJob("greet-all")
		void call(List<Customer> customers) {
		}

	}

	static class WithoutPayload {

		@JobHandler
		void handle() {
		}

	}

	static class WithTwoPayloads {

		@JobHandler
		void handle(Greeting one, Greeting other) {
		}

	}

	static class Asynchronous {

		@JobHandler(queue = "later")
		CompletableFuture<Greeting> handle(Greeting greeting) {
			return CompletableFuture.completedFuture(greeting);
		}

	}

	@Scope(WebApplicationContext.SCOPE_REQUEST)
	static class OfRequest {

		@JobHandler(queue = "later")
		void handle(Greeting greeting) {
		}

	}

	@Scope(scopeName = WebApplicationContext.SCOPE_REQUEST, proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class OfRequestByProxy {

		@JobHandler(queue = "later")
		void handle(Greeting greeting) {
		}

	}

	@Scope("tenant")
	static class OfTenant {

		@JobHandler(queue = "later")
		void handle(Greeting greeting) {
		}

	}

	@Scope(scopeName = "tenant", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class OfTenantByProxy {

		@JobHandler(queue = "later")
		void handle(Greeting greeting) {
		}

	}

	/**
	 * A scope that is active while a handler runs, with a new bean for each call.
	 */
	static class TenantScope implements org.springframework.beans.factory.config.Scope, JobInterceptor {

		private final ThreadLocal<Boolean> open = ThreadLocal.withInitial(() -> false);

		private final AtomicInteger called = new AtomicInteger();

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
			this.open.set(true);
			try {
				JobResult result = next.call();
				this.called.incrementAndGet();
				return result;
			}
			finally {
				this.open.remove();
			}
		}

		@Override
		public Object get(String name, ObjectFactory<?> factory) {
			if (!this.open.get()) {
				throw new IllegalStateException("There is no tenant");
			}
			return factory.getObject();
		}

		@Override
		public @Nullable Object remove(String name) {
			return null;
		}

		@Override
		public void registerDestructionCallback(String name, Runnable callback) {
		}

	}

	static class InBackground {

		@Async
		@JobHandler(queue = "later")
		public void handle(Greeting greeting) {
		}

	}

	@Async
	static class ClassInBackground {

		@JobHandler(queue = "later")
		public void handle(Greeting greeting) {
		}

	}

	static class OfOptional {

		@JobHandler(queue = "nameless")
		void handle(Optional<Greeting> greeting) {
		}

	}

	static class OfArray {

		@JobHandler(queue = "nameless")
		void handle(Greeting... greetings) {
		}

	}

	static class OfNumber {

		@JobHandler(queue = "nameless")
		void handle(long id) {
		}

	}

	static class OfAnything {

		@JobHandler(queue = "nameless")
		void handle(Object anything) {
		}

	}

	@JobHandler
	static class Misnamed {

		void greet(Greeting greeting) {
		}

	}

	static class InBadQueue {

		@JobHandler(queue = "E-Mails")
		void handle(Greeting greeting) {
		}

	}

	static class WithoutType {

		@JobHandler
		void handle(Map<String, Object> payload) {
		}

	}

	static class WithUnknownPolicy {

		@JobHandler(queue = "polite", retryPolicy = "politely")
		void handle(Greeting greeting) {
		}

	}

	static class Twin {

		@JobHandler
		void handle(Greeting greeting) {
		}

	}

	static class Impostor {

		@JobHandler(queue = "impostors")
		void handle(Fake greeting) {
		}

		@JobType("Greeting")
		record Fake(String name) {
		}

	}

	static class AliasImpostor {

		@JobHandler(queue = "impostors")
		void handle(Salutation greeting) {
		}

		@JobType(aliases = "Greeting")
		record Salutation(String name) {
		}

	}

	@JobHandler(queue = "shared")
	static class SharedAlias {

		void handle(One one) {
		}

		void handle(Other other) {
		}

		@JobType(aliases = "old-name")
		record One(String name) {
		}

		@JobType(aliases = "old-name")
		record Other(String name) {
		}

	}

	static class Faxes {

		@JobHandler(queue = "faxes", type = "fax")
		void fax(String text) {
		}

	}

	@JobHandler(queue = "faxes")
	static class Letters {

		void handle(Letter letter) {
		}

		@JobType(aliases = "fax")
		record Letter(String text) {
		}

	}

	@JobHandler(queue = "misspelt")
	static class MisspeltAlias {

		void handle(Misspelt misspelt) {
		}

		@JobType(aliases = "old name")
		record Misspelt(String text) {
		}

	}

	static class OfList {

		@JobHandler(queue = "lists")
		void handle(List<Greeting> greetings) {
		}

	}

	static class OfNumbers {

		@JobHandler(queue = "numbers")
		void handle(IntStream numbers) {
		}

	}

	static class OfTypedRecord {

		@JobHandler(queue = "typed", type = "x")
		void handle(Greeting greeting) {
		}

	}

	static class OfInterface {

		@JobHandler(queue = "animals")
		void handle(Animal animal) {
		}

	}

	sealed interface Animal {

		record Dog(String name) implements Animal {
		}

	}

	static class OfUnreadable {

		@JobHandler(queue = "cages")
		void handle(Cage cage) {
		}

		record Cage(Animal animal) {
		}

	}

	static class OfInner {

		@JobHandler(queue = "inner")
		void handle(Inner inner) {
		}

		@SuppressWarnings("ClassCanBeStatic")
		class Inner {

			public int count;

		}

	}

	static class OfAbstractClass {

		@JobHandler(queue = "shapes")
		void handle(Shape shape) {
		}

	}

	abstract static class Shape {

	}

	static class InUnknownQueue {

		@JobHandler(queue = "${no.such}")
		void handle(Greeting greeting) {
		}

	}

	static class WithUnknownRunTime {

		@JobHandler(queue = "times", maxRunTime = "${no.such}")
		void handle(Greeting greeting) {
		}

	}

	static class WithUnknownBackoff {

		@JobHandler(queue = "times", backoff = { "1s", "${no.such}" })
		void handle(Greeting greeting) {
		}

	}

	static class WithoutRunTime {

		@JobHandler(queue = "times", maxRunTime = "0s")
		void handle(Greeting greeting) {
		}

	}

	static class WithNegativeDelay {

		@JobHandler(queue = "times", backoff = "-5s")
		void handle(Greeting greeting) {
		}

	}

	static class WithoutUnit {

		@JobHandler(queue = "times", maxRunTime = "30")
		void handle(Greeting greeting) {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@Transactional(propagation = Propagation.REQUIRES_NEW)
	@interface Apart {

	}

	static class InNewTransaction {

		@Apart
		@JobHandler(queue = "apart", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting) {
		}

	}

	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	static class OutsideTransaction {

		@JobHandler(queue = "apart", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting) {
		}

	}

	static class NeverInTransaction {

		@Transactional(propagation = Propagation.NEVER)
		@JobHandler(queue = "apart", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting) {
		}

	}

	@jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
	static class InNewJakartaTransaction {

		@JobHandler(queue = "apart", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting) {
		}

	}

	@Transactional(propagation = Propagation.REQUIRES_NEW)
	static class InSameTransaction {

		@Transactional(propagation = Propagation.MANDATORY)
		@JobHandler(queue = "together", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting) {
		}

	}

	static class AtLeastOnceInNewTransaction {

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@JobHandler(queue = "apart")
		void handle(Greeting greeting) {
		}

	}

	static class HiddenByProxy implements Runnable {

		@Override
		@Transactional
		public void run() {
		}

		@JobHandler
		void handle(Greeting greeting) {
		}

	}

}
