package io.jobqueue.boot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.jobqueue.JobHandler;
import io.jobqueue.JobType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Settings for a queue that nothing here knows are most likely misspelt.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownQueueTests extends QueueTestBase {

	private final ApplicationContextRunner application = this.contextRunner.withBean(Mails.class)
		.withBean(Farewells.class);

	@Test
	void nearestNameIsGiven() {
		this.application.withPropertyValues("jobqueue.queues.email.concurrency=8").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).isEqualTo(
					"There are settings for the queue 'email' under 'jobqueue.queues.email', but neither a handler, 'jobqueue.worker.queues' nor the @JobType of a handled payload knows it. The nearest name is 'emails'; all known queues: default, emails, farewells, slow_emails.");
			assertThat(analysis.getAction())
				.startsWith("Correct the name, remove the settings, or add the queue to 'jobqueue.worker.queues'")
				.contains("'jobqueue.defaults'");
		});
	}

	/**
	 * The last one is what Spring Boot makes of JOBQUEUE_QUEUES_SLOWEMAILS_CONCURRENCY.
	 */
	@ParameterizedTest
	@CsvSource({ "emails", "slow_emails", "[slow_emails]", "farewells", "default", "slowemails" })
	void queueOfHandlerOrPayloadIsKnown(String queue) {
		this.application.withPropertyValues("jobqueue.queues.%s.concurrency=8".formatted(queue))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void punctuationCounts() {
		this.application.withPropertyValues("jobqueue.queues.e-mails.concurrency=0")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription())
				.contains("There are settings for the queue 'e-mails'", "The nearest name is 'emails'"));
	}

	@Test
	void servedQueueIsKnown() {
		this.application
			.withPropertyValues("jobqueue.queues.plugins.concurrency=8", "jobqueue.worker.queues=emails,plugins")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void servedQueueWithoutHandlerIsWarnedOf(CapturedOutput output) {
		this.application.withPropertyValues("jobqueue.worker.queues=farewels,slow_emails")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("'jobqueue.worker.queues' names")
			.contains(
					"'jobqueue.worker.queues' names 'farewels', for which there is no handler here: this node does not serve it. The nearest queue with a handler is 'farewells'. Correct the name, or add a handler.");
	}

	@Test
	void servedQueueOfNodeWithoutHandlersIsWarnedOf(CapturedOutput output) {
		this.contextRunner.withPropertyValues("jobqueue.worker.queues=emails")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains(
				"'jobqueue.worker.queues' names 'emails', for which there is no handler here: this node does not serve it. No queue has a handler here.");
	}

	@Test
	void producerNeedNotKnow() {
		this.application
			.withPropertyValues("jobqueue.queues.elsewhere.priority=eventual", "jobqueue.worker.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "emails,emails,0", "email,emails,1", "emials,emails,2", "'',emails,6", "emails,'',6", "a,b,1" })
	void editsAreCounted(String one, String other, int distance) {
		assertThat(EditDistance.between(one, other)).isEqualTo(distance);
	}

	@JobType(queue = "emails")
	record Mail(long id) {
	}

	@JobHandler(queue = "slow_emails")
	static class Mails {

		void handle(Mail mail) {
		}

	}

}
