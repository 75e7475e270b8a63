package io.jobqueue.boot.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What Spring Boot's structured logging makes of the life of a job.
 */
class StructuredLogTests extends QueueTestBase {

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.jobqueue");

	private final Lines lines = new Lines("ecs");

	@BeforeEach
	void capture() {
		this.logger.setLevel(Level.DEBUG);
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void release() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
	}

	@Test
	void everyChangeOfStateIsOneLineWithTheKeysOfItsJob() {
		this.contextRunner.withBean(Greetings.class).withPropertyValues("jobqueue.worker.name=here").run((context) -> {
			String id = context.getBean(JobQueue.class).enqueue(new Greeting("secret text")).id().toString();
			await().untilAsserted(
					() -> assertThat(steps(id)).containsExactly("enqueued", "claimed", "begun", "succeeded"));
			assertThat(changes(id)).extracting((line) -> line.at("/log/logger").asString())
				.containsExactly("io.jobqueue.outbox", "io.jobqueue.jobs", "io.jobqueue.jobs", "io.jobqueue.jobs");
			assertThat(changes(id)).allSatisfy((line) -> {
				assertThat(line.at("/job/queue").asString()).isEqualTo("default");
				assertThat(line.at("/job/type").asString()).isEqualTo("Greeting");
				assertThat(line.at("/log/level").asString()).isEqualTo("DEBUG");
				assertThat(line.toString()).doesNotContain("secret text");
			});
			assertThat(changes(id)).filteredOn((line) -> !line.at("/job/step").asString().equals("enqueued"))
				.allSatisfy((line) -> {
					assertThat(line.at("/job/attempt").asString()).isEqualTo("1");
					assertThat(line.at("/job/worker").asString()).isEqualTo("here");
				});
		});
	}

	@Test
	void failuresGetLouder() {
		this.contextRunner.withBean(Grumpy.class)
			.withPropertyValues("jobqueue.defaults.backoff.type=fixed", "jobqueue.defaults.backoff.delay=1ms")
			.run((context) -> {
				JobRequest request = JobRequest.of(new Greeting("world")).maxAttempts(4);
				String id = context.getBean(JobQueue.class).enqueue(request).id().toString();
				await().until(() -> steps(id).contains("dead"));
				assertThat(changes(id)).filteredOn((line) -> line.has("error"))
					.extracting((line) -> line.at("/job/step").asString() + " " + line.at("/log/level").asString())
					.containsExactly("retried WARN", "retried WARN", "retried ERROR", "dead ERROR");
			});
	}

	@Test
	void alertsHaveTheMeasuredValue() {
		this.contextRunner
			.withPropertyValues("jobqueue.alerts.interval=50ms", "jobqueue.worker.enabled=false",
					"jobqueue.alerts.types.Greeting.attempts=20")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				this.sql.sql("UPDATE jobqueue_job SET failures = 21").update();
				await().untilAsserted(() -> assertThat(this.lines.all)
					.filteredOn((line) -> line.at("/message").asString().startsWith("Raised: "))
					.singleElement()
					.satisfies((line) -> {
						assertThat(line.at("/log/level").asString()).isEqualTo("WARN");
						assertThat(line.at("/job/queue").asString()).isEqualTo("default");
						assertThat(line.at("/job/type").asString()).isEqualTo("Greeting");
						assertThat(line.at("/job/priority").asString()).isEqualTo("user_visible");
						assertThat(line.at("/alert/metric").asString()).isEqualTo("attempts");
						assertThat(line.at("/alert/value").asDouble()).isEqualTo(21);
						assertThat(line.at("/alert/threshold").asDouble()).isEqualTo(20);
					}));
			});
	}

	private List<String> steps(String id) {
		return changes(id).stream().map((line) -> line.at("/job/step").asString()).toList();
	}

	private List<JsonNode> changes(String id) {
		return this.lines.all.stream()
			.filter((line) -> line.at("/job/id").asString("").equals(id) && line.at("/job").has("step"))
			.toList();
	}

	static final class Grumpy {

		@JobHandler
		@SuppressWarnings("DoNotCallSuggester")
		void handle(Greeting greeting) {
			throw new IllegalStateException("refused");
		}

	}

	/**
	 * As they stand in the log.
	 */
	private static final class Lines extends AppenderBase<ILoggingEvent> {

		private final JsonMapper json = new JsonMapper();

		private final StructuredLogEncoder encoder = new StructuredLogEncoder();

		private final List<JsonNode> all = new CopyOnWriteArrayList<>();

		Lines(String format) {
			LoggerContext context = new LoggerContext();
			context.putObject(Environment.class.getName(), new StandardEnvironment());
			this.encoder.setContext(context);
			this.encoder.setFormat(format);
			this.encoder.start();
			start();
		}

		@Override
		protected void append(ILoggingEvent event) {
			this.all.add(this.json.readTree(new String(this.encoder.encode(event), StandardCharsets.UTF_8)));
		}

	}

}
