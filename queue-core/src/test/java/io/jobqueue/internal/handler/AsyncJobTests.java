package io.jobqueue.internal.handler;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import io.jobqueue.AsyncJob;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.UnreadablePayloadException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Methods whose calls become jobs.
 */
class AsyncJobTests extends AsyncJobTestBase {

	private static final List<@Nullable Object> BODIES = new ArrayList<>();

	@BeforeEach
	void forget() {
		BODIES.clear();
	}

	@Test
	void callIsAJobWithItsArguments() throws Exception {
		run((context) -> {
			context.getBean(Bank.class).credit(7, new BigDecimal("2.50"), null);
			assertThat(this.requests).singleElement()
				.satisfies((request) -> assertThat(request.type()).isEqualTo("credit"))
				.satisfies((request) -> assertThat(request.queue()).isEqualTo("bookings"));
			assertThat(stored()).isEqualTo("""
					{"account":7,"amount":2.50,"note":null}""");
			assertThat(BODIES).isEmpty();
		}, Bank.class);
	}

	@Test
	void jobCallsTheBody() throws Exception {
		run((context) -> {
			work(context, "bookings", "credit", """
					{"account": 7, "amount": 2.50, "note": "hi"}""");
			assertThat(BODIES).containsExactly("7 2.50 hi");
			assertThat(this.requests).isEmpty();
		}, Bank.class);
	}

	@Test
	void callerGetsTheReceipt() throws Exception {
		run((context) -> {
			assertThat(context.getBean(Bank.class).receipt()).isEqualTo(RECEIPT);
			work(context, "default", "receipt", "{}");
			assertThat(BODIES).containsExactly("receipt");
		}, Bank.class);
	}

	@Test
	void valuesComeBackByTheTypesOfTheParameters() throws Exception {
		Consumer<Rich> call = (rich) -> rich.take(List.of(new Line("a", new BigDecimal("0.10"))),
				List.of(new Circle(2), new Square(3)), Optional.of(4L), Optional.empty(), Instant.EPOCH,
				Map.of(Unit.PIECE, Duration.ofMinutes(5)), new byte[] { 1, 2 }, 'x', 1.1f, Double.NaN, 1e300,
				new BigDecimal("12345678901234567890.12345678901234567890"), Map.of("any", 1));
		call.accept(new Rich());
		List<@Nullable Object> expected = List.copyOf(BODIES);
		run((context) -> assertComesBack(context, call, expected), Rich.class);
		useApplicationMapper();
		run((context) -> assertComesBack(context, call, expected), Rich.class);
	}

	private void assertComesBack(AnnotationConfigApplicationContext context, Consumer<Rich> call,
			List<@Nullable Object> expected) throws Exception {
		BODIES.clear();
		call.accept(context.getBean(Rich.class));
		String payload = stored();
		assertThat(BODIES).isEmpty();
		work(context, "default", "rich", payload);
		assertThat(BODIES).as(payload).isEqualTo(expected);
	}

	@Test
	void missingValueIsNullAndUnknownOneIsIgnored() throws Exception {
		run((context) -> {
			work(context, "bookings", "credit", """
					{"account": 7, "colour": "s3cret"}""");
			assertThat(BODIES).containsExactly("7 null null");
		}, Bank.class);
	}

	@Test
	void primitiveWithoutValueFailsAndIsNamed() throws Exception {
		run((context) -> {
			for (String payload : List.of("{}", "{\"account\": null}", "{\"account\": \"s3cret\"}")) {
				assertThatExceptionOfType(UnreadablePayloadException.class)
					.isThrownBy(() -> work(context, "bookings", "credit", payload))
					.withMessageContaining("at 'account': ")
					.withMessageContaining("long in " + Bank.class.getName())
					.withMessageNotContaining("s3cret")
					.withMessageNotContaining("line");
			}
			assertThat(BODIES).isEmpty();
		}, Bank.class);
	}

	@Test
	void argumentThatCannotBeWrittenIsRejectedAndNamed() throws Exception {
		run((context) -> {
			assertThatExceptionOfType(JobRejectedException.class)
				.isThrownBy(() -> context.getBean(Bank.class).broken(List.of(new Broken(1))))
				.withMessageStartingWith("Job rejected: 'parts' of %s.broken cannot be serialized: ",
						Bank.class.getName())
				.withMessageContaining("'parts.[0].cents'")
				.withRootCauseInstanceOf(IllegalStateException.class);
			assertThat(this.requests).isEmpty();
		}, Bank.class);
	}

	@Test
	void bodyReceivesTheContextOfItsJob() throws Exception {
		run((context) -> {
			context.getBean(Bank.class).report("may", null);
			String payload = stored();
			assertThat(payload).isEqualTo("""
					{"month":"may"}""");
			work(context, "default", "report", payload);
			assertThat(BODIES).containsExactly("may by report");
		}, Bank.class);
	}

	/**
	 * Of the method itself, of another one and, by its own reference, of none.
	 */
	@Test
	void callsOfABodyAreJobs() throws Exception {
		run((context) -> {
			work(context, "default", "recurse", "{\"left\": 2}");
			assertThat(BODIES).containsExactly("recurse 2", "recurse 0");
			assertThat(this.requests).extracting("type").containsExactly("recurse", "recurse", "receipt");
		}, Recursive.class, Bank.class);
	}

	@Test
	void bodyThatIsNotReachedLeavesNothingToTheNextCall() throws Exception {
		run((context) -> {
			Bank bank = context.getBean(Bank.class);
			Object unused = AsyncJobAdvice.running(Bank.class.getDeclaredMethod("receipt"), () -> null).call();
			assertThat(bank.receipt()).isEqualTo(RECEIPT);
			assertThat(BODIES).isEmpty();
		}, Bank.class);
	}

	/**
	 * As when advice before ours calls another method, whose job runs inline.
	 */
	@Test
	void jobWithinAnotherOneLeavesThatItsBody() throws Exception {
		run((context) -> {
			Bank bank = context.getBean(Bank.class);
			Object unused = AsyncJobAdvice.running(Bank.class.getDeclaredMethod("receipt"), () -> {
				bank.report("may", null);
				work(context, "default", "report", stored());
				return bank.receipt();
			}).call();
			assertThat(BODIES).containsExactly("may by report", "receipt");
			assertThat(this.requests).isEmpty();
		}, Bank.class);
	}

	@Test
	void failureOfTheBodyIsThatOfTheAttempt() throws Exception {
		run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> work(context, "default", "fail", "{}"))
				.withMessage("no luck");
			context.getBean(Bank.class).fail();
			assertThat(stored()).isEqualTo("{}");
		}, Bank.class);
	}

	@Test
	void inheritedMethodTakesWhatItsSubclassSaysOfItsType() throws Exception {
		run((context) -> {
			context.getBean(LineSender.class).send(new Line("a", BigDecimal.ONE));
			work(context, "default", "inherited", stored());
			assertThat(BODIES).containsExactly(new Line("a", BigDecimal.ONE));
		}, LineSender.class);
	}

	@Test
	void methodOfAnInterfaceIsCalledThroughAJdkProxy() throws Exception {
		run((context) -> {
			Letters letters = context.getBean(Letters.class);
			assertThat(letters).isNotInstanceOf(Post.class);
			letters.send("hi");
			String payload = stored();
			assertThat(payload).isEqualTo("""
					{"content":"hi"}""");
			work(context, "default", "letter", payload);
			assertThat(BODIES).containsExactly("sent hi");
		}, Post.class);
	}

	/**
	 * Their class is known once they are created, or never.
	 */
	@ParameterizedTest
	@ValueSource(classes = { LazyPost.class, PrototypePost.class })
	void beanMayBeKnownByItsInterfaceOnly(Class<?> configuration) throws Exception {
		run((context) -> {
			context.getBean(Letters.class).send("hi");
			String payload = stored();
			assertThat(payload).isEqualTo("""
					{"content":"hi"}""");
			work(context, "default", "letter", payload);
			assertThat(BODIES).containsExactly("sent hi");
			assertThat(this.requests).isEmpty();
		}, configuration);
	}

	@Test
	void beanMayHaveAScopeOfItsOwn() throws Exception {
		run((context) -> {
			context.getBean(Scoped.class).call(1);
			work(context, "default", "scoped", stored());
			assertThat(BODIES).containsExactly(1);
		}, Scoped.class);
	}

	@Test
	void prototypeIsCreatedForEachJob() throws Exception {
		run((context) -> {
			context.getBean(Prototype.class).call();
			String payload = stored();
			work(context, "default", "prototype", payload);
			work(context, "default", "prototype", payload);
			assertThat(BODIES).hasSize(2).doesNotHaveDuplicates();
		}, Prototype.class);
	}

	/**
	 * The queue of the class is that of its methods, and placeholders are resolved.
	 */
	@Test
	void attributesAreThoseOfAHandler() throws Exception {
		run((context) -> {
			context.getBean(Attributed.class).call();
			assertThat(this.requests).singleElement()
				.satisfies((request) -> assertThat(request.queue()).isEqualTo("of-class"));
			HandlerInvoker handler = context.getBean(JobHandlers.class).find("of-class", "attributed");
			assertThat(handler.delivery()).isEqualTo(Delivery.AT_MOST_ONCE);
			assertThat(handler.options().maxAttempts()).isEqualTo(3);
			assertThat(handler.options().maxRunTime()).isEqualTo(Duration.ofSeconds(30));
			assertThat(handler.options().retryPolicy()).isNotNull();
			assertThat(handler.failsOn(new IllegalStateException())).isTrue();
			assertThat(handler.succeedsOn(new IllegalArgumentException())).isTrue();
		}, Attributed.class);
	}

	@Test
	void methodOfNoBeanIsRejected() throws Exception {
		run((context) -> {
			Bank bank = (Bank) context.getAutowireCapableBeanFactory().initializeBean(new Bank() {
				@Override
				@AsyncJob("another")
				public JobReceipt receipt() {
					return RECEIPT;
				}
			}, "inner");
			assertThatExceptionOfType(JobRejectedException.class).isThrownBy(bank::receipt)
				.withMessageContaining("no bean of this context is known to have it");
		}, Bank.class);
	}

	private void run(Check test, Class<?>... beans) throws Exception {
		this.requests.clear();
		try (AnnotationConfigApplicationContext context = context(beans)) {
			context.refresh();
			test.of(context);
		}
	}

	@FunctionalInterface
	private interface Check {

		void of(AnnotationConfigApplicationContext context) throws Exception;

	}

	static class Bank {

		@AsyncJob(value = "credit", queue = "bookings")
		void credit(long account, @Nullable BigDecimal amount, @Nullable String note) {
			BODIES.add(account + " " + amount + " " + note);
		}

		@AsyncJob("receipt")
		@Nullable JobReceipt receipt() {
			BODIES.add("receipt");
			return null;
		}

		@AsyncJob("report")
		void report(@Nullable String month, @Nullable JobContext job) {
			BODIES.add(month + " by " + job.type());
		}

		@AsyncJob("broken")
		void broken(List<Broken> parts) {
		}

		@AsyncJob("fail")
		void fail() {
			throw new IllegalStateException("no luck");
		}

	}

	record Broken(int cents) {

		@Override
		public int cents() {
			throw new IllegalStateException("unknown");
		}

	}

	record Line(String product, BigDecimal price) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes({ @JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class) })
	interface Shape {

	}

	record Circle(int radius) implements Shape {
	}

	record Square(int side) implements Shape {
	}

	enum Unit {

		PIECE

	}

	static class Rich {

		@AsyncJob("rich")
		void take(List<Line> lines, List<? extends Shape> shapes, Optional<Long> some, Optional<String> none,
				Instant time, Map<Unit, Duration> byUnit, byte[] bytes, char letter, float small, double number,
				double large, BigDecimal exact, Map<String, Object> anything) {
			BODIES.addAll(Arrays.asList(lines, shapes, some, none, time, byUnit, Arrays.toString(bytes), letter, small,
					number, large, exact, anything));
		}

	}

	static class Recursive {

		private final ObjectProvider<Recursive> proxy;

		private final Bank bank;

		Recursive(ObjectProvider<Recursive> proxy, Bank bank) {
			this.proxy = proxy;
			this.bank = bank;
		}

		@AsyncJob("recurse")
		void recurse(int left) {
			BODIES.add("recurse " + left);
			if (left > 0) {
				this.proxy.getObject().recurse(left - 1);
				this.proxy.getObject().recurse(left - 1);
				this.bank.receipt();
				recurse(0);
			}
		}

	}

	interface Letters {

		@AsyncJob("letter")
		void send(String content);

	}

	static class Post implements Letters {

		@Override
		public void send(String letter) {
			BODIES.add("sent " + letter);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyPost {

		@Bean
		@Lazy
		Letters letters() {
			return new Post();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypePost {

		@Bean
		@Scope("prototype")
		Letters letters() {
			return new Post();
		}

	}

	static class Sender<T> {

		@AsyncJob("inherited")
		public void send(T content) {
			BODIES.add(content);
		}

	}

	static class LineSender extends Sender<Line> {

	}

	@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class Scoped {

		@AsyncJob("scoped")
		void call(int number) {
			BODIES.add(number);
		}

	}

	@Scope("prototype")
	static class Prototype {

		@AsyncJob("prototype")
		void call() {
			BODIES.add(this);
		}

	}

	@JobHandler(queue = "${no.such:of-class}")
	static class Attributed {

		@AsyncJob(value = "attributed", delivery = Delivery.AT_MOST_ONCE, maxAttempts = 3, maxRunTime = "30s",
				backoff = "1m", failOn = IllegalStateException.class, succeedOn = IllegalArgumentException.class)
		void call() {
		}

	}

}
