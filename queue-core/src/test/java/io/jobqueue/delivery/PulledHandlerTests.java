package io.jobqueue.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobContext;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobResult;
import io.jobqueue.PulledJob;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Pulled jobs that a handler is to run.
 */
class PulledHandlerTests extends NodeTestBase {

	@Test
	void handlersResultDecides() {
		QueueNode node = started((settings) -> settings);
		UUID id = enqueue(node);
		pull(node).run((mail, job) -> {
			assertThat(mail).isEqualTo(new Mail("hi"));
			assertThat(job.id()).isEqualTo(id);
			return JobResult.retryIn(Duration.ofHours(1));
		});
		assertThat(state(id)).isEqualTo("RETRYING");
	}

	@Test
	void exceptionOfTheHandlerFailsTheAttemptAndIsNotThrown() {
		QueueNode node = started((settings) -> settings.retryPolicy((failure) -> RetryDecision.giveUp()));
		UUID id = enqueue(node);
		pull(node).run((mail, job) -> {
			throw new IllegalStateException("refused");
		});
		assertThat(state(id)).isEqualTo("DEAD");
		assertThat(column("last_error", id, String.class)).contains("refused");
	}

	@Test
	void interruptedHandlerReleasesTheJobAndLeavesItsThreadInterrupted() {
		QueueNode node = started((settings) -> settings);
		UUID id = enqueue(node);
		pull(node).run((mail, job) -> {
			throw new InterruptedException();
		});
		assertThat(Thread.interrupted()).isTrue();
		assertThat(state(id)).isEqualTo("READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
	}

	@Test
	void interceptorsWrapTheHandlerAndTheMdcNamesTheJob() {
		List<String> seen = new ArrayList<>();
		QueueNode node = started((settings) -> settings.bean(new Witness(seen)));
		UUID id = enqueue(node);
		pull(node).run((mail, job) -> {
			seen.add(MDC.get("job.id"));
			return JobResult.success();
		});
		assertThat(seen).containsExactly("before", id.toString(), "after");
		assertThat(MDC.get("job.id")).isNull();
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void jobThatHasBeenEndedIsNotRun() {
		QueueNode node = started((settings) -> settings);
		enqueue(node);
		PulledJob<Mail> job = pull(node);
		job.end(JobResult.success());
		AtomicBoolean runs = new AtomicBoolean();
		assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.run((mail, context) -> {
			runs.set(true);
			return JobResult.success();
		}));
		assertThat(runs).isFalse();
	}

	@Test
	void resultThatIsNoJobResultIsASuccessForInterceptors() {
		List<String> seen = new ArrayList<>();
		QueueNode node = started((settings) -> settings.bean(new Witness(seen)));
		UUID id = enqueue(node);
		pull(node).run((mail, job) -> null);
		assertThat(seen).containsExactly("before", "after");
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void jobIsRunOnce() {
		QueueNode node = started((settings) -> settings);
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		job.run((mail, context) -> {
			assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.run((again, other) -> {
				throw new AssertionError("It runs again");
			}));
			return JobResult.success();
		});
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private static PulledJob<Mail> pull(QueueNode node) {
		PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
		assertThat(job).isNotNull();
		return job;
	}

	private record Witness(List<String> seen) implements JobInterceptor {

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
			this.seen.add("before");
			JobResult result = Objects.requireNonNull(next.call());
			this.seen.add("after");
			return result;
		}

	}

}
