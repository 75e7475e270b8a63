package io.jobqueue.benchmark;

import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.jobqueue.JobHandler;

/**
 * An application with one handler, and the default settings.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(BenchmarkApplication.NoOps.class)
class BenchmarkApplication {

	static ConfigurableApplicationContext start(String url, String... settings) {
		return new SpringApplicationBuilder(BenchmarkApplication.class).web(WebApplicationType.NONE)
			.properties("spring.datasource.url=" + url, "logging.level.root=warn", "spring.main.banner-mode=off")
			.properties(settings)
			.run();
	}

	/**
	 * The payload.
	 *
	 * @param value the number
	 */
	record NoOp(long value) {
	}

	/**
	 * Does nothing but tell who measures.
	 */
	@JobHandler(queue = "no-ops")
	static class NoOps {

		private volatile LongConsumer listener = (number) -> {
		};

		void handle(NoOp number) {
			this.listener.accept(number.value());
		}

		CountDownLatch expect(int jobs) {
			CountDownLatch expected = new CountDownLatch(jobs);
			this.listener = (number) -> expected.countDown();
			return expected;
		}

		void onJob(LongConsumer listener) {
			this.listener = listener;
		}

	}

}
