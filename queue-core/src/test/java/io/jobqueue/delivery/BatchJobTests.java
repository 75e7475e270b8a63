package io.jobqueue.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.Batch;
import io.jobqueue.BatchDetails;
import io.jobqueue.BatchInfo;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Batches on real workers. Neither a poll nor the reaper finds the callbacks during a
 * test.
 */
class BatchJobTests extends NodeTestBase {

	private static final Duration LATE = Duration.ofDays(1);

	private final ConcurrentLinkedQueue<String> called = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void forget() {
		this.called.clear();
	}

	private QueueNode started(Object... beans) {
		TestNodeSettings settings = settings().neverPolls()
			.reaperInterval(LATE)
			.listensOn(this.database.directDataSource())
			.bean(new MailHandler((mail, job) -> run(mail)))
			.bean(new Callback());
		for (Object bean : beans) {
			settings.bean(bean);
		}
		return node(settings).start();
	}

	private static void run(Mail mail) {
		if (mail.text().startsWith("fails")) {
			throw new IllegalStateException("Fails");
		}
	}

	private static JobRequest callback(String name) {
		return JobRequest.of("callbacks", new Mail(name));
	}

	private static List<JobRequest> mails(int count) {
		return IntStream.range(0, count).mapToObj((number) -> JobRequest.of("emails", new Mail("mail"))).toList();
	}

	private static Batch start(QueueNode node) {
		return node.queue().batch("import-42").then(callback("then")).onFailure(callback("failure")).start();
	}

	private void awaitCalls(String... calls) {
		awaitCallbacks(calls.length);
		assertThat(this.called).containsExactly(calls);
	}

	/**
	 * No callback is left that could be called as well.
	 */
	private void awaitCallbacks(int count) {
		await().until(() -> this.called.size() >= count);
		await().until(() -> count("jobqueue_job WHERE queue = 'callbacks'") == 0);
	}

	@Test
	void callbackSeesTheNumbersOfTheBatch() {
		QueueNode node = started();
		Batch batch = node.transaction().execute((status) -> {
			Batch started = start(node);
			started.add(mails(20));
			started.seal();
			return started;
		});
		awaitCalls("then " + new BatchInfo(20, 20, 0, 0));
		assertThat(batch.info()).isEqualTo(new BatchInfo(20, 20, 0, 0));
		assertThat(batch.info().unfinished()).isZero();
		BatchDetails details = node.operations().batch(batch.id()).orElseThrow();
		assertThat(details.name()).isEqualTo("import-42");
		assertThat(details.startedAt()).isBeforeOrEqualTo(details.sealedAt());
		assertThat(details.sealedAt()).isBeforeOrEqualTo(details.finishedAt());
		assertThat(node.operations().batches()).isEmpty();
	}

	@Test
	void deadMemberCallsTheFailureCallback() {
		QueueNode node = started();
		Batch batch = start(node);
		batch.add(mails(3));
		batch.add(List.of(JobRequest.of("emails", new Mail("fails")).maxAttempts(1)));
		assertThat(node.operations().batches()).extracting(BatchDetails::id).containsExactly(batch.id());
		batch.seal();
		awaitCalls("failure " + new BatchInfo(4, 3, 1, 0));
		assertThat(batch.info().failed()).isOne();
	}

	/**
	 * The last members of the batch end on two nodes.
	 */
	@Test
	void oneOfSeveralNodesCallsBack() {
		QueueNode node = started();
		started();
		List<UUID> batches = new ArrayList<>();
		for (int count = 0; count < 20; count++) {
			Batch batch = start(node);
			batch.add(mails(40));
			batch.seal();
			batches.add(batch.id());
		}
		awaitCallbacks(20);
		assertThat(this.called).hasSize(20).containsOnly("then " + new BatchInfo(40, 40, 0, 0));
		assertThat(batches)
			.allSatisfy((batch) -> assertThat(node.queue().batch(batch).info().succeeded()).isEqualTo(40));
	}

	@Test
	void emptyBatchCallsBack() {
		QueueNode node = started();
		Batch batch = start(node);
		assertThat(batch.add(List.of())).isEmpty();
		batch.seal();
		awaitCalls("then " + new BatchInfo(0, 0, 0, 0));
	}

	/**
	 * A member adds others in its own transaction, and the last one seals.
	 */
	@Test
	void membersAddMembers() {
		QueueNode node = started(new Splitter());
		this.splitting = node;
		Batch batch = start(node);
		batch.add(List.of(JobRequest.of("splits", new Mail("3 " + batch.id()))));
		awaitCalls("then " + new BatchInfo(7, 7, 0, 0));
	}

	private QueueNode splitting;

	@Test
	void rolledBackBatchDoesNotExist() {
		QueueNode node = started();
		UUID id = node.transaction().execute((status) -> {
			Batch batch = start(node);
			batch.add(mails(1));
			assertThat(batch.info().total()).isOne();
			status.setRollbackOnly();
			return batch.id();
		});
		Batch batch = node.queue().batch(id);
		assertThatThrownBy(batch::info).isInstanceOf(JobRejectedException.class).hasMessageContaining("is unknown");
		assertThatThrownBy(batch::seal).isInstanceOf(JobRejectedException.class).hasMessageContaining("is unknown");
		assertThatThrownBy(() -> batch.add(mails(1))).isInstanceOf(JobRejectedException.class)
			.hasMessageContaining("is sealed or unknown");
		assertThat(node.operations().batch(id)).isEmpty();
	}

	@Test
	void jobOutsideABatchHasNone() {
		QueueNode node = started();
		node.queue().enqueue(callback("alone"));
		awaitCalls("alone null");
	}

	@ParameterizedTest
	@ValueSource(strings = { "name", "missing", "null", "key", "order", "after" })
	void invalidBatchIsRefused(String what) {
		QueueNode node = started();
		Batch.Builder valid = node.queue().batch("import").then(callback("then"));
		assertThatThrownBy(() -> {
			Batch unused = (switch (what) {
				case "name" -> node.queue().batch("").then(callback("then"));
				case "missing" -> node.queue().batch("import").onFailure(callback("failure"));
				case "null" -> valid.onFailure(null);
				case "order" -> valid.then(callback("then").orderedBy("one"));
				case "key" -> valid.onFailure(callback("failure").key("one"));
				default -> valid.then(callback("then").after(UUID.randomUUID()));
			}).start();
		}).isInstanceOf(JobRejectedException.class).hasMessageContaining(switch (what) {
			case "name" -> "'batch' must have 1 to 800 characters";
			case "missing" -> "'then' is missing";
			case "null" -> "'onFailure' must not be null";
			case "order" -> "'then' has an ordering key";
			case "key" -> "'onFailure' has the unique key 'one'";
			default -> "'then' names predecessors";
		});
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_job").query(Long.class).single()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 3 })
	void interceptorMustPassOnTheCallbacks(int count) {
		AtomicReference<JobQueue> queue = new AtomicReference<>();
		QueueNode node = started(new Passing(count, queue));
		queue.set(node.queue());
		assertThatThrownBy(() -> start(node)).isInstanceOf(JobRejectedException.class)
			.hasMessageContaining("has 2 callbacks, but interceptors have passed on " + count);
		assertThat(count("jobqueue_jobs")).isZero();
	}

	@Test
	void memberCannotWaitForACallback() {
		QueueNode node = started();
		Batch batch = start(node);
		List<UUID> callbacks = this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list();
		assertThat(callbacks).hasSize(2)
			.allSatisfy((callback) -> assertThatThrownBy(
					() -> batch.add(List.of(JobRequest.of("emails", new Mail("mail")).after(callback))))
				.isInstanceOf(JobRejectedException.class)
				.hasMessageContaining("'after' names " + callback + ", which follows this batch"));
		assertThat(batch.info().total()).isZero();
		assertThat(count("jobqueue_job")).isEqualTo(2);
	}

	/**
	 * Handles callbacks.
	 */
	public final class Callback {

		@JobHandler(queue = "callbacks")
		void call(Mail mail, JobContext job) {
			BatchJobTests.this.called.add(mail.text() + " " + job.batch());
		}

	}

	/**
	 * Halves a number: a member that is not 1 adds two, the first one seals at the end.
	 */
	public final class Splitter {

		@JobHandler(queue = "splits", delivery = Delivery.TRANSACTIONAL)
		void split(Mail mail, JobContext job) {
			int depth = Integer.parseInt(mail.text().substring(0, 1));
			Batch batch = BatchJobTests.this.splitting.queue().batch(UUID.fromString(mail.text().substring(2)));
			if (depth > 1) {
				JobRequest half = JobRequest.of("splits", new Mail((depth - 1) + mail.text().substring(1)));
				batch.add(List.of(half, half));
			}
			if (Objects.requireNonNull(job.batch()).total() == 7) {
				batch.seal();
			}
		}

	}

	/**
	 * Enqueues another job, and passes on the first of several requests as often as it
	 * should.
	 */
	public record Passing(int count, AtomicReference<JobQueue> queue) implements JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			if (requests.size() == 1) {
				return next.apply(requests);
			}
			UUID other = this.queue.get().enqueue("emails", new Mail("mail")).id();
			List<JobReceipt> unused = next.apply(Collections.nCopies(this.count, requests.get(0)));
			return requests.stream().map((request) -> new JobReceipt(other, Outcome.ALREADY_WAITING)).toList();
		}

	}

}
