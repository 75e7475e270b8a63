package io.jobqueue.internal.boot.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreErrorsBindHandler;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import io.jobqueue.internal.boot.properties.JobQueueProperties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Keys under {@code jobqueue.} that are no settings are most likely misspelt.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownKeyCheckTests {

	private static final String BRACKETS = " Write the name of a queue, type or schedule in brackets if it has characters other than letters, digits and dashes, such as 'jobqueue.queues.[my_queue]'.";

	private final StandardEnvironment environment = new StandardEnvironment();

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jobqueue.queues.ok.concurency             | jobqueue.queues.ok.concurrency
			jobqueue.queue.ok.concurrency             | jobqueue.queues.ok.concurrency
			jobqueue.enabld                           | jobqueue.enabled
			jobqueue.defaults.retention.succeded      | jobqueue.defaults.retention.succeeded
			jobqueue.queues.ok.retention.succeded     | jobqueue.queues.ok.retention.succeeded
			jobqueue.queues[my_queue].concurency      | jobqueue.queues[my_queue].concurrency
			jobqueue.queues.ok.backof.delay           | jobqueue.queues.ok.backoff.delay
			jobqueue.alerts.interactiv.age            | jobqueue.alerts.interactive.age
			jobqueue.alerts.types.shop.Order.attempts | jobqueue.alerts.types.shop.attempts
			jobqueue.recurring.ok.fixed-rat           | jobqueue.recurring.ok.fixed-rate
			jobqueue.recurring.ok.paylod.days         | jobqueue.recurring.ok.payload
			jobqueue.recurring.shop.daily.cron        | jobqueue.recurring.shop.cron
			jobqueue.recuring-zone                    | jobqueue.recurring-zone
			jobqueue.max-attempts                     | jobqueue.defaults.max-attempts
			jobqueue.worker.concurrency               | jobqueue.defaults.concurrency
			jobqueue.worker.queus                     | jobqueue.worker.queues
			jobqueue.worker.name.first                | jobqueue.worker.name
			""")
	void keyThatIsNoSettingIsRefusedWithTheNearestOne(String key, String nearest) {
		define(key, "1");
		FailureAnalysis analysis = analyze();
		assertThat(analysis.getDescription()).startsWith("There is no setting '")
			.endsWith(". The nearest one is '%s'.".formatted(nearest));
		assertThat(analysis.getAction()).isEqualTo("Correct or remove the key."
				+ (key.matches("jobqueue\\.(queues|alerts\\.types|recurring)[.\\[].*") ? BRACKETS : ""));
	}

	@Test
	void optionsOfATypeBelongToAQueue() {
		define("jobqueue.defaults.types.Mail.max-attempts", "1");
		assertThat(analyze().getDescription())
			.endsWith(". Options of types belong to a queue: 'jobqueue.queues.<queue>.types'.");
	}

	@ParameterizedTest
	@CsvSource({ "jobqueue.dashboard.path, queue-dashboard", "jobqueue.kafka.consume.orders.queue, queue-kafka" })
	void settingOfAModuleNeedsThat(String key, String module) {
		define(key, "/queue");
		assertThat(analyze().getDescription())
			.endsWith(". It belongs to the module %s, which is not on the class path.".formatted(module));
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobqueue.worker.poll-interval", "jobqueue.worker.pollInterval",
			"jobqueue.worker.poll_interval", "jobqueue.WORKER.POLLINTERVAL", "jobqueue.queues.any.concurrency",
			"jobqueue.queues[my_queue].maxRunTime", "jobqueue.queues.ok.types.PrintLabel.max-attempts",
			"jobqueue.queues[a.b].rate.limit", "jobqueue.worker.queues[0]", "jobqueue.defaults.backoff.delays[1]",
			"jobqueue.queues.ok.expected.exceptions[0]", "jobqueue.alerts.types[shop.Order].run-time",
			"jobqueue.queues.ok.expected.backoff.delays[12]", "jobqueue.recurring.ok.fixedRate",
			"jobqueue.recurring[shop.daily].cron", "jobqueue.recurring.ok.payload.lines[0].price", "jobqueue",
			"jobqueues.enabld", "queue.enabld" })
	void settingIsKnownInEverySpelling(String key) {
		define(key, "1000");
		assertThatNoException().isThrownBy(this::check);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobqueue.worker", "jobqueue.queues.ok", "jobqueue.defaults.retention" })
	void valueOfAGroupIsRefused(String key) {
		define(key, "off");
		FailureAnalysis analysis = analyze();
		assertThat(analysis.getDescription())
			.isEqualTo("'%s' has a value, but it is a group of settings.".formatted(key));
		assertThat(analysis.getAction()).startsWith("Set the settings of the group instead, such as '" + key + ".");
	}

	@Test
	void valueOfAPayloadIsRefused() {
		define("jobqueue.recurring.daily.payload", "off");
		assertThat(analyze().getAction())
			.isEqualTo("Set keys below it instead, such as 'jobqueue.recurring.daily.payload.name'.");
	}

	@Test
	void groupWithoutKeysIsFine() {
		define("jobqueue.worker", "");
		assertThatNoException().isThrownBy(this::check);
	}

	@Test
	void keyOfYamlIsRefusedWithItsPlace() throws IOException {
		String yaml = """
				jobqueue:
				  queues:
				    emails: { concurrency: 8, priorty: eventual }
				  defaults:
				    backoff:
				      delys: [ 5s, 10s ]
				""";
		for (PropertySource<?> source : new YamlPropertySourceLoader().load("application.yaml",
				new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "application.yaml"))) {
			this.environment.getPropertySources().addLast(source);
		}
		assertThat(analyze().getDescription()).matches(
				"There is no setting 'jobqueue\\.queues\\.emails\\.priorty' \\(.*application\\.yaml.* - 3:40\\)\\. The nearest one is 'jobqueue\\.queues\\.emails\\.priority'\\. "
						+ "There is no setting 'jobqueue\\.defaults\\.backoff\\.delys' \\(.*application\\.yaml.* - 6:16\\)\\. The nearest one is 'jobqueue\\.defaults\\.backoff\\.delays'\\.");
	}

	@Test
	void environmentVariableIsWarnedOf(CapturedOutput output) {
		variable("JOBQUEUE_ENABLD", "false");
		check();
		assertThat(output).contains("WARN")
			.contains(
					"There is no setting 'jobqueue.enabld' (\"JOBQUEUE_ENABLD\" from property source \"systemEnvironment\"). "
							+ "The nearest one is 'jobqueue.enabled'. If it is meant for the job queue, correct its name");
	}

	@Test
	void dashInTheQueueOfAnEnvironmentVariableIsExplained(CapturedOutput output) {
		variable("JOBQUEUE_QUEUES_SLOW_EMAILS_CONCURRENCY", "2");
		assertThatNoException().isThrownBy(this::check);
		assertThat(output).contains("The nearest one is 'jobqueue.queues.slow.concurrency'. ",
				"a variable can set a queue with dashes or underscores in its name only if another source has a setting of that queue, such as 'jobqueue.queues.my-queue.concurrency' for JOBQUEUE_QUEUES_MY_QUEUE_CONCURRENCY");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobqueue.queues.slow-emails.priority", "jobqueue.queues.[slow_emails].priority",
			"jobqueue.queues.slow_emails.priority" })
	void variableOfAQueueThatAnotherSourceNamesIsKnown(String key, CapturedOutput output) {
		define(key, "eventual");
		variable("JOBQUEUE_QUEUES_SLOW_EMAILS_MAX_ATTEMPTS", "2");
		check();
		assertThat(output).doesNotContain("There is no setting");
		variable("JOBQUEUE_QUEUES_SLOW_EMAILS_MAX_RUN_TIME", "30");
		assertThat(analyze().getDescription()).contains("max-run-time: 30' is 30 ms");
	}

	@Test
	void misspeltVariableOfANamedQueueIsWarnedOf(CapturedOutput output) {
		define("jobqueue.queues.slow-emails.priority", "eventual");
		variable("JOBQUEUE_QUEUES_SLOW_EMAILS_MAX_ATEMPTS", "2");
		check();
		assertThat(output).contains("There is no setting 'jobqueue.queues.slow.emails.max.atempts'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "JOBQUEUE_WORKER_POLLINTERVAL", "JOBQUEUE_WORKER_POLL_INTERVAL", "JOBQUEUE_ENABLED",
			"JOBQUEUE_WORKER_QUEUES_0", "JOBQUEUE_QUEUES_SLOWEMAILS_MAX_RUN_TIME",
			"JOBQUEUE_QUEUES_SLOWEMAILS_EXPECTED_MAXATTEMPTS", "JOBQUEUE_ALERTS_USER_VISIBLE_AGE" })
	void environmentVariableOfSettingIsKnown(String name, CapturedOutput output) {
		variable(name, "1000");
		check();
		assertThat(output).doesNotContain("There is no setting");
	}

	@ParameterizedTest
	@CsvSource({ "jobqueue.queues.ok.max-run-time,30", "jobqueue.defaults.warn-after,5",
			"jobqueue.worker.heartbeat-interval,10", "jobqueue.worker.timeout,60",
			"jobqueue.worker.shutdown-timeout,25", "jobqueue.worker.cancel-grace,999",
			"jobqueue.alerts.user-visible.age,90", "jobqueue.defaults.retention.succeeded,24",
			"jobqueue.queues[my_queue].max-run-time,30", "jobqueue.queues.ok.backoff.delays[0],30",
			"jobqueue.defaults.backoff.min,1", "jobqueue.worker.poll-interval,1",
			"jobqueue.queues.ok.types.print-label.max-run-time,30", "jobqueue.alerts.types.import.run-time,30",
			"jobqueue.queues.ok.types.print-label.backoff.delay,30",
			"jobqueue.queues.ok.types[print_Label].max-run-time,30" })
	void fewMillisecondsWithoutUnitAreRefused(String key, String value) {
		define(key, value);
		FailureAnalysis analysis = analyze();
		assertThat(analysis.getDescription())
			.isEqualTo("'%s: %s' is %2$s ms: a number without a unit is milliseconds.".formatted(key, value));
		assertThat(analysis.getAction())
			.isEqualTo("Write '%ss' for seconds, or '%1$sms' if that is meant.".formatted(value));
	}

	@Test
	void durationBelowATypeWithCapitalsIsRefused() {
		define("jobqueue.queues.ok.types.PrintLabel.max-run-time", "30");
		assertThat(analyze().getDescription())
			.startsWith("'jobqueue.queues.ok.types.printlabel.max-run-time: 30' is 30 ms");
	}

	@Test
	void durationsOfAListAreRefusedOneByOne() {
		define("jobqueue.defaults.backoff.delays", "5s, 30, 1m");
		assertThat(analyze().getDescription()).startsWith("'jobqueue.defaults.backoff.delays: 5s, 30, 1m' is 30 ms");
	}

	@Test
	void fewMillisecondsOfAVariableAreRefused() {
		variable("JOBQUEUE_QUEUES_OK_TYPES_PRINTLABEL_MAX_RUN_TIME", "30");
		assertThat(analyze().getDescription())
			.startsWith("'jobqueue.queues.ok.types.printlabel.max-run-time: 30' is 30 ms");
	}

	@Test
	void onlyTheValueThatHoldsIsChecked() {
		define("jobqueue.defaults.max-run-time", "30");
		define("jobqueue.defaults.maxRunTime", "${limit}");
		define("limit", "30s");
		assertThatNoException().isThrownBy(this::check);
		define("limit", "20");
		assertThat(analyze().getDescription()).startsWith("'jobqueue.defaults.max-run-time: 20' is 20 ms");
	}

	@Test
	void variableThatIsOverriddenIsNotChecked() {
		variable("JOBQUEUE_QUEUES_OK_TYPES_PRINTLABEL_MAX_RUN_TIME", "30");
		define("jobqueue.queues.ok.types.printlabel.max-run-time", "30s");
		assertThatNoException().isThrownBy(this::check);
	}

	@Test
	void valueThatAVariableOverridesIsNotChecked() {
		this.environment.getPropertySources()
			.addLast(new MapPropertySource("application", Map.of("jobqueue.defaults.max-run-time", "30")));
		variable("JOBQUEUE_DEFAULTS_MAX_RUN_TIME", "30s");
		assertThatNoException().isThrownBy(this::check);
	}

	@ParameterizedTest
	@CsvSource({ "jobqueue.queues.ok.max-run-time,30ms", "jobqueue.defaults.max-run-time,1000",
			"jobqueue.defaults.warn-after,0", "jobqueue.worker.poll-interval,500", "jobqueue.defaults.backoff.min,100",
			"jobqueue.defaults.retention.dead,0", "jobqueue.defaults.max-run-time,PT0.03S",
			"jobqueue.defaults.concurrency,3", "jobqueue.alerts.interactive.attempts,3" })
	void otherDurationsAreFine(String key, String value) {
		define(key, value);
		assertThatNoException().isThrownBy(this::check);
	}

	@Test
	void keysOfOtherClassesAreTheirs(CapturedOutput output) {
		this.beans.registerBeanDefinition("others", new RootBeanDefinition(Others.class));
		define("jobqueue.others.whatever", "1");
		define("jobqueue.others.group.whatever", "1");
		variable("JOBQUEUE_OTHERS_WHATEVER", "1");
		assertThatNoException().isThrownBy(this::check);
		assertThat(output).doesNotContain("There is no setting");
		define("jobqueue.other", "1");
		assertThat(analyze().getDescription()).contains("There is no setting 'jobqueue.other'");
	}

	/**
	 * There, a number without a unit may be seconds, and a record may have a converter.
	 */
	@ParameterizedTest
	@CsvSource({ "jobqueue.others.delay,30", "jobqueue.others.group,1", "jobqueue.others,1" })
	void valuesOfOtherClassesAreTheirs(String key, String value) {
		this.beans.registerBeanDefinition("others", new RootBeanDefinition(Others.class));
		define(key, value);
		assertThatNoException().isThrownBy(this::check);
	}

	/**
	 * Binding has no look-up of its own for them.
	 */
	@Test
	void elementsThatAnotherSourceReplacesAreSettings() {
		define("jobqueue.worker.queues[1]", "letters");
		define("jobqueue.worker.queues", "emails");
		define("jobqueue.recurring.ok.payload.lines[0].price", "1");
		define("jobqueue.recurring.ok.payload.lines", "none");
		define("jobqueue.recurring.daily.payload.lines", "none");
		define("jobqueue.recurring.daily.payload.lines[0].price", "1");
		assertThatNoException().isThrownBy(this::check);
		define("jobqueue.worker.queues.first", "emails");
		assertThat(analyze().getDescription()).contains("There is no setting 'jobqueue.worker.queues.first'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobqueue.producer.stale-after", "jobqueue.defaults.cluster-concurrency",
			"jobqueue.defaults.retention.dead", "jobqueue.queues.ok.backoff.delays" })
	void settingWithoutValueIsFine(String key) {
		define(key, "");
		assertThatNoException().isThrownBy(this::check);
	}

	@Test
	void variableDoesNotHideTheSameMistakeElsewhere() {
		define("jobqueue.enabld", "false");
		variable("JOBQUEUE_ENABLD", "false");
		assertThat(analyze().getDescription()).startsWith("There is no setting 'jobqueue.enabld'");
	}

	@Test
	void onlyDurationsOfASourceThatCannotBeEnumeratedAreChecked() {
		Map<String, String> values = new HashMap<>(Map.of("jobqueue.enabld", "false"));
		this.environment.getPropertySources().addFirst(new PropertySource<>("remote", values) {

			@Override
			public @Nullable Object getProperty(String name) {
				return this.source.get(name);
			}

		});
		assertThatNoException().isThrownBy(this::check);
		values.put("jobqueue.worker.timeout", "60");
		assertThat(analyze().getDescription()).startsWith("'jobqueue.worker.timeout: 60' is 60 ms");
	}

	private void define(String key, String value) {
		this.environment.getPropertySources().addFirst(new MapPropertySource(key + "=" + value, Map.of(key, value)));
	}

	private void variable(String name, String value) {
		this.environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(name, value)));
	}

	private void check() {
		UnknownKeyCheck keys = new UnknownKeyCheck();
		Binder binder = Binder.get(this.environment, keys.apply(new IgnoreErrorsBindHandler()));
		binder.bind("jobqueue.others", Others.class);
		binder.bind("jobqueue", JobQueueProperties.class);
		keys.check(this.environment, this.beans);
	}

	private FailureAnalysis analyze() {
		return BoundSettings.analyze(catchThrowable(this::check));
	}

	@ConfigurationProperties("jobqueue.others")
	record Others(Duration delay, Group group) {

	}

	record Group(String text) {

	}

}
