package io.jobqueue.observation;

import java.lang.reflect.Type;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobResult;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Interceptors of runs have no part in jobs whose payload never was one.
 */
class UnreadablePayloadTests extends NodeTestBase {

	@Test
	void payloadThatCannotBeReadIsNoConcernOfTheirs() {
		assertDeadWithoutBeingCalled(new Codec((encoded) -> {
			throw new IllegalStateException("unreadable");
		}));
	}

	@Test
	void payloadOfAnotherClassIsNoConcernOfTheirs() {
		assertDeadWithoutBeingCalled(new Codec((encoded) -> "no mail"));
	}

	private void assertDeadWithoutBeingCalled(PayloadCodec codec) {
		AtomicBoolean called = new AtomicBoolean();
		UUID job = started(
				(settings) -> settings.maxAttempts(1).codec(codec).bean(new Lenient()).bean(new Noting(called)))
			.queue()
			.enqueue("emails", new Mail("hi"))
			.id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).contains("cannot be read");
		assertThat(called).isFalse();
	}

	static final class Lenient {

		@JobHandler(queue = "emails", succeedOn = Throwable.class)
		void run(Mail mail) {
			mail.text();
		}

	}

	private record Noting(AtomicBoolean called) implements JobInterceptor {

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
			this.called.set(true);
			return next.call();
		}

	}

	/**
	 * Writes nothing, and reads with the given function.
	 */
	private record Codec(Function<Encoded, Object> reading) implements PayloadCodec {

		@Override
		public Encoded encode(Object payload) {
			return Encoded.ofText("{}");
		}

		@Override
		public Object decode(Encoded encoded, Type type) {
			return this.reading.apply(encoded);
		}

	}

}
