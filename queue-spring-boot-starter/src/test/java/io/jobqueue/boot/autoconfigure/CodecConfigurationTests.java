package io.jobqueue.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.jobqueue.JobQueue;
import io.jobqueue.PayloadCodec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which codec is for which queue.
 */
class CodecConfigurationTests extends QueueTestBase {

	private static final String JSON = "{\"firstName\":\"world\"}";

	private static final String SHOUTED = "GREETING[FIRSTNAME=WORLD]";

	private final ApplicationContextRunner producer = this.contextRunner
		.withPropertyValues("jobqueue.worker.enabled=false");

	@Test
	void codecThatAQueueNamesIsForThatQueue() {
		shouting(this.producer).withPropertyValues("jobqueue.queues.loud.codec=shouting")
			.run((context) -> assertThat(payloads(context.getBean(JobQueue.class), "loud", "quiet"))
				.containsExactly(SHOUTED, JSON));
	}

	@Test
	void codecThatNoQueueNamesIsForAllOthers() {
		shouting(this.producer).withBean("other", PayloadCodec.class, ShoutingCodec::new)
			.withPropertyValues("jobqueue.queues.loud.codec=other", "jobqueue.queues.quiet.codec=jobQueueJsonCodec")
			.run((context) -> assertThat(payloads(context.getBean(JobQueue.class), "loud", "quiet", "unknown"))
				.containsExactly(SHOUTED, JSON, SHOUTED));
	}

	@Test
	void defaultsNameTheCodecOfAllQueues() {
		shouting(this.producer).withBean("other", PayloadCodec.class, ShoutingCodec::new)
			.withPropertyValues("jobqueue.defaults.codec=jobQueueJsonCodec", "jobqueue.queues.loud.codec=other")
			.run((context) -> assertThat(payloads(context.getBean(JobQueue.class), "loud", "unknown"))
				.containsExactly(SHOUTED, JSON));
	}

	@Test
	void primaryCodecIsForAllQueues() {
		shouting(this.producer)
			.withBean("other", PayloadCodec.class, ShoutingCodec::new, (definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(payloads(context.getBean(JobQueue.class), "loud")).containsExactly(SHOUTED));
	}

	@Test
	void severalCodecsForAllQueuesAreRefused() {
		shouting(this.producer).withBean("other", PayloadCodec.class, ShoutingCodec::new).run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("several beans of type PayloadCodec", "other, shouting");
			assertThat(analysis.getAction()).contains("'jobqueue.defaults.codec'");
		});
	}

	@ParameterizedTest
	@CsvSource({ "jobqueue.defaults.codec", "jobqueue.queues.loud.codec" })
	void nameOfNoCodecIsRefusedWithTheKnownOnes(String property) {
		shouting(this.producer).withPropertyValues(property + "=jobQueueTypes").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).isEqualTo(
					"The setting '%s' names 'jobQueueTypes', but no bean of type PayloadCodec has that name. Known beans: jobQueueJsonCodec, shouting."
						.formatted(property));
			assertThat(analysis.getAction()).isEqualTo("Correct the name, or declare the bean.");
		});
	}

	@Test
	void handlersReadWithTheCodecOfTheirQueue() {
		shouting(this.contextRunner).withBean(Greetings.class)
			.withBean(Farewells.class)
			.withPropertyValues("jobqueue.queues.farewells.codec=shouting", "jobqueue.queues.farewells.max-attempts=1")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				queue.enqueue("default", new Greeting("world"));
				queue.enqueue("farewells", new Greeting("world"));
				Awaitility.await()
					.untilAsserted(() -> assertThat(
							this.sql.sql("SELECT queue || ' ' || state FROM jobqueue_archive ORDER BY queue")
								.query(String.class)
								.list())
						.containsExactly("default SUCCEEDED", "farewells DEAD"));
			});
	}

	private static ApplicationContextRunner shouting(ApplicationContextRunner runner) {
		return runner.withBean("shouting", PayloadCodec.class, ShoutingCodec::new);
	}

	private List<String> payloads(JobQueue queue, String... queues) {
		List<String> payloads = new ArrayList<>();
		for (String name : queues) {
			payloads.add(this.sql.sql("SELECT payload FROM jobqueue_jobs WHERE id = ?")
				.param(queue.enqueue(name, new Greeting("world")).id())
				.query(String.class)
				.single());
		}
		return payloads;
	}

}
