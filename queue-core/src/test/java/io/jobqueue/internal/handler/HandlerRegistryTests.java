package io.jobqueue.internal.handler;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobHandlerRegistry.Handler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.TestNames;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * What can be registered, and what is said of the rest.
 */
class HandlerRegistryTests {

	private final DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();

	private final JobTypes types = new JobTypes();

	private final JobHandlers handlers = new JobHandlers(this.beanFactory, this.types,
			new PayloadCodecs(new JacksonPayloadCodec(new JsonMapper())),
			TestNames.unobserved(this.beanFactory.getBeanProvider(JobInterceptor.class)));

	private final HandlerRegistry registry = new HandlerRegistry(this.handlers, this.types, Set.of("relayed"));

	HandlerRegistryTests() {
		this.beanFactory.registerSingleton("mails", new Mails());
	}

	@Test
	void registeredHandlerIsKnownLikeABean() {
		List<Set<String>> changes = new ArrayList<>();
		this.handlers.afterSingletonsInstantiated();
		this.handlers.onChange(() -> changes.add(this.handlers.typesByQueue().keySet()));
		this.registry.register("letters", Letter.class, succeeding());
		assertThat(changes).containsExactly(Set.of("letters", "emails"));
		assertThat(this.handlers.typesByQueue()).containsEntry("letters", Set.of("letter", "old-letter"))
			.containsEntry("emails", Set.of("mail"));
		assertThat(this.handlers.queueOfOnlyHandler("letter")).isEqualTo("letters");
		assertThat(this.handlers.find("letters", "old-letter")).isNotNull();
		this.registry.unregister("letters", Letter.class);
		assertThat(this.handlers.typesByQueue()).containsOnlyKeys("emails");
		assertThat(this.handlers.find("letters", "letter")).isNull();
		assertThat(this.handlers.find("emails", "mail")).isNotNull();
	}

	@Test
	void hashCodeOfAHandlerMayChangeAtAnyTime() {
		this.handlers.afterSingletonsInstantiated();
		this.registry.register("letters", Letter.class, new Changing());
		assertThat(this.handlers.find("letters", "letter")).isNotNull();
		this.registry.unregister("letters", Letter.class);
		assertThat(this.handlers.typesByQueue()).containsOnlyKeys("emails");
	}

	@Test
	void handlersMayBeRegisteredWhileTheApplicationStarts() {
		this.registry.register("letters", Letter.class, succeeding());
		this.registry.register("cards", Letter.class, succeeding());
		this.registry.unregister("cards", Letter.class);
		assertThat(this.handlers.queues()).contains("letters", "emails").doesNotContain("cards");
		this.handlers.afterSingletonsInstantiated();
		assertThat(this.handlers.typesByQueue()).containsOnlyKeys("letters", "emails");
		assertThat(this.handlers.find("letters", "letter")).isNotNull();
	}

	@Test
	void handlerOfABeanThatIsAlsoRegisteredIsRefusedAtTheStart() {
		this.registry.register("emails", Mail.class, succeeding());
		assertRefused(this.handlers::afterSingletonsInstantiated, "Jobs of type 'mail' in queue 'emails'",
				"two handlers");
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullIsNamed() {
		assertNamed("queue", () -> this.registry.register(null, Letter.class, succeeding()));
		assertNamed("payload", () -> this.registry.register("letters", (Class<Letter>) null, succeeding()));
		assertNamed("handler", () -> this.registry.register("letters", Letter.class, null));
		assertNamed("queue", () -> this.registry.unregister(null, Letter.class));
		assertNamed("payload", () -> this.registry.unregister("letters", null));
	}

	private static void assertNamed(String argument, ThrowingCallable call) {
		assertThatNullPointerException().isThrownBy(call).withMessage("'%s' must not be null", argument);
	}

	@Test
	void secondHandlerIsRefusedAtAnyTime() {
		this.registry.register("letters", Letter.class, succeeding());
		assertRefused(() -> this.registry.register("letters", Letter.class, succeeding()),
				"Jobs of type 'letter' in queue 'letters' have two handlers",
				"the handler registered for " + Letter.class.getName());
		this.handlers.afterSingletonsInstantiated();
		assertRefused(() -> this.registry.register("letters", Letter.class, succeeding()),
				"Jobs of type 'letter' in queue 'letters' have two handlers");
		assertRefused(() -> this.registry.register("emails", Mail.class, succeeding()),
				"Jobs of type 'mail' in queue 'emails' have two handlers", "(bean 'mails')");
		assertThat(this.handlers.typesByQueue()).containsOnlyKeys("letters", "emails");
	}

	@Test
	void whatCannotBeHandledIsRefused() {
		assertRefused(() -> this.registry.register("E-Mails", Letter.class, succeeding()), "queue 'E-Mails'",
				"Use a queue name that matches");
		assertRefused(() -> this.registry.register("relayed", Letter.class, succeeding()),
				"the queue has a relay, 'jobqueue.queues.relayed.relay'", "register the handler for another queue");
		assertRefused(() -> this.registry.register("emails", Map.class, succeeding()), "a Map does not name a type",
				"Register it for a record or class");
		assertRefused(() -> this.registry.register("emails", List.class, succeeding()), "a List is not a payload");
		assertRefused(() -> this.registry.register("emails", int.class, succeeding()), "int has no name to use");
		assertRefused(() -> this.registry.register("emails", Runnable.class, succeeding()),
				"takes the interface java.lang.Runnable", "Write a handler for each concrete class");
		this.registry.register("letters", Letter.class, succeeding());
		assertRefused(() -> this.registry.register("emails", OldLetter.class, succeeding()), "'old-letter' names both");
	}

	@Test
	void unregisteredHandlerCannotBeRemoved() {
		this.handlers.afterSingletonsInstantiated();
		assertRefused(() -> this.registry.unregister("letters", Letter.class),
				"No handler of type 'letter' was registered for queue 'letters'");
		assertRefused(() -> this.registry.unregister("emails", Mail.class),
				"a @JobHandler method cannot be unregistered");
		assertThat(this.handlers.find("emails", "mail")).isNotNull();
	}

	private static <T> Handler<T> succeeding() {
		return (payload, job) -> JobResult.success();
	}

	private static void assertRefused(ThrowingCallable change, String... messages) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(change)
			.satisfies((ex) -> assertThat(ex.getMessage()).contains(messages));
	}

	@JobType(value = "letter", aliases = "old-letter")
	record Letter(String text) {
	}

	@JobType("old-letter")
	record OldLetter(String text) {
	}

	static final class Changing implements Handler<Letter> {

		private int calls;

		@Override
		public JobResult handle(Letter letter, JobContext job) {
			return JobResult.success();
		}

		@Override
		public boolean equals(Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			return this.calls++;
		}

	}

	static final class Mails {

		@JobHandler(queue = "emails")
		void handle(Mail mail) {
		}

	}

}
