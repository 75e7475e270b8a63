package io.jobqueue.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import io.jobqueue.JobContext;
import io.jobqueue.JobFailure;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobRequest;
import io.jobqueue.RetryDecision;
import io.jobqueue.RetryPolicy;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.Backoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Attempts, run time and backoff of a type: on its handler, and in the settings.
 */
class TypeOptionTests extends NodeTestBase {

	static final List<Object> INVALID = List.of(new WithoutUnit(), new NoNumberOfAttempts(), new NoDuration(),
			new TwoPolicies());

	private CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void hold() {
		this.release = new CountDownLatch(1);
	}

	@AfterEach
	void release() {
		this.release.countDown();
	}

	@Test
	void handlerLimitsTheAttemptsOfItsTypeAlone() {
		QueueNode node = failing((settings) -> settings);
		UUID alarm = node.queue().enqueue("emails", new Alarm(1)).id();
		UUID mail = node.queue().enqueue("emails", new Mail("hi")).id();
		awaitState(alarm, "DEAD");
		awaitState(mail, "RETRYING");
		assertThat(column("attempts", alarm, Integer.class)).isOne();
		assertThat(column("last_error", alarm, String.class)).contains("limit 1");
	}

	@Test
	void requestPrecedesTheHandler() {
		QueueNode node = failing((settings) -> settings);
		UUID alarm = node.queue().enqueue(JobRequest.of("emails", new Alarm(1)).maxAttempts(3)).id();
		awaitState(alarm, "RETRYING");
		assertThat(column("last_error", alarm, String.class)).contains("limit 3");
	}

	@Test
	void settingsPrecedeTheHandler() {
		QueueNode node = failing((settings) -> settings.types(Map.of("Alarm", new AttemptOptions(2, null, null))));
		UUID alarm = node.queue().enqueue("emails", new Alarm(1)).id();
		awaitState(alarm, "RETRYING");
		assertThat(column("last_error", alarm, String.class)).contains("limit 2");
		assertDueAfter(10, alarm);
	}

	@Test
	void handlerDefinesTheBackoff() {
		QueueNode node = failing((settings) -> settings);
		UUID alarm = node.queue().enqueue(JobRequest.of("emails", new Alarm(1)).maxAttempts(9)).id();
		awaitState(alarm, "RETRYING");
		assertDueAfter(10, alarm);
		for (int attempt = 2; attempt <= 3; attempt++) {
			assertThatIllegalStateException().isThrownBy(() -> node.operations().runHere(alarm)).withMessage("limit 9");
			assertDueAfter(20, alarm);
		}
	}

	/**
	 * The handler of the type Fax names a policy that gives up.
	 */
	@Test
	void backoffOfSettingsPrecedesThatOfTheHandler() {
		AttemptOptions options = new AttemptOptions(9, null, Backoff.fixed(Duration.ofHours(5)));
		QueueNode node = failing((settings) -> settings.types(Map.of("Alarm", options, "Fax", options)));
		UUID fax = node.queue().enqueue("emails", new Fax(1)).id();
		UUID alarm = node.queue().enqueue("emails", new Alarm(1)).id();
		awaitState(fax, "RETRYING");
		awaitState(alarm, "RETRYING");
		assertDueAfter(5, fax);
		assertDueAfter(5, alarm);
	}

	@Test
	void policyOfTheHandlerDecidesWhereNothingIsSet() {
		QueueNode node = failing((settings) -> settings);
		UUID fax = node.queue().enqueue("emails", new Fax(1)).id();
		awaitState(fax, "DEAD");
		assertThat(column("attempts", fax, Integer.class)).isOne();
	}

	private void assertDueAfter(int hours, UUID job) {
		assertThat(column("date_part('epoch', run_at - created_at) / 3600", job, Double.class))
			.isBetween((double) hours, hours + 1.0);
	}

	@Test
	void handlerDefinesTheMaximumRunTime() {
		QueueNode node = started((settings) -> slow(settings));
		UUID alarm = node.queue().enqueue("emails", new Alarm(1)).id();
		UUID mail = node.queue().enqueue("emails", new Mail("hi")).id();
		awaitState(alarm, "RUNNING");
		awaitState(mail, "RUNNING");
		assertThat(column("lease_until > now() + interval '9 hours'", alarm, Boolean.class)).isTrue();
		assertThat(column("lease_until > now() + interval '9 hours'", mail, Boolean.class)).isFalse();
	}

	@Test
	void timeoutNamesTheSettingOfTheType() {
		AttemptOptions options = new AttemptOptions(1, Duration.ofMillis(300), null);
		QueueNode node = started((settings) -> slow(settings).types(Map.of("Alarm", options)));
		UUID alarm = node.queue().enqueue("emails", new Alarm(1)).id();
		awaitState(alarm, "DEAD");
		assertThat(column("last_error", alarm, String.class))
			.contains("300ms (set by jobqueue.queues.emails.types.Alarm.max-run-time)");
	}

	private TestNodeSettings slow(TestNodeSettings settings) {
		return settings.placeholder("alarm.time", () -> "10h").bean(new Slow(this.release));
	}

	@ParameterizedTest
	@FieldSource("INVALID")
	void annotationThatCannotWorkIsRefused(Object bean) {
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> node(settings().bean(bean)))
			.withMessageContaining("The @JobHandler method " + bean.getClass().getName() + ".handle");
	}

	private QueueNode failing(UnaryOperator<TestNodeSettings> settings) {
		return started((own) -> settings.apply(own)
			.maxAttempts(5)
			.retryPolicy((failure) -> RetryDecision.retryIn(Duration.ofHours(1)))
			.bean(new Never())
			.bean(new Failing()));
	}

	record Alarm(int number) {
	}

	record Fax(int number) {
	}

	static final class Never implements RetryPolicy {

		@Override
		public RetryDecision decide(JobFailure failure) {
			return RetryDecision.giveUp();
		}

	}

	@SuppressWarnings("DoNotCallSuggester")
	static final class Failing {

		@JobHandler(queue = "emails", maxAttempts = 1, backoff = { "10h", "20h" })
		void handle(Alarm alarm, JobContext job) {
			throw new IllegalStateException("limit " + job.maxAttempts());
		}

		@JobHandler(queue = "emails", retryPolicy = "never")
		void handle(Fax fax) {
			throw new IllegalStateException("refused");
		}

		@JobHandler(queue = "emails")
		void handle(Mail mail) {
			throw new IllegalStateException("refused");
		}

	}

	static final class Slow {

		private final CountDownLatch release;

		Slow(CountDownLatch release) {
			this.release = release;
		}

		@JobHandler(queue = "emails", maxRunTime = "${alarm.time}")
		void handle(Alarm alarm) throws InterruptedException {
			this.release.await();
		}

		@JobHandler(queue = "emails")
		void handle(Mail mail) throws InterruptedException {
			this.release.await();
		}

	}

	static final class WithoutUnit {

		@JobHandler(queue = "emails", maxRunTime = "30")
		void handle(Mail mail) {
		}

	}

	static final class NoNumberOfAttempts {

		@JobHandler(queue = "emails", maxAttempts = -2)
		void handle(Mail mail) {
		}

	}

	static final class NoDuration {

		@JobHandler(queue = "emails", backoff = { "1m", "soon" })
		void handle(Mail mail) {
		}

	}

	static final class TwoPolicies {

		@JobHandler(queue = "emails", backoff = "1m", retryPolicy = "never")
		void handle(Mail mail) {
		}

	}

}
