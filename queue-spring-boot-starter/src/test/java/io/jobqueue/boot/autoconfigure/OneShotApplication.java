package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

import static org.awaitility.Awaitility.await;

/**
 * Runs what is due and exits, although a thread of its own goes on for ever.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
		JdbcTemplateAutoConfiguration.class, JdbcClientAutoConfiguration.class, TransactionAutoConfiguration.class,
		JacksonAutoConfiguration.class, JobQueueAutoConfiguration.class })
class OneShotApplication {

	static final String QUEUE = "one-shot";

	/**
	 * Run it.
	 * @param arguments settings
	 */
	public static void main(String[] arguments) {
		new SpringApplicationBuilder(OneShotApplication.class).web(WebApplicationType.NONE).run(arguments);
		System.out.println("RETURNED");
	}

	private static void waitForEver() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Bean
	Handlers handlers(JobQueue queue, ConfigurableApplicationContext context) {
		new Thread(OneShotApplication::waitForEver).start();
		return new Handlers(queue, context);
	}

	/**
	 * Does what the payload says.
	 */
	record Handlers(JobQueue queue, ConfigurableApplicationContext context) {

		@JobHandler(queue = QUEUE, type = "step")
		JobResult handle(String step, JobContext job) {
			System.out.println("STEP " + step);
			return switch (step) {
				case "more" -> more(3);
				case "again" -> JobResult.retryIn(Duration.ofHours(1));
				case "dead" -> JobResult.fail("as asked");
				case "wait" -> waiting();
				case "deaf" -> deaf();
				case "exit" -> exit();
				default -> JobResult.success();
			};
		}

		private JobResult more(int jobs) {
			for (int job = 0; job < jobs; job++) {
				this.queue.enqueue(JobRequest.of(QUEUE, "follow-up").type("step"));
			}
			return JobResult.success();
		}

		private JobResult waiting() {
			await().forever().until(this.context::isClosed);
			return JobResult.success();
		}

		private JobResult exit() {
			System.exit(3);
			return JobResult.success();
		}

		private JobResult deaf() {
			while (true) {
				waitForEver();
			}
		}

	}

}
