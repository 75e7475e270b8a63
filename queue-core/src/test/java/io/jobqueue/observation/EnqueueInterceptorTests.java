package io.jobqueue.observation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What interceptors can do about what is enqueued.
 */
class EnqueueInterceptorTests extends NodeTestBase {

	private static final JobRequest MAIL = JobRequest.of("emails", new Mail("hi"));

	private final InterceptorCalls calls = new InterceptorCalls();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	@BeforeEach
	void prepare() {
		this.calls.clear();
		this.sql.sql("CREATE TABLE IF NOT EXISTS audit (id integer)").update();
		this.sql.sql("TRUNCATE audit").update();
	}

	@Test
	void firstOneIsOutermost() {
		QueueNode node = node(settings().bean(this.calls.second()).bean(this.calls.first()));
		node.queue().enqueue(new Mail("hi"));
		assertThat(this.calls.enqueues()).containsExactly("first", "second", "second is back", "first is back");
	}

	@Test
	void everyCallIsIntercepted() {
		QueueNode node = node(settings().bean(this.calls.first()));
		node.queue().enqueue("emails", new Mail("hi"));
		node.queue().enqueue(MAIL);
		node.queue().enqueueAll(List.of(MAIL, MAIL));
		assertThat(this.calls.enqueues()).hasSize(6);
		node.queue().enqueueAll(List.of());
		assertThat(this.calls.enqueues()).hasSize(6);
	}

	@Test
	void requestsMayBeChanged() {
		UUID job = node(intercepted((requests, next) -> next
			.apply(requests.stream().map((request) -> request.header("tenant", "acme")).toList()))).queue()
			.enqueue(MAIL)
			.id();
		assertThat(column("headers", job, String.class)).contains("acme");
	}

	@Test
	void requestsMayBeDropped() {
		JobReceipt standIn = new JobReceipt(UUID.randomUUID(), JobReceipt.Outcome.ADDED);
		QueueNode node = node(intercepted((requests, next) -> {
			assertThat(next.apply(List.of())).isEmpty();
			return List.of(standIn);
		}));
		assertThat(node.queue().enqueue(MAIL)).isEqualTo(standIn);
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void requestsMayBeAdded() {
		QueueNode node = node(intercepted((requests, next) -> {
			List<JobRequest> more = new ArrayList<>(requests);
			more.add(JobRequest.of("copies", new Mail("copy")));
			List<JobReceipt> receipts = next.apply(more);
			assertThat(receipts).hasSize(requests.size() + 1);
			return receipts.subList(0, requests.size());
		}));
		assertThat(node.queue().enqueueAll(List.of(MAIL, MAIL))).hasSize(2);
		assertThat(count("jobqueue_job WHERE queue = 'emails'")).isEqualTo(2);
		assertThat(count("jobqueue_job WHERE queue = 'copies'")).isEqualTo(1);
	}

	@Test
	void exceptionReachesTheCallerUnchanged() {
		for (RuntimeException thrown : List.of(new JobRejectedException("tenant", "is missing"),
				new IllegalStateException("no"))) {
			QueueNode node = node(intercepted((requests, next) -> {
				throw thrown;
			}));
			assertThatExceptionOfType(thrown.getClass()).isThrownBy(() -> node.queue().enqueue(MAIL))
				.satisfies((ex) -> assertThat(ex).isSameAs(thrown));
			assertThat(count("jobqueue_job")).isZero();
		}
	}

	@Test
	void transactionStaysUsableWhereNothingWasWritten() {
		QueueNode node = node(intercepted((requests, next) -> {
			throw new JobRejectedException("tenant", "is missing");
		}));
		node.transaction().executeWithoutResult((status) -> {
			assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> node.queue().enqueue(MAIL));
			this.jdbc.update("INSERT INTO audit VALUES (1)");
		});
		assertThat(count("audit")).isEqualTo(1);
	}

	@Test
	void transactionStaysUsableWhereAllRequestsWereDropped() {
		QueueNode node = node(intercepted((requests, next) -> {
			assertThat(next.apply(List.of())).isEmpty();
			throw new JobRejectedException("tenant", "is missing");
		}));
		node.transaction().executeWithoutResult((status) -> {
			assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> node.queue().enqueue(MAIL));
			this.jdbc.update("INSERT INTO audit VALUES (1)");
		});
		assertThat(count("audit")).isEqualTo(1);
	}

	@Test
	void transactionStaysUsableWhereTheQueueRefuses() {
		QueueNode node = node(settings().bean(this.calls.first()));
		node.transaction().executeWithoutResult((status) -> {
			assertThatExceptionOfType(JobRejectedException.class)
				.isThrownBy(() -> node.queue().enqueue("No name", new Mail("hi")));
			node.queue().enqueue(MAIL);
		});
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	@Test
	void earlierWritesAreRolledBack() {
		QueueNode node = node(intercepted((requests, next) -> {
			assertThat(next.apply(requests)).hasSize(1);
			throw new IllegalStateException("too late");
		}));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> node.queue().enqueue(MAIL))
			.withMessage("too late");
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void callerWhoseJobWasWrittenBeforeCannotCommit() {
		QueueNode node = node(intercepted((requests, next) -> {
			assertThat(next.apply(requests)).hasSize(1);
			throw new IllegalStateException("too late");
		}));
		assertThatExceptionOfType(UnexpectedRollbackException.class).isThrownBy(() -> node.transaction()
			.executeWithoutResult((status) -> assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> node.queue().enqueue(MAIL))));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void interceptorsWritesAreCommittedWithTheJob() {
		QueueNode node = node(intercepted((requests, next) -> {
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
			this.jdbc.update("INSERT INTO audit VALUES (1)");
			return next.apply(requests);
		}));
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> node.queue().enqueue("No name", new Mail("hi")));
		assertThat(count("audit")).isZero();
		node.queue().enqueue(MAIL);
		assertThat(count("audit")).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2, -1 })
	void otherNumberOfReceiptsIsRefused(int number) {
		QueueNode node = node(settings().bean(new Miscounting(number)));
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> node.queue().enqueue(MAIL))
			.withMessageContaining(Miscounting.class.getName())
			.withMessageContaining("one receipt per request");
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void missingTransactionIsRefusedFirst() {
		QueueNode node = node(settings().requireTransaction().bean(this.calls.first()));
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> node.queue().enqueue(MAIL))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("transaction"));
		assertThat(this.calls.enqueues()).isEmpty();
	}

	private TestNodeSettings intercepted(Around around) {
		return settings().bean(new Lambda(around));
	}

	/**
	 * What an interceptor does.
	 */
	private interface Around {

		List<JobReceipt> aroundEnqueue(List<JobRequest> requests, Function<List<JobRequest>, List<JobReceipt>> next);

	}

	private record Lambda(Around around) implements JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			return this.around.aroundEnqueue(requests, next);
		}

	}

	/**
	 * Returns so many receipts, or nothing at all.
	 */
	private record Miscounting(int number) implements JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			JobReceipt receipt = next.apply(requests).get(0);
			return (this.number < 0) ? null : Collections.nCopies(this.number, receipt);
		}

	}

}
