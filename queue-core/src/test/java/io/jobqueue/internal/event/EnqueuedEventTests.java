package io.jobqueue.internal.event;

import java.sql.Savepoint;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobEnqueued;
import io.jobqueue.JobInfo;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.OnDuplicate;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every job that was committed in this JVM has an event, and no other job.
 */
class EnqueuedEventTests extends NodeTestBase {

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private RecordedEvents events = new RecordedEvents();

	private QueueNode node = producer();

	@BeforeEach
	void start() {
		this.events = new RecordedEvents();
		this.node = started((settings) -> settings.bean(this.events));
	}

	@Test
	void jobIsDescribedAsItIsStored() {
		Instant later = Instant.parse("2100-02-03T04:05:06Z");
		UUID id = this.node.queue()
			.enqueue(JobRequest.of("emails", new Mail("hi"))
				.priority(Priority.of(7))
				.runAt(later)
				.maxAttempts(3)
				.header("tenant", "acme"))
			.id();
		assertThat(received(1)).containsExactly(new JobInfoBuilder(id, JobState.SCHEDULED).priority(7)
			.maxAttempts(3)
			.enqueuedAt(time("created_at", id))
			.runAt(later)
			.header("tenant", "acme")
			.build());
		assertThat(time("run_at", id)).isEqualTo(later);
	}

	@Test
	void jobThatIsDueIsReady() {
		UUID id = enqueue();
		JobInfo job = received(1).get(0);
		assertThat(job.state()).isEqualTo(JobState.READY);
		assertThat(job.runAt()).isEqualTo(job.enqueuedAt()).isEqualTo(time("run_at", id));
		assertThat(job.maxAttempts()).isNull();
	}

	@Test
	void jobOfATimeInThePastIsReady() {
		UUID id = this.node.queue().enqueue(JobRequest.of(new Mail("hi")).runAt(Instant.EPOCH)).id();
		JobInfo job = received(1).get(0);
		assertThat(job.state()).isEqualTo(JobState.READY);
		assertThat(job.runAt()).isEqualTo(job.enqueuedAt()).isEqualTo(time("run_at", id));
	}

	@Test
	void delayCountsFromWhenTheJobWasEnqueued() {
		UUID id = this.node.queue().enqueue(JobRequest.of(new Mail("hi")).delay(Duration.ofHours(2))).id();
		JobInfo job = received(1).get(0);
		assertThat(job.runAt()).isEqualTo(job.enqueuedAt().plus(Duration.ofHours(2))).isEqualTo(time("run_at", id));
	}

	@Test
	void duplicateThatIsKeptOutHasNoEvent() {
		UUID id = keyed(OnDuplicate.KEEP).id();
		assertThat(keyed(OnDuplicate.KEEP).id()).isEqualTo(id);
		assertThat(received(1)).extracting(JobInfo::id).containsExactly(id);
		assertNothingMoreIsReceivedThan(1);
	}

	@Test
	void jobThatIsUpdatedHasAnEventWithItsNewState() {
		UUID id = keyed(OnDuplicate.KEEP).id();
		this.jdbc.update("UPDATE jobqueue_job SET attempts = 2, failures = 2");
		keyed(OnDuplicate.DEBOUNCE);
		JobInfo updated = received(2).get(1);
		assertThat(updated.id()).isEqualTo(id);
		assertThat(updated.state()).isEqualTo(JobState.RETRYING);
		assertThat(updated.attempt()).isEqualTo(2);
		assertThat(updated.enqueuedAt()).isEqualTo(time("created_at", id));
		assertThat(updated.runAt()).isEqualTo(time("run_at", id));
	}

	@Test
	void jobThatFollowsARunningOneIsBlocked() {
		UUID first = keyed(OnDuplicate.KEEP).id();
		this.jdbc.update("UPDATE jobqueue_job SET locked_by = gen_random_uuid()");
		UUID second = keyed(OnDuplicate.REQUEUE).id();
		assertThat(received(2)).extracting(JobInfo::id).containsExactly(first, second);
		assertThat(received(2)).extracting(JobInfo::state).containsExactly(JobState.SCHEDULED, JobState.BLOCKED);
	}

	@Test
	void everyJobOfACallHasAnEventInItsOrder() {
		List<UUID> ids = this.node.queue()
			.enqueueAll(Stream.generate(() -> JobRequest.of(new Mail("hi"))).limit(2_500).toList())
			.stream()
			.map((receipt) -> receipt.id())
			.toList();
		assertThat(received(2_500)).extracting(JobInfo::id).containsExactlyElementsOf(ids);
	}

	@Test
	void nothingIsPublishedBeforeTheCommit() {
		this.node.transaction().executeWithoutResult((status) -> {
			enqueue();
			assertNothingMoreIsReceivedThan(0);
		});
		received(1);
	}

	@Test
	void rollbackHasNoEvent() {
		this.node.transaction().executeWithoutResult((status) -> {
			enqueue();
			status.setRollbackOnly();
		});
		assertOnlyTheNextIsReceived();
	}

	@Test
	void rollbackToASavepointTakesAlongWhatCameAfterIt() {
		List<UUID> kept = this.node.transaction().execute((status) -> {
			UUID before = enqueue();
			Object savepoint = status.createSavepoint();
			enqueue();
			enqueueAroundAnotherSavepoint(status);
			status.rollbackToSavepoint(savepoint);
			return List.of(before, enqueue());
		});
		assertThat(received(2)).extracting(JobInfo::id).containsExactlyElementsOf(kept);
		assertOnlyTheNextIsReceived();
	}

	@Test
	void savepointThatIsReleasedTakesNothingAlong() {
		this.node.transaction().executeWithoutResult((status) -> {
			Object savepoint = status.createSavepoint();
			enqueueAroundAnotherSavepoint(status);
			status.releaseSavepoint(savepoint);
		});
		received(1);
		assertOnlyTheNextIsReceived();
	}

	/**
	 * The second of two jobs is rolled back.
	 */
	private void enqueueAroundAnotherSavepoint(TransactionStatus status) {
		enqueue();
		Object inner = status.createSavepoint();
		enqueue();
		status.rollbackToSavepoint(inner);
	}

	@Test
	void nestedTransactionThatIsRolledBackTakesItsJobAlong() {
		TransactionTemplate nested = new TransactionTemplate(this.node.transactionManager());
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		UUID kept = this.node.transaction().execute((status) -> {
			nested.executeWithoutResult((inner) -> {
				enqueue();
				inner.setRollbackOnly();
			});
			return nested.execute((inner) -> enqueue());
		});
		assertThat(received(1)).extracting(JobInfo::id).containsExactly(kept);
		assertOnlyTheNextIsReceived();
	}

	/**
	 * No callback reports the rollback.
	 */
	@Test
	void savepointOfTheConnectionIsNotKnown() {
		UUID gone = this.node.transaction()
			.execute((status) -> this.jdbc.execute((ConnectionCallback<UUID>) (connection) -> {
				Savepoint savepoint = connection.setSavepoint();
				UUID job = enqueue();
				connection.rollback(savepoint);
				return job;
			}));
		assertThat(received(1)).extracting(JobInfo::id).containsExactly(gone);
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void jobEnqueuedAfterTheCommitOfAnotherTransactionHasAnEvent() {
		this.node.transaction()
			.executeWithoutResult((status) -> TransactionSynchronizationManager
				.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						enqueue();
					}

				}));
		received(1);
	}

	@Test
	void innerCommitIsPublishedAlthoughTheOuterRollsBack() {
		TransactionTemplate independent = new TransactionTemplate(this.node.transactionManager());
		independent.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.node.transaction().executeWithoutResult((status) -> {
			independent.executeWithoutResult((inner) -> {
				enqueue();
				assertNothingMoreIsReceivedThan(0);
			});
			received(1);
			status.setRollbackOnly();
		});
		assertNothingMoreIsReceivedThan(1);
	}

	/**
	 * While the transaction of another manager is inside, its callbacks come first.
	 */
	@Test
	void eventFollowsTheQueuesCommitNotThatOfAnotherManager() {
		TransactionTemplate other = new TransactionTemplate(new JdbcTransactionManager(this.database.dataSource()));
		this.node.transaction().executeWithoutResult((status) -> {
			other.executeWithoutResult((inner) -> enqueue());
			status.setRollbackOnly();
		});
		assertOnlyTheNextIsReceived();
		UUID kept = this.node.transaction().execute((status) -> other.execute((inner) -> enqueue()));
		assertThat(received(2)).extracting(JobInfo::id).endsWith(kept);
	}

	private UUID enqueue() {
		return this.node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private JobReceipt keyed(OnDuplicate onDuplicate) {
		return this.node.queue()
			.enqueue(JobRequest.of("emails", new Mail("hi"))
				.key("k")
				.onDuplicate(onDuplicate)
				.delay(Duration.ofHours(1)));
	}

	private List<JobInfo> received(int count) {
		await().untilAsserted(() -> assertThat(this.events.all()).hasSize(count));
		return this.events.of(JobEnqueued.class).stream().map(JobEnqueued::job).toList();
	}

	/**
	 * Events are delivered in order.
	 */
	private void assertOnlyTheNextIsReceived() {
		int before = this.events.all().size();
		UUID next = this.node.queue().enqueue("emails", new Mail("next")).id();
		await().until(() -> this.events.all().size() > before);
		assertThat(this.events.all().get(before).job().id()).isEqualTo(next);
	}

	private void assertNothingMoreIsReceivedThan(int count) {
		await().during(Duration.ofMillis(200)).until(() -> this.events.all().size() == count);
	}

	private Instant time(String column, UUID job) {
		return column(column, job, Timestamp.class).toInstant();
	}

}
