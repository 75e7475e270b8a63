package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.support.SpringApplicationJsonEnvironmentPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobType;
import io.jobqueue.internal.boot.settings.ConfiguredQueues;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.policy.QueueSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Settings for a queue that nothing here knows are most likely misspelt if a known name
 * is near.
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
					"There are settings for queue 'email' under 'jobqueue.queues.email' (\"jobqueue.queues.email.concurrency\" from property source \"test\"), but neither a handler, 'jobqueue.worker.queues' nor the @JobType of a handled payload names it. The nearest name is 'emails'; all known queues: default, emails, farewells, slow_emails.");
			assertThat(analysis.getAction()).isEqualTo(
					"Correct the name. If another application serves that queue, add settings for 'emails', too, under 'jobqueue.queues.emails': then both are accepted.");
		});
	}

	@Test
	void misspeltTypeIsRefused() {
		this.application.withPropertyValues("jobqueue.queues.[slow_emails].types.Mails.max-attempts=3")
			.run((context) -> {
				FailureAnalysis analysis = analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains(
						"There are settings under 'jobqueue.queues.slow_emails.types.Mails', but no handler on this node takes type 'Mails' of that queue. The nearest type is 'Mail'");
				assertThat(analysis.getAction()).contains("Correct the name");
			});
	}

	/**
	 * Spring Boot makes lower case of the names of types in environment variables.
	 */
	@Test
	void typeOfAnEnvironmentVariableIsKnown() {
		this.application.withPropertyValues("jobqueue.queues.[slow_emails].types.mail.max-attempts=3")
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("JOBQUEUE_QUEUES_LABELS_TYPES_PRINTLABEL_MAX_ATTEMPTS", "5"))))
			.withBean(Labels.class)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new PrintLabel(7));
				assertThat(context.getBean(Labels.class).maxAttempts.poll(30, TimeUnit.SECONDS)).isEqualTo(5);
			});
	}

	@Test
	void bracketsAreNamedForATypeThatNeedsThem() {
		this.application.withPropertyValues("jobqueue.queues.labels.types.Print_Label.max-attempts=5")
			.withBean(Labels.class)
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getAction()).contains(
					"write it in brackets if it has characters other than letters, digits and dashes, such as 'types.[my_type]'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Mail", "PasswordReset" })
	void typeThatIsHandledHereOrElsewhereIsAccepted(String type) {
		this.application.withPropertyValues("jobqueue.queues.[slow_emails].types.%s.max-attempts=3".formatted(type))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void settingsOfQueueThatIsHandledElsewhereAreFine(CapturedOutput output) {
		this.application
			.withPropertyValues("jobqueue.queues.invoices.concurrency=0", "jobqueue.queues.invoice.priority=eventual")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("There are settings");
	}

	@Test
	void numberedQueueThatIsHandledElsewhereIsFine() {
		this.application.withPropertyValues("jobqueue.queues.emails-2.concurrency=4")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void settingsOfTwoNearQueuesAreWarnedOf(CapturedOutput output) {
		this.application
			.withPropertyValues("jobqueue.queues.email.concurrency=8", "jobqueue.queues.emails.concurrency=4")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains(
				"There are settings for queues 'email' (\"jobqueue.queues.email.concurrency\" from property source \"test\") and 'emails', but nothing on this node names the first one. If its name is misspelt, correct it");
	}

	@Test
	void misspeltQueueIsRefusedWithoutWorkerToo() {
		this.application.withPropertyValues("jobqueue.queues.email.priority=eventual", "jobqueue.worker.enabled=false")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription())
				.contains("The nearest name is 'emails'"));
	}

	@ParameterizedTest
	@CsvSource({ "emails", "slow_emails", "[slow_emails]", "farewells", "default" })
	void queueOfHandlerOrPayloadIsKnown(String queue) {
		this.application.withPropertyValues("jobqueue.queues.%s.concurrency=8".formatted(queue))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "JOBQUEUE_QUEUES_SLOWEMAILS_CONCURRENCY, slowemails, slow_emails, SLOW_EMAILS",
			"JOBQUEUE_QUEUES_SENDASMALLFAX_PRIORITY, sendasmallfax, send-a-small-fax, SEND_A_SMALL_FAX" })
	void variableWithoutThePunctuationOfAQueueIsRefused(String variable, String queue, String key, String name) {
		variable(variable, "2").withPropertyValues("jobqueue.worker.queues=slow_emails,farewells,send-a-small-fax")
			.run((context) -> {
				FailureAnalysis analysis = analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).startsWith(
						"There are settings for queue '%s' under 'jobqueue.queues.%1$s' (\"%s\" from property source \"test-systemEnvironment\"), but neither a handler,"
							.formatted(queue, variable));
				assertThat(analysis.getAction()).startsWith(
						"An environment variable alone cannot name a queue with dashes or underscores. Set 'jobqueue.queues.[%s].<setting>' in another source, such as application.yaml or SPRING_APPLICATION_JSON; a variable whose name begins with 'JOBQUEUE_QUEUES_%s_' then replaces the value. If another application serves that queue, add settings for '"
							.formatted(key, name));
			});
	}

	@Test
	void misspeltVariableIsRefused() {
		variable("JOBQUEUE_QUEUES_FAREWELS_CONCURRENCY", "2").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("'farewels'",
					"(\"JOBQUEUE_QUEUES_FAREWELS_CONCURRENCY\" from property source \"test-systemEnvironment\")",
					"The nearest name is 'farewells'");
			assertThat(analysis.getAction()).startsWith("Correct the name of the variable. If another application");
		});
	}

	@ParameterizedTest
	@CsvSource({ "slow_emails, JOBQUEUE_QUEUES_SLOW_EMAILS_MAX_RUN_TIME",
			"slow_emails, JOBQUEUE_QUEUES_SLOW_EMAILS_MAXRUNTIME",
			"fast-emails, JOBQUEUE_QUEUES_FAST_EMAILS_MAX_RUN_TIME",
			"farewells, JOBQUEUE_QUEUES_FAREWELLS_MAX_RUN_TIME" })
	void variableReplacesASettingOfAQueueThatAnotherSourceNames(String queue, String variable, CapturedOutput output) {
		variable(variable, "7m")
			.withPropertyValues("jobqueue.queues.[%s].concurrency=2".formatted(queue),
					"jobqueue.queues.[%s].max-run-time=5m".formatted(queue))
			.run((context) -> {
				QueueSettings settings = context.getBean(NodeSettings.class).queues().settings(queue);
				assertThat(settings.maxRunTime()).isEqualTo(Duration.ofMinutes(7));
				assertThat(settings.concurrency()).isEqualTo(2);
			});
		assertThat(output).doesNotContain("There is no setting").doesNotContain("There are settings");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobqueue.queues.send-fax.concurrency", "jobqueue.queues.[slow_emails].concurrency" })
	void variableMayHaveTheNameOfTheSetting(String variable) {
		variable(variable, "2").run((context) -> {
			ConfiguredQueues queues = context.getBean(NodeSettings.class).queues();
			assertThat(queues.names()).singleElement()
				.satisfies((queue) -> assertThat(queues.settings(queue).concurrency()).isEqualTo(2));
		});
	}

	@Test
	void jsonInAVariableSetsAnyQueue() {
		this.application.withInitializer((context) -> {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(
						new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of("SPRING_APPLICATION_JSON",
								"{\"jobqueue\": {\"queues\": {\"[slow_emails]\": {\"concurrency\": 2}}}}")));
			new SpringApplicationJsonEnvironmentPostProcessor().postProcessEnvironment(context.getEnvironment(),
					new SpringApplication());
		})
			.run((context) -> assertThat(
					context.getBean(NodeSettings.class).queues().settings("slow_emails").concurrency())
				.isEqualTo(2));
	}

	@Test
	void variableThatSpellsANamedQueueOtherwiseIsWarnedOf(CapturedOutput output) {
		variable("JOBQUEUE_QUEUES_SLOWEMAILS_CONCURRENCY", "2")
			.withPropertyValues("jobqueue.queues.[slow_emails].concurrency=3")
			.run((context) -> assertThat(
					context.getBean(NodeSettings.class).queues().settings("slow_emails").concurrency())
				.isEqualTo(3));
		assertThat(output).contains(
				"There are settings for queues 'slowemails' (\"JOBQUEUE_QUEUES_SLOWEMAILS_CONCURRENCY\" from property source \"test-systemEnvironment\") and 'slow_emails', but nothing on this node names the first one. If its name is misspelt, correct it");
	}

	@Test
	void punctuationCounts() {
		this.application.withPropertyValues("jobqueue.queues.e-mails.concurrency=0")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription())
				.contains("There are settings for queue 'e-mails'", "The nearest name is 'emails'"));
	}

	@Test
	void servedQueueIsKnown() {
		this.application
			.withPropertyValues("jobqueue.queues.plugins.concurrency=8", "jobqueue.worker.queues=emails,plugins")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void servedQueueThatIsMisspeltIsRefused() {
		this.application.withPropertyValues("jobqueue.worker.queues=farewels,slow_emails").run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).isEqualTo(
					"The setting 'jobqueue.worker.queues' names 'farewels', which has no handler on this node, but not 'farewells', which has one.");
			assertThat(analysis.getAction()).isEqualTo("Correct the name, or name both.");
		});
	}

	@Test
	void servedQueueWithoutHandlerIsWarnedOf(CapturedOutput output) {
		this.application.withPropertyValues("jobqueue.worker.queues=farewels,farewells,plugins")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains(
				"'jobqueue.worker.queues' names 'plugins', which has no handler on this node: the queue is not served here unless a handler is registered. Queues with a handler on this node: farewells, slow_emails")
			.contains("'jobqueue.worker.queues' names 'farewels'");
	}

	@Test
	void producerNeedNotServe(CapturedOutput output) {
		this.application.withPropertyValues("jobqueue.worker.queues=farewels", "jobqueue.worker.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("'jobqueue.worker.queues' names");
	}

	@Test
	void servedQueueOfNodeWithoutHandlersIsWarnedOf(CapturedOutput output) {
		this.contextRunner.withPropertyValues("jobqueue.worker.queues=emails")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains(
				"'jobqueue.worker.queues' names 'emails', which has no handler on this node: the queue is not served here unless a handler is registered. No queue has a handler on this node");
	}

	@Test
	void producerNeedNotKnow() {
		this.application
			.withPropertyValues("jobqueue.queues.elsewhere.priority=eventual", "jobqueue.worker.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private ApplicationContextRunner variable(String name, String value) {
		return this.application.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value))));
	}

	@JobType(queue = "emails")
	record Mail(long id) {
	}

	record PrintLabel(long orderId) {

	}

	@JobHandler(queue = "labels")
	static class Labels {

		private final BlockingQueue<Integer> maxAttempts = new LinkedBlockingQueue<>();

		void handle(PrintLabel label, JobContext job) {
			this.maxAttempts.add(job.maxAttempts());
		}

	}

	@JobHandler(queue = "slow_emails")
	static class Mails {

		void handle(Mail mail) {
		}

	}

}
