package io.jobqueue.delivery;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import io.jobqueue.Delivery;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.delivery.Handlers.AlreadyDone;
import io.jobqueue.delivery.Handlers.Hopeless;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What a job's state becomes by what its handler returns or throws, whatever its
 * delivery.
 */
class ResultTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	@ParameterizedTest
	@EnumSource
	void success(Delivery delivery) {
		awaitState(enqueue(delivery, (job) -> JobResult.success()), "SUCCEEDED");
	}

	@ParameterizedTest
	@EnumSource
	void failure(Delivery delivery) {
		UUID job = enqueue(delivery, (context) -> JobResult.fail("the card is stolen"));
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).isEqualTo("the card is stolen");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void reasonIsKeptAsFarAsItCanBeStored() {
		UUID job = enqueue(Delivery.AT_LEAST_ONCE, (context) -> JobResult.fail("a\0b\ud800" + "c".repeat(20_000)));
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).startsWith("a\uFFFDb?ccc").hasSize(10_000);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "AT_MOST_ONCE")
	void retry(Delivery delivery) {
		UUID job = enqueue(delivery, (context) -> JobResult.retryIn(HOUR));
		awaitState(job, "RETRYING");
		assertDueInAnHour(job);
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
		assertThat(column("history -> 0 ->> 'outcome'", job, String.class)).isEqualTo("retried");
		assertThat(column("history -> 0 ->> 'error'", job, String.class))
			.isEqualTo("The handler requested another attempt");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "AT_MOST_ONCE")
	void retryOnTheLastAttempt(Delivery delivery) {
		UUID job = started((node) -> node.bean(Handlers.of(delivery, (context) -> JobResult.retryIn(HOUR)))).queue()
			.enqueue(JobRequest.of("emails", new Mail("hi")).maxAttempts(1))
			.id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains("but none is left");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "AT_MOST_ONCE")
	void snooze(Delivery delivery) {
		UUID job = enqueue(delivery, (context) -> JobResult.snooze(HOUR));
		awaitState(job, "SCHEDULED");
		assertDueInAnHour(job);
		assertThat(column("started_at IS NULL AND history IS NULL", job, Boolean.class)).isTrue();
		assertThat(column("attempts", job, Integer.class)).isZero();
	}

	@Test
	void snoozedJobRunsAgainWhenItIsDue() {
		AtomicInteger runs = new AtomicInteger();
		UUID job = enqueue(Delivery.AT_LEAST_ONCE, (context) -> {
			assertThat(context.attempt()).isEqualTo(1);
			return (runs.incrementAndGet() < 3) ? JobResult.snooze(Duration.ofMillis(50)) : JobResult.success();
		});
		awaitState(job, "SUCCEEDED");
		assertThat(runs).hasValue(3);
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void exceptionThatIsFinal(Delivery delivery) {
		UUID job = enqueue(delivery, (context) -> {
			throw new IllegalStateException(new Hopeless());
		});
		awaitState(job, "DEAD");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
		assertThat(column("last_error", job, String.class)).contains("Caused by: " + Hopeless.class.getName());
	}

	@ParameterizedTest
	@EnumSource
	void exceptionThatMeansSuccess(Delivery delivery) {
		UUID job = enqueue(delivery, (context) -> {
			throw new AlreadyDone();
		});
		awaitState(job, "SUCCEEDED");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void finalExceptionsComeFirst(Delivery delivery) {
		UUID job = enqueue(delivery, (context) -> {
			throw new AlreadyDone(new Hopeless());
		});
		awaitState(job, "DEAD");
	}

	@Test
	void exceptionsThatCauseEachOtherAreLookedThroughOnce() {
		UUID job = enqueue(Delivery.AT_MOST_ONCE, (context) -> {
			Exception one = new IllegalStateException("one");
			one.initCause(new IllegalStateException("other", one));
			throw one;
		});
		awaitState(job, "DEAD");
	}

	@Test
	void negativeDelaysAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> JobResult.retryIn(Duration.ofSeconds(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> JobResult.snooze(Duration.ofSeconds(-1)));
	}

	private void assertDueInAnHour(UUID job) {
		assertThat(column("extract(epoch FROM run_at - now())", job, Double.class)).isBetween(3500.0, 3600.0);
	}

	private UUID enqueue(Delivery delivery, Behaviour behaviour) {
		return started((node) -> node.bean(Handlers.of(delivery, behaviour))).queue()
			.enqueue("emails", new Mail("hi"))
			.id();
	}

}
