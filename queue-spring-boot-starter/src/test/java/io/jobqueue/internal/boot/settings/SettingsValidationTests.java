package io.jobqueue.internal.boot.settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Descriptions and remedies of settings that cannot work.
 */
class SettingsValidationTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jobqueue.producer.stale-after=0s             | 0s
			jobqueue.worker.poll-interval=0s             | 0s
			jobqueue.worker.max-poll-interval=-1s        | -1s
			jobqueue.worker.heartbeat-interval=0s        | 0s
			jobqueue.worker.timeout=-1m                  | -1m
			jobqueue.reaper.interval=0s                  | 0s
			jobqueue.reaper.purge-interval=0s            | 0s
			jobqueue.metrics.refresh-interval=0s         | 0s
			jobqueue.defaults.max-run-time=0s            | 0s
			jobqueue.queues.emails.max-run-time=-1s      | -1s
			""")
	void durationMustBePositive(String property, String value) {
		assertRefused("The setting '%s' is %s.".formatted(name(property), value), "Set a duration of at least 1 ms.",
				property);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jobqueue.worker.shutdown-timeout=-1s            | -1s
			jobqueue.defaults.retention.succeeded=-1h       | -1h
			jobqueue.queues.emails.retention.dead=-1h       | -1h
			jobqueue.defaults.retention.cancelled=-1h       | -1h
			jobqueue.worker.cancel-grace=-1s                | -1s
			jobqueue.defaults.backoff.delay=-5s             | -5s
			jobqueue.defaults.backoff.min=-5s               | -5s
			jobqueue.defaults.backoff.max=-5s               | -5s
			jobqueue.queues.emails.backoff.delays=-5s       | -5s
			""")
	void durationMustNotBeNegative(String property, String value) {
		assertRefused("The setting '%s' is %s.".formatted(name(property), value),
				"Set a duration that is not negative.", property);
	}

	@ParameterizedTest
	@CsvSource({ "jobqueue.defaults.concurrency", "jobqueue.defaults.max-attempts",
			"jobqueue.queues.emails.concurrency", "jobqueue.queues.emails.max-attempts",
			"jobqueue.defaults.expected.max-attempts", "jobqueue.queues.emails.expected.max-attempts" })
	void numberMustNotBeNegative(String name) {
		assertRefused("The setting '%s' is -1.".formatted(name), "Set a number that is not negative.", name + "=-1");
	}

	@ParameterizedTest
	@CsvSource({ "jobqueue.defaults.cluster-concurrency", "jobqueue.queues.emails.cluster-concurrency",
			"jobqueue.queues.emails.rate.limit", "jobqueue.defaults.concurrency-per-key" })
	void limitMustBePositive(String name) {
		assertRefused("The setting '%s' is 0.".formatted(name), "Set a number above 0, or remove the setting.",
				name + "=0", "jobqueue.queues.emails.rate.period=1m");
		assertRefused("The setting '%s' is -1.".formatted(name), "Set a number above 0, or remove the setting.",
				name + "=-1", "jobqueue.queues.emails.rate.period=1m");
	}

	@Test
	void rateMustBeWhole() {
		assertRefused(
				"The setting 'jobqueue.defaults.rate.period' is missing: 'jobqueue.defaults.rate.limit' requires it.",
				"Set it.", "jobqueue.defaults.rate.limit=10");
		assertRefused(
				"The setting 'jobqueue.defaults.rate.limit' is missing: 'jobqueue.defaults.rate.period' requires it.",
				"Set it.", "jobqueue.defaults.rate.period=1m");
		assertRefused("The setting 'jobqueue.defaults.rate.period' is 0s.", "Set a duration of at least 1 ms.",
				"jobqueue.defaults.rate.limit=10", "jobqueue.defaults.rate.period=0");
	}

	@ParameterizedTest
	@CsvSource({ "jobqueue.defaults", "jobqueue.queues.emails" })
	void deadHeadThatIsNotKeptCannotHold(String prefix) {
		assertRefused(
				"The setting '%s.dead-head' is hold, but dead jobs are not kept: '%1$s.retention.dead' is 0, and a deleted job cannot hold its key."
					.formatted(prefix),
				"Keep dead jobs, or set dead-head to continue.", prefix + ".dead-head=hold",
				prefix + ".retention.dead=0");
	}

	@Test
	void endlessDurationIsRefused() {
		assertRefused("The setting 'jobqueue.defaults.max-run-time' is 36501d.", "Set a duration of at most 100 years.",
				"jobqueue.defaults.max-run-time=36501d");
	}

	@Test
	void payloadSizeMustBePositive() {
		assertRefused("The setting 'jobqueue.producer.max-payload-size' is 0B.", "Set a size of at least 1 byte.",
				"jobqueue.producer.max-payload-size=0");
	}

	@ParameterizedTest
	@CsvSource({ "23h", "-1d", "1ms" })
	void subscriptionMustOutliveItsWarning(String value) {
		assertRefused("The setting 'jobqueue.topics.subscription-retention' is %s.".formatted(value),
				"Set at least 1d, so that a warning can precede the end of a subscription, or 0 for no end.",
				"jobqueue.topics.subscription-retention=" + value);
	}

	@ParameterizedTest
	@CsvSource({ "0", "1d", "24h" })
	void subscriptionMayStay(String value) {
		assertThat(BoundSettings.node("jobqueue.topics.subscription-retention=" + value)).isNotNull();
	}

	@Test
	void timeoutMustBeThreeHeartbeats() {
		assertRefused(
				"The setting 'jobqueue.worker.timeout' is 29s, less than three times 'jobqueue.worker.heartbeat-interval', which is 10s: a single late heartbeat would remove the worker.",
				"Raise the timeout or lower the heartbeat interval.", "jobqueue.worker.timeout=29s");
		assertThat(BoundSettings.node("jobqueue.worker.timeout=30s").worker().timeout()).hasSeconds(30);
	}

	@Test
	void runAndExitRequiresAWorker() {
		assertRefused(
				"The setting 'jobqueue.worker.run-and-exit' is true, but 'jobqueue.worker.enabled' is false: there is no worker to run jobs.",
				"Set 'jobqueue.worker.enabled' to true, or remove 'jobqueue.worker.run-and-exit'.",
				"jobqueue.worker.run-and-exit=true", "jobqueue.worker.enabled=false");
	}

	@Test
	void pollingMustNotBackOffToLessThanItsInterval() {
		assertRefused(
				"The setting 'jobqueue.worker.max-poll-interval' is 10s, less than 'jobqueue.worker.poll-interval', which is 11s.",
				"Raise 'jobqueue.worker.max-poll-interval' or lower 'jobqueue.worker.poll-interval'.",
				"jobqueue.worker.poll-interval=11s");
	}

	@Test
	void durationsAreWrittenWithSpacesBetweenTheirUnits() {
		assertRefused(
				"The setting 'jobqueue.worker.max-poll-interval' is 10s, less than 'jobqueue.worker.poll-interval', which is 1m 30s 5ms.",
				"Raise 'jobqueue.worker.max-poll-interval' or lower 'jobqueue.worker.poll-interval'.",
				"jobqueue.worker.poll-interval=90005ms");
	}

	@ParameterizedTest
	@CsvSource({ "100", "19-0", "10-9", "0-100", "-5", "5-", "urgent", "0-19-20" })
	void prioritiesMustBeARange(String priorities) {
		assertRefused("The setting 'jobqueue.worker.priorities' is '%s'.".formatted(priorities),
				"Set a number from 0 to 99, or a range with the lower number first, such as 0-19.",
				"jobqueue.worker.priorities=" + priorities);
	}

	@ParameterizedTest
	@CsvSource({ "100", "-1", "urgent" })
	void priorityMustBeAClassOrANumber(String priority) {
		assertRefused("The setting 'jobqueue.queues.emails.priority' is '%s'.".formatted(priority),
				"Set a priority class (interactive, user-visible, eventual, reporting) or a number from 0 to 99.",
				"jobqueue.queues.emails.priority=" + priority);
	}

	@ParameterizedTest
	@CsvSource({ "fixed, delay", "list, delays", "exponential, min" })
	void backoffMustHaveTheKeysOfItsType(String type, String key) {
		assertRefused("The setting 'jobqueue.defaults.backoff.%s' is missing: backoff type %s requires it."
			.formatted(key, type), "Set it.", "jobqueue.defaults.backoff.type=" + type);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jobqueue.defaults.backoff.jitter=1.1   | 1.1      | Set a share from 0 to 1.
			jobqueue.defaults.backoff.factor=0.5   | 0.5      | Set a number of at least 1.
			jobqueue.defaults.backoff.min=-1s      | -1s  | Set a duration that is not negative.
			""")
	void backoffMustBePossible(String property, String value, String action) {
		assertRefused("The setting '%s' is %s.".formatted(name(property), value), action,
				"jobqueue.defaults.backoff.type=exponential", "jobqueue.defaults.backoff.max=1h",
				property.contains(".min=") ? property : "jobqueue.defaults.backoff.min=1s", property);
	}

	@ParameterizedTest
	@CsvSource({ "delay,5s,fixed", "'delays','10s,1m',list", "min,5s,exponential", "max,5s,exponential",
			"factor,3,exponential" })
	void backoffMustNotHaveTheKeysOfOtherTypes(String key, String value, String type) {
		assertRefused(
				"The setting 'jobqueue.queues.emails.backoff.%s' has a value, but backoff type polynomial does not use it."
					.formatted(key),
				"Remove it, or set 'jobqueue.queues.emails.backoff.type' to %s.".formatted(type),
				"jobqueue.queues.emails.backoff.%s=%s".formatted(key, value));
	}

	@Test
	void typeIsNamedThatDoesNotUseTheKey() {
		assertRefused(
				"The setting 'jobqueue.defaults.backoff.min' has a value, but backoff type fixed does not use it.",
				"Remove it, or set 'jobqueue.defaults.backoff.type' to exponential.",
				"jobqueue.defaults.backoff.type=fixed", "jobqueue.defaults.backoff.delay=1s",
				"jobqueue.defaults.backoff.min=1s");
	}

	@ParameterizedTest
	@CsvSource({ "defaults,com.example.Gone,cannot be loaded", "queues.emails,java.lang.String,is not an exception",
			"queues.emails,IOException,cannot be loaded" })
	void expectedExceptionMustBeAClassOfExceptions(String place, String name, String reason) {
		assertRefused(
				"The setting 'jobqueue.%s.expected.exceptions' names '%s', which %s.".formatted(place, name, reason),
				"Use fully qualified names of exception classes on the class path, such as java.net.SocketTimeoutException.",
				"jobqueue.%s.expected.exceptions=%s".formatted(place, name));
	}

	@Test
	void expectedBackoffMustBePossible() {
		assertRefused(
				"The setting 'jobqueue.queues.emails.expected.backoff.delay' is missing: backoff type fixed requires it.",
				"Set it.", "jobqueue.queues.emails.expected.backoff.type=fixed");
	}

	@Test
	void exponentialBackoffNeedsRoomToGrow() {
		assertRefused(
				"The setting 'jobqueue.defaults.backoff.max' is 1s, less than 'jobqueue.defaults.backoff.min', which is 2s.",
				"Raise 'jobqueue.defaults.backoff.max' or lower 'jobqueue.defaults.backoff.min'.",
				"jobqueue.defaults.backoff.type=exponential", "jobqueue.defaults.backoff.min=2s",
				"jobqueue.defaults.backoff.max=1s");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jobqueue.queues[My-Queue].concurrency=1 | jobqueue.queues.My-Queue | My-Queue
			jobqueue.worker.queues=good,_bad        | jobqueue.worker.queues   | _bad
			""")
	void queueMustHaveAName(String property, String setting, String name) {
		assertRefused("The setting '%s' names queue '%s', which is not a valid queue name.".formatted(setting, name),
				"Use a name that matches [a-z0-9][a-z0-9_-]{0,99}, in lower case.", property);
	}

	private static void assertRefused(String description, String action, String... properties) {
		FailureAnalysis analysis = BoundSettings.analyze(catchThrowable(() -> BoundSettings.node(properties)));
		assertThat(analysis.getDescription()).isEqualTo(description);
		assertThat(analysis.getAction()).isEqualTo(action);
	}

	private static String name(String property) {
		return property.substring(0, property.indexOf('='));
	}

}
