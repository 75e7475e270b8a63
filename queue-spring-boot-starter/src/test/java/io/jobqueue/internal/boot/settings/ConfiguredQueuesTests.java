package io.jobqueue.internal.boot.settings;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.Priority;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.Backoff;
import io.jobqueue.internal.policy.ExpectedFailures;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.TransactionLimits;
import io.jobqueue.internal.relay.Relay;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ConfiguredQueuesTests {

	private static final String[] DEFAULTS = { "jobqueue.defaults.concurrency=3", "jobqueue.defaults.priority=5",
			"jobqueue.defaults.max-attempts=7", "jobqueue.defaults.max-run-time=9m",
			"jobqueue.defaults.backoff.type=fixed", "jobqueue.defaults.backoff.delay=11s",
			"jobqueue.defaults.retention.succeeded=13h", "jobqueue.defaults.retention.dead=15d",
			"jobqueue.defaults.warn-after=2m", "jobqueue.defaults.cluster-concurrency=12",
			"jobqueue.defaults.rate.limit=40", "jobqueue.defaults.rate.period=1m" };

	@Test
	void defaultsHoldForEveryQueue() {
		QueueSettings settings = queues(DEFAULTS).settings("emails");
		assertThat(settings).returns(3, QueueSettings::concurrency)
			.returns(7, QueueSettings::maxAttempts)
			.returns(Duration.ofMinutes(9), QueueSettings::maxRunTime)
			.returns("jobqueue.defaults.max-run-time", QueueSettings::maxRunTimeSetting)
			.returns(Duration.ofMinutes(2), QueueSettings::warnAfter)
			.returns(null, QueueSettings::expected)
			.returns(false, QueueSettings::probeRetries)
			.returns(Duration.ofHours(13), QueueSettings::keepSucceeded)
			.returns(Duration.ofDays(15), QueueSettings::keepDead)
			.returns(new ClusterLimits(12, new Rate(40, Duration.ofMinutes(1))), QueueSettings::limits)
			.returns(AdmissionRules.NONE, QueueSettings::keys)
			.returns(Map.of(), QueueSettings::types)
			.returns(3, QueueSettings::countedReleases)
			.returns(TransactionLimits.SINGLE, QueueSettings::transactions);
		assertThat(seconds(settings)).startsWith(11, 11);
	}

	@Test
	void defaultsAreThoseOfTheDocumentation() {
		QueueSettings settings = queues("jobqueue.enabled=true").settings("emails");
		assertThat(settings).returns(16, QueueSettings::concurrency)
			.returns(25, QueueSettings::maxAttempts)
			.returns(Duration.ofMinutes(30), QueueSettings::maxRunTime)
			.returns("jobqueue.defaults.max-run-time", QueueSettings::maxRunTimeSetting)
			.returns(Duration.ofMinutes(5), QueueSettings::warnAfter)
			.returns(null, QueueSettings::expected)
			.returns(false, QueueSettings::probeRetries)
			.returns(Duration.ofHours(24), QueueSettings::keepSucceeded)
			.returns(null, QueueSettings::keepDead)
			.returns(ClusterLimits.NONE, QueueSettings::limits)
			.returns(AdmissionRules.NONE, QueueSettings::keys)
			.returns(Map.of(), QueueSettings::types)
			.returns(3, QueueSettings::countedReleases)
			.returns(TransactionLimits.SINGLE, QueueSettings::transactions);
		assertThat(IntStream.of(1, 2, 24).mapToObj(backoff(settings)::delayAfter))
			.containsExactly(Duration.ofSeconds(6), Duration.ofSeconds(21), Duration.ofSeconds(24 * 24 * 24 * 24 + 5));
	}

	@Test
	void relaysAreThoseOfSingleQueues() {
		assertThat(queues("jobqueue.defaults.max-run-time=9m", "jobqueue.queues.orders.relay.to=kafka",
				"jobqueue.queues.orders.relay.topic=shop.orders", "jobqueue.queues.emails.concurrency=2")
			.relays()).containsExactly(new Relay("orders", "kafka", "shop.orders", Duration.ofMinutes(9)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			jobqueue.queues.orders.relay.to=kafka | 'jobqueue.queues.orders.relay.topic' is missing
			jobqueue.queues.orders.relay.topic=orders | 'jobqueue.queues.orders.relay.to' is missing
			jobqueue.defaults.relay.to=kafka | 'jobqueue.defaults.relay' has no effect: a relay belongs to one queue
			""")
	void relayIsRefused(String setting, String message) {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> queues(setting))
			.withMessageContaining(message);
	}

	@Test
	void queueReplacesDefaults() {
		QueueSettings settings = queues("jobqueue.queues.emails.concurrency=4", "jobqueue.queues.emails.max-attempts=0",
				"jobqueue.queues.emails.max-run-time=10m", "jobqueue.queues.emails.warn-after=0",
				"jobqueue.queues.emails.backoff.type=list", "jobqueue.queues.emails.backoff.delays=1s,2s",
				"jobqueue.queues.emails.probe-retries=true", "jobqueue.queues.emails.retention.succeeded=0",
				"jobqueue.queues.emails.retention.dead=16d", "jobqueue.queues.emails.cluster-concurrency=6",
				"jobqueue.queues.emails.rate.limit=50", "jobqueue.queues.emails.rate.period=1s")
			.settings("emails");
		assertThat(settings).returns(4, QueueSettings::concurrency)
			.returns(0, QueueSettings::maxAttempts)
			.returns(Duration.ofMinutes(10), QueueSettings::maxRunTime)
			.returns("jobqueue.queues.emails.max-run-time", QueueSettings::maxRunTimeSetting)
			.returns(null, QueueSettings::warnAfter)
			.returns(null, QueueSettings::expected)
			.returns(true, QueueSettings::probeRetries)
			.returns(Duration.ZERO, QueueSettings::keepSucceeded)
			.returns(Duration.ofDays(16), QueueSettings::keepDead)
			.returns(new ClusterLimits(6, new Rate(50, Duration.ofSeconds(1))), QueueSettings::limits)
			.returns(AdmissionRules.NONE, QueueSettings::keys)
			.returns(Map.of(), QueueSettings::types)
			.returns(3, QueueSettings::countedReleases)
			.returns(TransactionLimits.SINGLE, QueueSettings::transactions);
		assertThat(seconds(settings)).startsWith(1, 2, 2);
	}

	@Test
	void typesHaveOptionsOfTheirOwn() {
		String prefix = "jobqueue.queues.emails.types.[Password_Reset].";
		QueueSettings settings = queues("jobqueue.defaults.max-attempts=7", prefix + "max-attempts=3",
				prefix + "max-run-time=10s", prefix + "backoff.type=fixed", prefix + "backoff.delay=1m",
				"jobqueue.queues.emails.types.Mail.max-attempts=0")
			.settings("emails");
		assertThat(settings.maxAttempts()).isEqualTo(7);
		assertThat(settings.types()).containsOnlyKeys("Password_Reset", "Mail");
		assertThat(settings.types()).containsEntry("Mail", new AttemptOptions(0, null, null));
		AttemptOptions reset = settings.types().getOrDefault("Password_Reset", AttemptOptions.NONE);
		assertThat(reset.maxAttempts()).isEqualTo(3);
		assertThat(reset.maxRunTime()).isEqualTo(Duration.ofSeconds(10));
		assertThat(reset.retryPolicy()).isInstanceOfSatisfying(Backoff.class,
				(backoff) -> assertThat(backoff.delayAfter(4)).isEqualTo(Duration.ofMinutes(1)));
	}

	@ParameterizedTest
	@CsvSource({ "SendWelcomeMail,sendwelcomemail", "send_welcome.Mail,sendwelcomemail", "Mail,Mail", "Fax,Fax" })
	void typeIsFoundAsAVariableSpellsIt(String type, String name) {
		QueueSettings settings = queues("jobqueue.queues.emails.types.sendwelcomemail.max-attempts=3",
				"jobqueue.queues.emails.types.Mail.max-attempts=5", "jobqueue.queues.emails.types.mail.max-attempts=5")
			.settings("emails");
		assertThat(settings.nameOfOptions(type)).isEqualTo(name);
	}

	@ParameterizedTest
	@CsvSource({ "max-attempts=-1, max-attempts", "max-run-time=0, max-run-time", "backoff.type=fixed, backoff.delay" })
	void optionsOfATypeThatCannotWorkAreRefused(String option, String named) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> queues("jobqueue.queues.emails.types.Mail." + option))
			.withMessageContaining("'jobqueue.queues.emails.types.Mail.%s'".formatted(named));
	}

	@Test
	void transactionsAreSingleUnlessAQueueSharesThem() {
		ConfiguredQueues queues = queues("jobqueue.defaults.transaction-time=100ms",
				"jobqueue.queues.emails.transaction-size=50", "jobqueue.queues.emails.transaction-time=1s");
		assertThat(queues.settings("invoices").transactions())
			.isEqualTo(new TransactionLimits(1, Duration.ofMillis(100)));
		assertThat(queues.settings("emails").transactions())
			.isEqualTo(new TransactionLimits(50, Duration.ofSeconds(1)));
	}

	@ParameterizedTest
	@CsvSource({ "transaction-size=0, a number from 1", "transaction-size=51, to 50",
			"transaction-time=0, a duration of at least 1 ms" })
	void transactionsThatCannotWorkAreRefused(String setting, String remedy) {
		String key = "jobqueue.queues.emails." + setting.substring(0, setting.indexOf('='));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> queues("jobqueue.queues.emails." + setting))
			.withMessageContaining("'%s'".formatted(key))
			.withMessageContaining(remedy);
	}

	@Test
	void defaultsOfATypeAreRefused() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> queues("jobqueue.defaults.types.Mail.max-attempts=5",
					"jobqueue.defaults.types.Fax.max-attempts=5"))
			.withMessageContaining("'jobqueue.defaults.types.Fax' has no effect")
			.withMessageContaining("'jobqueue.queues.<queue>.types.Fax'");
	}

	@Test
	void keysHaveRulesOfTheirQueue() {
		String[] properties = { "jobqueue.defaults.concurrency-per-key=5", "jobqueue.defaults.dead-head=hold",
				"jobqueue.queues.emails.dead-head=continue", "jobqueue.queues.invoices.concurrency-per-key=1" };
		assertThat(queues(properties).settings("emails").keys()).isEqualTo(new AdmissionRules(5, false));
		assertThat(queues(properties).settings("invoices").keys()).isEqualTo(new AdmissionRules(1, true));
	}

	@Test
	void queueKeepsDefaultsThatItDoesNotReplace() {
		Stream<String> more = Stream.of("jobqueue.defaults.retention.cancelled=14d", "jobqueue.defaults.codec=avro",
				"jobqueue.defaults.probe-retries=true", "jobqueue.defaults.concurrency-per-key=5",
				"jobqueue.defaults.dead-head=hold", "jobqueue.queues.emails.concurrency=4",
				"jobqueue.queues.emails.retention.dead=16d");
		ConfiguredQueues queues = queues(Stream.concat(Stream.of(DEFAULTS), more).toArray(String[]::new));
		QueueSettings settings = queues.settings("emails");
		assertThat(settings.concurrency()).isEqualTo(4);
		assertThat(settings.keepDead()).isEqualTo(Duration.ofDays(16));
		assertThat(settings).usingRecursiveComparison()
			.ignoringFields("concurrency", "keepDead")
			.isEqualTo(queues.settings("invoices"));
		assertThat(queues.keepCancelled("emails")).isEqualTo(Duration.ofDays(14));
		assertThat(queues.codec("emails")).isEqualTo("avro");
		assertThat(queues.defaultPriority("emails")).isEqualTo(Priority.of(5));
	}

	@Test
	void cancelledJobsAreKeptForADayUnlessTheQueueSaysOtherwise() {
		ConfiguredQueues queues = queues("jobqueue.queues.emails.retention.cancelled=17d");
		assertThat(queues.keepCancelled("emails")).isEqualTo(Duration.ofDays(17));
		assertThat(queues.keepCancelled("invoices")).isEqualTo(Duration.ofDays(1));
	}

	/**
	 * Whether a name is misspelt, the check of unknown queues decides.
	 */
	@ParameterizedTest
	@CsvSource({ "slowemails,4", "slow-emails,16", "slow_emails,16", "bulk-mails,5", "bulkmails,6", "bulk_mails,16" })
	void queueIsFoundByItsNameAlone(String queue, int concurrency) {
		ConfiguredQueues queues = queues("jobqueue.queues.slowemails.concurrency=4",
				"jobqueue.queues.bulk-mails.concurrency=5", "jobqueue.queues.bulkmails.concurrency=6");
		assertThat(queues.settings(queue).concurrency()).isEqualTo(concurrency);
		assertThat(queues.names()).containsExactly("bulk-mails", "bulkmails", "slowemails");
	}

	@Test
	void backoffIsReplacedAsAWhole() {
		QueueSettings settings = queues("jobqueue.defaults.backoff.type=fixed", "jobqueue.defaults.backoff.delay=11s",
				"jobqueue.queues.emails.backoff.jitter=0")
			.settings("emails");
		assertThat(seconds(settings)).startsWith(6, 21);
	}

	@Test
	void nothingIsExpectedUnlessNamed() {
		assertThat(queues("jobqueue.defaults.expected.max-attempts=3").settings("emails").expected()).isNull();
	}

	@Test
	void expectedExceptionsAreMergedKeyByKey() {
		ExpectedFailures expected = queues("jobqueue.defaults.expected.exceptions=java.io.IOException",
				"jobqueue.defaults.expected.max-attempts=3", "jobqueue.queues.emails.expected.backoff.type=fixed",
				"jobqueue.queues.emails.expected.backoff.delay=7s")
			.settings("emails")
			.expected();
		assertThat(expected.include(new UncheckedIOException(new FileNotFoundException()), 2)).isTrue();
		assertThat(expected.include(new IOException(), 3)).isFalse();
		assertThat(expected.include(new IllegalStateException(), 0)).isFalse();
		assertThat(((Backoff) expected.retryPolicy()).delayAfter(9)).hasSeconds(7);
	}

	@Test
	void queueExpectsOtherExceptionsInstead() {
		ConfiguredQueues queues = queues("jobqueue.defaults.expected.exceptions=java.io.IOException",
				"jobqueue.queues.emails.expected.exceptions=java.lang.IllegalStateException",
				"jobqueue.queues.emails.expected.max-attempts=0");
		ExpectedFailures expected = queues.settings("emails").expected();
		assertThat(expected.include(new IllegalStateException(), 1_000_000)).isTrue();
		assertThat(expected.include(new IOException(), 0)).isFalse();
		assertThat(queues.settings("others").expected().include(new IOException(), 24)).isTrue();
	}

	@Test
	void exponentialBackoffKeepsItsBounds() {
		QueueSettings settings = queues("jobqueue.defaults.backoff.type=exponential",
				"jobqueue.defaults.backoff.min=2s", "jobqueue.defaults.backoff.max=10s")
			.settings("emails");
		assertThat(seconds(settings)).startsWith(2, 4, 8, 10, 10);
		settings = queues("jobqueue.queues.emails.backoff.type=exponential", "jobqueue.queues.emails.backoff.min=1s",
				"jobqueue.queues.emails.backoff.max=40s", "jobqueue.queues.emails.backoff.factor=3")
			.settings("emails");
		assertThat(seconds(settings)).startsWith(1, 3, 9, 27, 40);
	}

	@Test
	void jitterSpreadsDelays() {
		Backoff backoff = backoff(queues("jobqueue.defaults.backoff.type=fixed", "jobqueue.defaults.backoff.delay=100s",
				"jobqueue.defaults.backoff.jitter=0.1")
			.settings("emails"));
		assertThat(IntStream.range(1, 100).mapToObj(backoff::delayAfter).distinct().count()).isGreaterThan(1);
		assertThat(IntStream.range(1, 100).mapToObj(backoff::delayAfter))
			.allMatch((delay) -> delay.toMillis() >= 90_000 && delay.toMillis() <= 110_000);
	}

	@ParameterizedTest
	@CsvSource({ "interactive,0", "user-visible,10", "user_visible,10", "USER_VISIBLE,10", "eventual,20",
			"reporting,30", "0,0", "99,99" })
	void priorityIsAClassOrANumber(String text, int value) {
		assertThat(queues("jobqueue.defaults.priority=" + text).defaultPriority("emails").value()).isEqualTo(value);
	}

	@ParameterizedTest
	@CsvSource({ "0-19,0,19", "0-9,0,9", "7,7,7", "0,0,0", "42,42,42", "' 20 - 99 ',20,99" })
	void prioritiesAreARangeOrANumber(String text, int min, int max) {
		assertThat(PriorityRange.parse("jobqueue.worker.priorities", text)).isEqualTo(new PriorityRange(min, max));
	}

	private static ConfiguredQueues queues(String... properties) {
		return BoundSettings.node(properties).queues();
	}

	private static Backoff backoff(QueueSettings settings) {
		return (Backoff) settings.retryPolicy();
	}

	private static int[] seconds(QueueSettings settings) {
		return IntStream.rangeClosed(1, 5)
			.map((attempt) -> backoff(settings).delayAfter(attempt).toSecondsPart())
			.toArray();
	}

}
