package io.jobqueue.internal.handler;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.TestNames;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which handlers are found, and when.
 */
class HandlerDiscoveryTests {

	private final DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();

	private final JobHandlers handlers = new JobHandlers(this.beanFactory, new JobTypes(),
			new PayloadCodecs(new JacksonPayloadCodec(new JsonMapper())),
			TestNames.unobserved(this.beanFactory.getBeanProvider(JobInterceptor.class)));

	@Test
	void handlerIsKnownBeforeItsBeanExists() {
		define(Mails.class);
		assertThat(this.handlers.queueOfOnlyHandler("mail")).isEqualTo("letters");
		assertThat(this.beanFactory.containsSingleton("mails")).isFalse();
	}

	@Test
	void handlerBehindAnInterfaceIsFoundOnceItsBeanExists() {
		define(Greeter.class);
		assertThat(this.handlers.queueOfOnlyHandler("mail")).isNull();
		this.beanFactory.preInstantiateSingletons();
		this.handlers.afterSingletonsInstantiated();
		assertThat(this.handlers.find("letters", "mail")).isNotNull();
		assertThat(this.handlers.queueOfOnlyHandler("mail")).isEqualTo("letters");
	}

	@Test
	void payloadMayBeAnEnumWhoseConstantsHaveBodies() {
		this.beanFactory.registerSingleton("paints", new Paints());
		assertThat(this.handlers.queueOfOnlyHandler("Colour")).isEqualTo("paints");
	}

	@Test
	void propertyWithoutATypeIsWarnedOf() {
		this.beanFactory.registerSingleton("anything", new Anything());
		try (CapturedLog log = new CapturedLog()) {
			this.handlers.afterSingletonsInstantiated();
			assertThat(log.messages()).singleElement()
				.asString()
				.contains("'any' of " + Any.class.getName() + " is of type Object", "Map<String, Object>");
		}
	}

	private <T extends Greeter> void define(Class<T> type) {
		this.beanFactory.registerBeanDefinition("mails",
				BeanDefinitionBuilder.genericBeanDefinition(type, () -> type.cast(new Mails())).getBeanDefinition());
	}

	interface Greeter {

	}

	static final class Mails implements Greeter {

		@JobHandler(queue = "letters")
		void handle(Mail mail) {
			assertThat(mail).isNotNull();
		}

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

	static final class Paints {

		@JobHandler(queue = "paints")
		void handle(Colour colour) {
			assertThat(colour).isNotNull();
		}

	}

	record Any(Object any) {
	}

	static final class Anything {

		@JobHandler(queue = "anything")
		void handle(Any any) {
			assertThat(any).isNotNull();
		}

	}

}
