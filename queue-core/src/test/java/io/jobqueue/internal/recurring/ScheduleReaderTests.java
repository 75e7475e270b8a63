package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.handler.InvalidHandlerException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which schedules are refused, in the caller and at start, and with what message.
 */
class ScheduleReaderTests extends NodeTestBase {

	private static final String YEARLY = "0 0 0 1 1 *";

	private QueueNode producer;

	@BeforeAll
	void wire() {
		this.producer = new QueueNode(settings());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					0 0 25 * * *     | 'cron' is '0 0 25 * * *': field 3 (hour) cannot be '25'
					x 0 1 * * *      | 'cron' is 'x 0 1 * * *': field 1 (second) cannot be 'x'
					0 0 1 * * FUNDAY | 'cron' is '0 0 1 * * FUNDAY': field 6 (day of week) cannot be 'FUNDAY'
					0 1 * * *        | 'cron' is '0 1 * * *': it has 5 fields instead of 6 (second, minute, hour, day of month, month, day of week)
					0 0 0 30 2 *     | 'cron' is '0 0 0 30 2 *', which never fires
					""")
	void invalidExpressionIsRefused(String cron, String message) {
		assertRefused(request(new Mail("x")).cron(cron), message);
	}

	@Test
	void timingIsEitherAnExpressionOrARate() {
		assertRefused(request(new Mail("x")), "'cron' is missing: set a cron expression or a fixed rate");
		assertRefused(request(new Mail("x")).cron(YEARLY).fixedRate(Duration.ofHours(1)),
				"'cron' and a fixed rate are set: remove one of them");
		assertRefused(request(new Mail("x")).fixedRate(Duration.ofHours(1)).zone(ZoneId.of("Europe/Berlin")),
				"'zone' has no effect on a fixed rate, which counts absolutely: remove it");
	}

	@Test
	void rateIsAtLeastASecond() {
		assertRefused(request(new Mail("x")).fixedRate(Duration.ofMillis(999)),
				"'fixedRate' must be between 1 s and 100 years, but is 999 ms");
		assertRefused(request(new Mail("x")).fixedRate(Duration.ofDays(36_501)),
				"'fixedRate' must be between 1 s and 100 years, but is 3153686400000 ms");
	}

	@Test
	void jitterIsNotNegative() {
		assertRefused(request(new Mail("x")).cron(YEARLY).jitter(Duration.ofMillis(-1)),
				"'jitter' must be between 0 and 100 years");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "two words", "tab\t" })
	void nameHasPrintableCharactersOnly(String name) {
		assertRefused(RecurringJobRequest.of(name, new Mail("x")).cron(YEARLY),
				"'name' must have 1 to 200 printable characters without spaces, but is '%s'".formatted(name));
	}

	@Test
	void nameHasAtMost200Characters() {
		assertThat(save(RecurringJobRequest.of("n".repeat(200), new Mail("x")).cron(YEARLY))).isNotNull();
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> save(RecurringJobRequest.of("n".repeat(201), new Mail("x")).cron(YEARLY)));
	}

	@Test
	void optionsThatAScheduleCannotKeepAreRefused() {
		JobRequest job = JobRequest.of("emails", new Mail("x"));
		assertRefused(request(job.key("k")).cron(YEARLY),
				"'key' is not possible in a schedule: its overlap decides about live jobs");
		assertRefused(request(job.delay(Duration.ofSeconds(1))).cron(YEARLY),
				"'delay' is not possible in a schedule: its ticks set the time");
		assertRefused(request(job.runAt(Instant.now())).cron(YEARLY),
				"'runAt' is not possible in a schedule: its ticks set the time");
		assertRefused(request(job.expiresAfter(Duration.ofSeconds(1))).cron(YEARLY),
				"'expiresAfter' is not possible in a schedule: compare scheduledAt() in the handler");
		assertRefused(request(job.orderedBy("o")).cron(YEARLY), "'orderedBy' is not possible in a schedule");
		assertRefused(request(job.limitedBy("l")).cron(YEARLY), "'limitedBy' is not possible in a schedule");
	}

	@Test
	void refusedSaveLeavesTheTransactionUsable() {
		this.producer.transaction().executeWithoutResult((status) -> {
			assertRefused(request(new Mail("x")), "'cron' is missing: set a cron expression or a fixed rate");
			assertThat(save(request(new Mail("x")).cron(YEARLY))).isNotNull();
		});
		assertThat(this.producer.recurring().find("digest")).isPresent();
	}

	@Test
	void zoneIsUtcUnlessGiven() {
		assertThat(save(request(new Mail("x")).cron(YEARLY)).zone()).isEqualTo(ZoneOffset.UTC);
	}

	private static RecurringJobRequest request(Object payload) {
		return RecurringJobRequest.of("digest", payload);
	}

	private RecurringJobInfo save(RecurringJobRequest request) {
		return this.producer.recurring().save(request);
	}

	private void assertRefused(RecurringJobRequest request, String message) {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> save(request))
			.withMessage("Job rejected: " + message);
	}

	@Test
	void declarationWithoutANameHasThatOfItsMethod() {
		QueueNode node = declaring(new Plain());
		assertThat(node.recurring().find("plain.purge").orElseThrow()).satisfies((schedule) -> {
			assertThat(schedule.type()).isEqualTo("plain.purge");
			assertThat(schedule.queue()).isEqualTo("default");
			assertThat(schedule.declared()).isTrue();
		});
	}

	@Test
	void methodDeclaresSeveralSchedulesInTheQueueOfItsClass() {
		QueueNode node = started((settings) -> settings.bean(new Repeated())
			.placeholder("purge.cron", () -> "0 0 3 * * *")
			.placeholder("purge.off", () -> RecurringJob.DISABLED));
		assertThat(node.recurring().find("night").orElseThrow())
			.extracting(RecurringJobInfo::cron, RecurringJobInfo::zone, RecurringJobInfo::queue)
			.containsExactly("0 0 3 * * *", ZoneId.of("Europe/Berlin"), "cleaning");
		assertThat(node.recurring().find("hourly").orElseThrow())
			.extracting(RecurringJobInfo::fixedRate, RecurringJobInfo::jitter, RecurringJobInfo::queue)
			.containsExactly(Duration.ofHours(1), Duration.ofSeconds(30), "other");
		assertThat(node.recurring().find("off")).isEmpty();
	}

	@Test
	void invalidDeclarationsAreRefusedAtTheStart() {
		assertInvalid(new TwoOfOneName(), "The schedule 'purge' is declared twice: by ");
		assertInvalid(new BadExpression(), "The schedule 'purge', declared by ");
		assertInvalid(new BadExpression(), "field 3 (hour) cannot be '25'");
		assertInvalid(new BadZone(), "has zone = \"Europe/Paderborn\", which is not a time zone");
		assertInvalid(new ZoneOfARate(), "'zone' has no effect on a fixed rate");
		assertInvalid(new FastRate(), "fixedRate");
		assertInvalid(new Payload(), "has parameters other than one JobContext");
		assertInvalid(new Nothing(), "'cron' is missing");
	}

	private void assertInvalid(Object bean, String message) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> declaring(bean))
			.withMessageContaining(message)
			.matches((ex) -> ex instanceof InvalidHandlerException || ex instanceof InvalidConfigurationException,
					"is an exception with an action");
	}

	private QueueNode declaring(Object bean) {
		UnaryOperator<io.jobqueue.harness.TestNodeSettings> settings = (all) -> all.bean(bean);
		return started(settings);
	}

	static class Plain {

		@RecurringJob(cron = YEARLY)
		void purge() {
		}

	}

	@JobHandler(queue = "cleaning")
	static class Repeated {

		@RecurringJob(name = "night", cron = "${purge.cron}", zone = "Europe/Berlin")
		@RecurringJob(name = "hourly", fixedRate = "1h", jitter = "30s", queue = "other")
		@RecurringJob(name = "off", cron = "${purge.off}")
		void purge(JobContext job) {
		}

	}

	static class TwoOfOneName {

		@RecurringJob(name = "purge", cron = YEARLY, queue = "a")
		@RecurringJob(name = "purge", fixedRate = "1h", queue = "b")
		void purge() {
		}

	}

	static class BadExpression {

		@RecurringJob(name = "purge", cron = "0 0 25 * * *")
		void purge() {
		}

	}

	static class BadZone {

		@RecurringJob(name = "purge", cron = YEARLY, zone = "Europe/Paderborn")
		void purge() {
		}

	}

	static class ZoneOfARate {

		@RecurringJob(name = "purge", fixedRate = "1h", zone = "Europe/Berlin")
		void purge() {
		}

	}

	static class FastRate {

		@RecurringJob(name = "purge", fixedRate = "999ms")
		void purge() {
		}

	}

	static class Payload {

		@RecurringJob(name = "purge", cron = YEARLY)
		void purge(Mail mail) {
		}

	}

	static class Nothing {

		@RecurringJob(name = "purge")
		void purge() {
		}

	}

}
