package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.RetryPolicy;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.policy.Backoff;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where retries are probed, one of them runs at a time on all nodes while they fail, and
 * the others follow when one has succeeded.
 */
class ProbedRetriesTests extends NodeTestBase {

	private static final int JOBS = 40;

	private static final Duration SHORT = Duration.ofMillis(20);

	private static final RetryPolicy AT_ONCE = Backoff.fixed(SHORT);

	private final Server server = new Server();

	@BeforeEach
	void breakDown() {
		this.server.up.set(false);
		this.server.mostRetriesAtATime.set(0);
		this.server.retries.set(0);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "AT_MOST_ONCE")
	void retriesStopAtTheFirstFailureAndDrainWhileTheySucceed(Delivery delivery) {
		QueueNode one = start("one", delivery, Duration.ofHours(1));
		start("two", delivery, Duration.ofHours(1));
		enqueue(one, JOBS);
		await().until(() -> count("jobqueue_job WHERE failures > 0") == JOBS && this.server.retries.get() >= 10);
		UUID fresh = one.queue().enqueue("emails", new Mail("needs no server")).id();
		awaitState(fresh, "SUCCEEDED");
		assertThat(count("jobqueue_job WHERE due_at IS NOT NULL")).isBetween(JOBS - 2L, JOBS - 1L);
		assertThat(this.server.mostRetriesAtATime).hasValue(1);
		this.server.up.set(true);
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == JOBS + 1);
	}

	@Test
	void retriesOfOtherQueuesRunAtOnce() {
		recordWithheld();
		QueueNode probing = node(settings().name("letters").probeRetries().retryPolicy(AT_ONCE)).start();
		probing.registry().register("letters", Letter.class, (letter, job) -> {
			throw new IllegalStateException("The server is down");
		});
		IntStream.range(0, JOBS).forEach((n) -> probing.queue().enqueue("letters", new Letter("hi")));
		await().until(() -> count("jobqueue_job WHERE due_at IS NOT NULL") >= JOBS - 2);
		QueueNode node = node(settings().handler((mail, job) -> this.server.call(job)).retryPolicy(AT_ONCE)).start();
		enqueue(node, JOBS);
		await().until(() -> this.server.retries.get() >= 3 * JOBS);
		assertThat(this.sql.sql("SELECT DISTINCT queue FROM held_back").query(String.class).list())
			.containsExactly("letters");
		this.sql.sql("DROP TABLE held_back CASCADE").update();
		this.sql.sql("DROP FUNCTION note_held_back CASCADE").update();
	}

	@Test
	void retriesAreReleasedAtTheStartOfANodeThatDoesNotProbe() {
		QueueNode node = start("one", Delivery.AT_LEAST_ONCE, Duration.ofMillis(100));
		enqueue(node, JOBS);
		await().until(() -> count("jobqueue_job WHERE due_at IS NOT NULL") >= JOBS - 2);
		node.close();
		this.server.up.set(true);
		started((settings) -> settings.handler((mail, job) -> this.server.call(job))
			.reaperInterval(Duration.ofHours(1)));
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == JOBS);
	}

	@Test
	void reaperReleasesAnotherRetryWhenTheProbeIsGone() {
		QueueNode node = start("one", Delivery.AT_LEAST_ONCE, Duration.ofMillis(100));
		enqueue(node, JOBS);
		await().until(() -> count("jobqueue_job WHERE due_at IS NOT NULL") >= JOBS - 2);
		node.jobWorker().stop();
		this.sql.sql("DELETE FROM jobqueue_job WHERE due_at IS NULL").update();
		long left = count("jobqueue_job");
		this.server.up.set(true);
		node.jobWorker().start();
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == left);
	}

	@Test
	void retriesOfAQueueThatIsServedLaterAreReleased() {
		QueueNode probing = start("one", Delivery.AT_LEAST_ONCE, Duration.ofMillis(100));
		enqueue(probing, JOBS);
		await().until(() -> count("jobqueue_job WHERE due_at IS NOT NULL") >= JOBS - 2);
		probing.close();
		QueueNode node = started((settings) -> settings.reaperInterval(Duration.ofHours(1)));
		node.registry().register("letters", Letter.class, (letter, job) -> JobResult.success());
		await().until(() -> count("jobqueue_worker WHERE queues LIKE '%letters%'") == 1);
		node.registry().register("emails", Mail.class, (mail, job) -> JobResult.success());
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == JOBS);
	}

	@Test
	void repeatedlyPostponedRetryDelaysNoOther() {
		QueueNode node = started((settings) -> settings.probeRetries()
			.reaperInterval(Duration.ofHours(1))
			.retryPolicy(Backoff.fixed(SHORT))
			.bean(new Undecided(new AtomicReference<>())));
		enqueue(node, 5);
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == 4);
	}

	private void recordWithheld() {
		this.sql.sql("CREATE TABLE held_back (queue text)").update();
		this.sql.sql("""
				CREATE FUNCTION note_held_back() RETURNS trigger LANGUAGE plpgsql AS
				'BEGIN INSERT INTO held_back VALUES (NEW.queue); RETURN NULL; END'
				""").update();
		this.sql.sql("""
				CREATE TRIGGER note AFTER INSERT OR UPDATE ON jobqueue_job FOR EACH ROW WHEN (NEW.due_at IS NOT NULL)
				EXECUTE FUNCTION note_held_back()
				""").update();
	}

	private void enqueue(QueueNode node, int jobs) {
		node.queue()
			.enqueueAll(IntStream.range(0, jobs).mapToObj((n) -> JobRequest.of("emails", new Mail("hi"))).toList());
	}

	private QueueNode start(String name, Delivery delivery, Duration reaperInterval) {
		TestNodeSettings settings = settings().name(name)
			.probeRetries()
			.reaperInterval(reaperInterval)
			.maxAttempts(0)
			.retryPolicy(Backoff.fixed(SHORT));
		return node(settings
			.bean((delivery == Delivery.TRANSACTIONAL) ? new InTransaction(this.server) : new Outside(this.server)))
			.start();
	}

	/**
	 * What handlers depend on.
	 */
	private static final class Server {

		private final AtomicBoolean up = new AtomicBoolean();

		private final AtomicInteger retries = new AtomicInteger();

		private final AtomicInteger retriesNow = new AtomicInteger();

		private final AtomicInteger mostRetriesAtATime = new AtomicInteger();

		void call(JobContext job) {
			boolean retry = job.attempt() > 1;
			if (retry) {
				this.retries.incrementAndGet();
				this.mostRetriesAtATime.accumulateAndGet(this.retriesNow.incrementAndGet(), Math::max);
			}
			try {
				answer();
			}
			finally {
				this.retriesNow.addAndGet(retry ? -1 : 0);
			}
		}

		private void answer() {
			if (!this.up.get()) {
				throw new IllegalStateException("down");
			}
		}

	}

	record Letter(String text) {
	}

	record Outside(Server server) {

		@JobHandler(queue = "emails")
		void handle(Mail mail, JobContext job) {
			if (mail.text().equals("hi")) {
				this.server.call(job);
			}
		}

	}

	/**
	 * Puts off the first job that it is asked about twice.
	 */
	record Undecided(AtomicReference<@Nullable UUID> putOff) {

		@JobHandler(queue = "emails")
		JobResult handle(Mail mail, JobContext job) {
			if (job.attempt() == 1) {
				return JobResult.retryIn(SHORT);
			}
			this.putOff.compareAndSet(null, job.id());
			return job.id().equals(this.putOff.get()) ? JobResult.snooze(SHORT) : JobResult.success();
		}

	}

	record InTransaction(Server server) {

		@JobHandler(queue = "emails", delivery = Delivery.TRANSACTIONAL)
		void handle(Mail mail, JobContext job) {
			if (mail.text().equals("hi")) {
				this.server.call(job);
			}
		}

	}

}
