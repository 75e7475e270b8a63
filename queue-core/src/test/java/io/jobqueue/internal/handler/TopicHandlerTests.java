package io.jobqueue.internal.handler;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobType;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.TestNames;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.store.SubscriptionStore.Declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which subscriptions handlers declare.
 */
class TopicHandlerTests {

	private final DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();

	private final JobHandlers handlers = new JobHandlers(this.beanFactory, new JobTypes(),
			new PayloadCodecs(new JacksonPayloadCodec(new JsonMapper())),
			TestNames.unobserved(this.beanFactory.getBeanProvider(JobInterceptor.class)));

	@Test
	void queueIsNamedAfterTheSubscriber() {
		assertThat(subscriptions(new Archive())).containsExactly(
				new Declaration("news", "archive", Set.of("kind=daily", "region=eu"), "archive", Set.of("letter")));
	}

	@Test
	void methodTakesFromItsClassWhatItDoesNotName() {
		assertThat(subscriptions(new Office())).containsExactlyInAnyOrder(
				new Declaration("news", "office", Set.of("region=eu"), "desk", Set.of("mail")),
				new Declaration("post", "office", Set.of("region=eu"), "desk", Set.of("letter")),
				new Declaration("news", "office", Set.of("region=uk"), "cellar", Set.of("parcel")));
	}

	@Test
	void attributesMayHavePlaceholders() {
		this.beanFactory.addEmbeddedValueResolver((text) -> text.replace("${name}", "x1"));
		assertThat(subscriptions(new Placeholders()))
			.containsExactly(new Declaration("news-x1", "x1", Set.of("region=x1"), "x1", Set.of("mail")));
	}

	@Test
	void batchHandlerSubscribesToTheTypeOfItsElements() {
		assertThat(subscriptions(new Bulk()))
			.containsExactly(new Declaration("news", "bulk", Set.of(), "bulk", Set.of("mail")));
	}

	@Test
	void otherHandlersSubscribeToNothing() {
		assertThat(subscriptions(new Plain())).isEmpty();
	}

	/**
	 * A subscriber must not redirect what is enqueued, be it the first or a further one.
	 */
	@Test
	void queueOfASubscriberIsNoneOfWhatIsEnqueued() {
		register(new Plain(), new Archive(), new Office());
		try (CapturedLog log = new CapturedLog()) {
			this.handlers.afterSingletonsInstantiated();
			assertThat(log.messages()).isEmpty();
		}
		assertThat(this.handlers.queueOfOnlyHandler("mail")).isEqualTo("plain");
		assertThat(this.handlers.queueOfOnlyHandler("parcel")).isNull();
		assertThat(this.handlers.queueOfOnlyHandler("letter")).isNull();
		assertThat(this.handlers.queues()).containsExactly("archive", "cellar", "desk", "plain");
	}

	static Stream<Arguments> mistakes() {
		return Stream.of(
				Arguments.of(new Twice(), "The subscriber 'twice' of topic 'news' has two handlers of type 'mail': ",
						"give it another subscriber"),
				Arguments.of(new TwoTopics(), "Two subscriptions have a handler of type 'mail' in queue 'two': ",
						"Set another queue on one of them"),
				Arguments.of(new WithoutTopic(), "declares a subscription without a topic", "Set topic and subscriber"),
				Arguments.of(new WithoutSubscriber(), "declares a subscription without a subscriber",
						"Set topic and subscriber"),
				Arguments.of(new FilterOnly(), "declares a subscription without a topic", "Set topic and subscriber"),
				Arguments.of(new BadTopic(), "has topic = \"News!\", which is not a valid name", "[a-z0-9]"),
				Arguments.of(new BadSubscriber(), "has subscriber = \"Me\", which is not a valid name", "[a-z0-9]"),
				Arguments.of(new BadFilter(), "has filter = \"region\"", "as in \"region=eu,kind=retail\""),
				Arguments.of(new SameHeaderTwice(), "has filter = \"region=eu,region=uk\"", "each header once"),
				Arguments.of(new CommaOnly(), "CommaOnly.handle (bean 'commaOnly') has filter = \",\"",
						"each header once"),
				Arguments.of(new EmptyPart(), "has filter = \"region=eu,,kind=x\"", "each header once"),
				Arguments.of(new TrailingComma(), "has filter = \"region=eu,\"", "each header once"),
				Arguments.of(new UnstorableFilter(),
						"UnstorableFilter.handle (bean 'unstorableFilter') has a filter with the character NUL",
						"Remove the character"),
				Arguments.of(new ReservedHeader(),
						"has filter = \"region=eu,jobqueue.mdc.x=1\", but header 'jobqueue.mdc.x' is reserved",
						"do not begin with jobqueue."));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void mistakeIsNamed(Object bean, String description, String action) {
		register(bean);
		assertThatExceptionOfType(InvalidHandlerException.class).isThrownBy(this.handlers::subscriptions)
			.satisfies((refused) -> {
				assertThat(refused.getMessage()).contains(description);
				assertThat(refused.action()).contains(action).endsWith(".");
			});
	}

	private List<Declaration> subscriptions(Object bean) {
		register(bean);
		return this.handlers.subscriptions();
	}

	private void register(Object... beans) {
		for (Object bean : beans) {
			String name = bean.getClass().getSimpleName();
			this.beanFactory.registerSingleton(Character.toLowerCase(name.charAt(0)) + name.substring(1), bean);
		}
	}

	/**
	 * A payload whose own queue is that of commands.
	 *
	 * @param text its content
	 */
	@JobType(value = "letter", queue = "letters")
	record Letter(String text) {
	}

	@JobType("parcel")
	record Parcel(String text) {
	}

	static final class Archive {

		@JobHandler(topic = "news", subscriber = "archive", filter = "region=eu , kind = daily")
		void handle(Letter letter) {
			assertThat(letter).isNotNull();
		}

	}

	@JobHandler(queue = "desk", topic = "news", subscriber = "office", filter = "region=eu")
	static final class Office {

		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

		@JobHandler(topic = "post")
		void post(Letter letter) {
			assertThat(letter).isNotNull();
		}

		@JobHandler(queue = "cellar", filter = "region=uk")
		void parcel(Parcel parcel) {
			assertThat(parcel).isNotNull();
		}

	}

	static final class Placeholders {

		@JobHandler(topic = "news-${name}", subscriber = "${name}", filter = "region=${name}")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class Bulk {

		@JobHandler(topic = "news", subscriber = "bulk", batchSize = 10)
		void handle(List<Mail> mails) {
			assertThat(mails).isNotNull();
		}

	}

	static final class Plain {

		@JobHandler(queue = "plain")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class Twice {

		@JobHandler(topic = "news", subscriber = "twice")
		void one(Mail mail) {
			assertThat(mail).isNotNull();
		}

		@JobHandler(queue = "other", topic = "news", subscriber = "twice", filter = "region=eu")
		void other(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class TwoTopics {

		@JobHandler(topic = "news", subscriber = "two")
		void news(Mail mail) {
			assertThat(mail).isNotNull();
		}

		@JobHandler(topic = "post", subscriber = "two")
		void post(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class WithoutTopic {

		@JobHandler(subscriber = "me")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class WithoutSubscriber {

		@JobHandler(topic = "news")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class FilterOnly {

		@JobHandler(filter = "region=eu")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class BadTopic {

		@JobHandler(topic = "News!", subscriber = "me")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class BadSubscriber {

		@JobHandler(topic = "news", subscriber = "Me")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class BadFilter {

		@JobHandler(topic = "news", subscriber = "me", filter = "region")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class CommaOnly {

		@JobHandler(topic = "news", subscriber = "me", filter = ",")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class EmptyPart {

		@JobHandler(topic = "news", subscriber = "me", filter = "region=eu,,kind=x")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class TrailingComma {

		@JobHandler(topic = "news", subscriber = "me", filter = "region=eu,")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class ReservedHeader {

		@JobHandler(topic = "news", subscriber = "me", filter = "region=eu,jobqueue.mdc.x=1")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class UnstorableFilter {

		@JobHandler(topic = "news", subscriber = "me", filter = "region=e\0u")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

	static final class SameHeaderTwice {

		@JobHandler(topic = "news", subscriber = "me", filter = "region=eu,region=uk")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

	}

}
