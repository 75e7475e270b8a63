package io.jobqueue.observation;

import java.lang.reflect.Type;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.util.Assert;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobResult;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Interceptors are not called, and {@code succeedOn} does not apply, if the payload
 * cannot be read or the handler's bean cannot be created.
 */
class UnreadablePayloadTests extends NodeTestBase {

	@Test
	void unreadablePayloadCallsNoInterceptor() {
		assertDeadWithoutBeingCalled(new Codec((encoded) -> {
			throw new IllegalStateException("unreadable");
		}));
	}

	@Test
	void payloadOfAnotherClassCallsNoInterceptor() {
		assertDeadWithoutBeingCalled(new Codec((encoded) -> "no mail"));
	}

	private void assertDeadWithoutBeingCalled(PayloadCodec codec) {
		assertDeadWithoutBeingCalled("cannot be read", (settings) -> settings.codec(codec).bean(new Lenient()));
	}

	@Test
	void beanThatCannotBeCreatedCallsNoInterceptor() {
		AtomicInteger created = new AtomicInteger();
		assertDeadWithoutBeingCalled("no second one", (settings) -> settings.bean(new Prototypes(() -> {
			Assert.state(created.getAndIncrement() == 0, "no second one");
			return new Lenient();
		})));
	}

	private void assertDeadWithoutBeingCalled(String error, UnaryOperator<TestNodeSettings> handler) {
		AtomicBoolean called = new AtomicBoolean();
		UUID job = started((settings) -> handler.apply(settings.maxAttempts(1).bean(new Noting(called)))).queue()
			.enqueue("emails", new Mail("hi"))
			.id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains(error);
		assertThat(called).isFalse();
	}

	static final class Lenient {

		@JobHandler(queue = "emails", succeedOn = Throwable.class)
		void run(Mail mail) {
			mail.text();
		}

	}

	/**
	 * Registers a handler of which each run has a bean of its own.
	 */
	private record Prototypes(Supplier<Lenient> beans) implements BeanDefinitionRegistryPostProcessor {

		@Override
		public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
			registry.registerBeanDefinition("lenient",
					BeanDefinitionBuilder.genericBeanDefinition(Lenient.class, this.beans)
						.setScope(BeanDefinition.SCOPE_PROTOTYPE)
						.getBeanDefinition());
		}

	}

	private record Noting(AtomicBoolean called) implements JobInterceptor {

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
			this.called.set(true);
			return next.call();
		}

	}

	/**
	 * Writes nothing, and reads with the given function.
	 */
	private record Codec(Function<Encoded, Object> reading) implements PayloadCodec {

		@Override
		public Encoded encode(Object payload) {
			return Encoded.ofText("{}");
		}

		@Override
		public Object decode(Encoded encoded, Type type) {
			return this.reading.apply(encoded);
		}

	}

}
