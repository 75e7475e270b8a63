package io.jobqueue.internal.event;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobDied;
import io.jobqueue.JobInfo;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobState;
import io.jobqueue.JobTimeoutException;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The events of deaths.
 */
class DeathEventTests extends OutcomeEventTestBase {

	@ParameterizedTest
	@EnumSource
	void deathByTheLastAttempt(Delivery delivery) {
		UUID job = start(delivery, (context) -> {
			throw this.refused;
		}, (settings) -> settings.maxAttempts(1)).queue().enqueue("emails", new Mail("hi")).id();
		awaitState(job, "DEAD");
		assertThat(death(job).exception()).isSameAs(this.refused);
		assertOnlyReceived(JobDied.class);
	}

	@Test
	void deathByTheResult() {
		UUID job = run(Delivery.AT_LEAST_ONCE, (context) -> JobResult.fail("no"));
		awaitState(job, "DEAD");
		assertThat(death(job).exception()).isNull();
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void deathByTimeout() {
		UUID job = start(Delivery.AT_LEAST_ONCE, this::block,
				(settings) -> settings.maxAttempts(1).maxRunTime(Duration.ofSeconds(2)))
			.queue()
			.enqueue("emails", new Mail("hi"))
			.id();
		awaitState(job, "DEAD");
		assertThat(death(job).exception()).isInstanceOf(JobTimeoutException.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 25 })
	void deathByACrash(int maxAttempts) throws InterruptedException {
		Delivery delivery = (maxAttempts == 1) ? Delivery.AT_LEAST_ONCE : Delivery.AT_MOST_ONCE;
		UUID job = start(delivery, this::block, (settings) -> settings.maxAttempts(maxAttempts)).queue()
			.enqueue(JobRequest.of("emails", new Mail("hi")).priority(Priority.of(7)).header("tenant", "acme"))
			.id();
		this.begun.await();
		this.sql.sql("UPDATE jobqueue_worker SET timeout_millis = 0").update();
		awaitState(job, "DEAD");
		JobInfo expected = new JobInfoBuilder(job, JobState.DEAD).priority(7)
			.attempt(1)
			.maxAttempts(maxAttempts)
			.enqueuedAt(time("created_at", job))
			.runAt(time("run_at", job))
			.header("tenant", "acme")
			.build();
		assertThat(death(job)).isEqualTo(new JobDied(expected, null));
		this.release.countDown();
		assertOnlyReceived(JobDied.class);
	}

	private JobDied death(UUID job) {
		assertThat(received(JobDied.class)).extracting(JobInfo::id).containsExactly(job);
		assertThat(received(JobDied.class)).extracting(JobInfo::state).containsExactly(JobState.DEAD);
		return this.events.of(JobDied.class).get(0);
	}

}
