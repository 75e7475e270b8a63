package io.jobqueue.test;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.Batch;
import io.jobqueue.CancelOutcome;
import io.jobqueue.JobDetails.Progress;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.Priority;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.TopicSubscription;
import io.jobqueue.test.TestApplication.Booking;
import io.jobqueue.test.TestApplication.Bookings;
import io.jobqueue.test.TestApplication.Chain;
import io.jobqueue.test.TestApplication.Export;
import io.jobqueue.test.TestApplication.Ledger;
import io.jobqueue.test.TestApplication.Mail;
import io.jobqueue.test.TestApplication.Newsletters;
import io.jobqueue.test.TestApplication.Postcard;
import io.jobqueue.test.TestApplication.Text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests that commit.
 */
@SpringBootTest(properties = "spring.sql.init.mode=always")
class TestJobsTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private JobQueue queue;

	@Autowired
	private JobOperations operations;

	@Autowired
	private RecurringJobs recurring;

	@Autowired
	private Newsletters newsletters;

	@Autowired
	private JdbcClient jdbc;

	@BeforeEach
	void empty() {
		this.jobs.deleteAll();
		this.jdbc.sql("DELETE FROM mail").update();
		this.jdbc.sql("DELETE FROM booking").update();
	}

	@Test
	void callOfAMethodIsAJob() throws Exception {
		JobReceipt receipt = this.newsletters.send("ada", 7);
		assertThat(this.jobs).enqueued("subscriber")
			.onQueue("newsletters")
			.withPayload(new TreeMap<>(Map.of("subscriber", "ada", "edition", 7)))
			.once();
		assertThat(this.jobs.runNext("newsletters")).returns(receipt.id(), JobOutcome::id);
		assertThat(this.jdbc.sql("SELECT recipient FROM mail").query(String.class).list()).containsExactly("ada 7");
	}

	/**
	 * Each run finds what the one before has released, however often.
	 */
	@Test
	void handlerOfSeveralJobsIsCalledWithOne(@Autowired TestApplication.Postcards postcards) throws Exception {
		this.queue.enqueueAll(List.of(new Postcard("you"), new Postcard("nobody")));
		assertThat(this.jobs.runNext("postcards").state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(this.jobs.runAll()).extracting(JobOutcome::state).containsExactly(JobState.DEAD);
		assertThat(postcards.sizes()).containsExactly(1, 1);
	}

	@Test
	void jobsRunAfterTheirPredecessors() throws Exception {
		for (int round = 0; round < 50; round++) {
			UUID first = this.queue.enqueue(new Mail("ada")).id();
			this.queue.enqueue(JobRequest.of(new Mail("bob")).after(first));
			assertThat(this.jobs.runAll()).hasSize(2);
		}
	}

	@Test
	void callbackRunsAfterTheMembers() throws Exception {
		Batch batch = this.queue.batch("mails").then(new Mail("then")).start();
		batch.add(List.of(new Mail("ada"), new Mail("bob")));
		assertThat(this.jobs.runAll()).hasSize(2);
		batch.seal();
		assertThat(this.jobs.runAll()).hasSize(1);
		assertThat(mails()).endsWith("then");
	}

	@Test
	void jobExpiresInTheTimeOfTheTest() throws Exception {
		JobRequest mail = JobRequest.of(new Mail("ada")).expiresAfter(Duration.ofMinutes(5));
		UUID late = this.queue.enqueue(mail).id();
		this.queue.enqueue(JobRequest.of(new Mail("bob")).after(late).ifPredecessorFails(OnPredecessorFailure.RUN));
		this.jobs.advance(Duration.ofMinutes(6));
		this.queue.enqueue(mail);
		this.jobs.advance(Duration.ofMinutes(4));
		this.jobs.runAll();
		assertThat(mails()).containsExactlyInAnyOrder("bob", "ada");
		assertThat(this.operations.find(late).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void jobThatHasExpiredIsCancelledInsteadOfRun() throws Exception {
		UUID late = this.queue.enqueue(JobRequest.of(new Mail("ada")).expiresAfter(Duration.ofMinutes(5))).id();
		this.queue.enqueue(JobRequest.of(new Mail("bob")).after(late).ifPredecessorFails(OnPredecessorFailure.RUN));
		this.jdbc.sql("UPDATE jobqueue_job SET expires_at = now() WHERE expires_at IS NOT NULL").update();
		this.jobs.runNext();
		assertThat(mails()).containsExactly("bob");
		assertThat(this.operations.find(late).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void runNextRunsTheMostUrgentJob() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		JobReceipt urgent = this.queue.enqueue(JobRequest.of(new Mail("grace")).priority(Priority.of(1)));
		assertThat(this.jobs.runNext())
			.isEqualTo(new JobOutcome(urgent.id(), "emails", "Mail", 1, JobState.SUCCEEDED, null));
		assertThat(mails()).containsExactly("grace");
		assertThat(this.jobs.runNext().succeeded()).isTrue();
		assertThat(mails()).containsExactly("grace", "ada");
	}

	@Test
	void runNextRunsAJobOfTheQueue() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		this.queue.enqueue(new Booking(7));
		assertThat(this.jobs.runNext("bookings").queue()).isEqualTo("bookings");
		assertThat(bookings()).containsExactly(7);
		assertThat(mails()).isEmpty();
	}

	@Test
	void runNextThrowsWhatTheHandlerThrew() throws Exception {
		UUID id = this.queue.enqueue(new Mail("nobody")).id();
		assertThatIllegalArgumentException().isThrownBy(this.jobs::runNext).withMessage("nobody has no address");
		assertThat(this.operations.find(id)).hasValueSatisfying((job) -> {
			assertThat(job.state()).isEqualTo(JobState.RETRYING);
			assertThat(job.attempt()).isOne();
		});
	}

	@Test
	void runNextReturnsWhatBecameOfTheJob() throws Exception {
		this.queue.enqueue(new Mail("later"));
		assertThat(this.jobs.runNext().state()).isEqualTo(JobState.SCHEDULED);
		this.queue.enqueue(new Booking(0));
		assertThat(this.jobs.runNext()).satisfies((outcome) -> {
			assertThat(outcome.state()).isEqualTo(JobState.DEAD);
			assertThat(outcome.error()).isEqualTo("nothing to book");
		});
		assertThat(bookings()).isEmpty();
	}

	@Test
	void runNextWithoutADueJobListsTheJobs() {
		this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofMinutes(5)));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.runNext("emails"))
			.withMessageContaining("No job is due in queue 'emails'")
			.withMessageContaining("Mail in queue emails after PT5M, SCHEDULED: {\"recipient\":\"ada\"}");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.runNext("emals"))
			.withMessageContaining("No job is due in queue 'emals', for which this application has no handler")
			.withMessageContaining("emails");
	}

	@Test
	void runNextLeavesAPausedQueue() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		this.operations.pause("emails");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this.jobs::runNext)
			.withMessageContaining("Live jobs: 1 paused (call JobOperations.resume).");
		this.operations.resume("emails");
		assertThat(this.jobs.runNext().succeeded()).isTrue();
	}

	/**
	 * Another context has left one, and has deleted that of this context.
	 */
	@Test
	void deleteAllLeavesTheSubscriptionsOfThisContext() {
		this.jdbc.sql("UPDATE jobqueue_subscription SET subscriber = 'left-behind'").update();
		this.jobs.deleteAll();
		assertThat(this.operations.subscriptions()).extracting(TopicSubscription::subscriber)
			.containsExactly("archives");
	}

	/**
	 * Their steps would go on as if the jobs had succeeded.
	 */
	@Test
	void deleteAllDeletesInstancesOfWorkflows() {
		this.jdbc
			.sql("""
					INSERT INTO jobqueue_workflow (id, created_at, state, name) VALUES (gen_random_uuid(), now(), 'RUNNING', 'w')
					""")
			.update();
		this.jobs.deleteAll();
		assertThat(this.jdbc.sql("SELECT count(*) FROM jobqueue_workflow").query(Long.class).single()).isZero();
	}

	@Test
	void deleteAllEndsPauses() {
		this.operations.pause("emails");
		this.operations.pause("bookings", "Booking");
		this.jobs.deleteAll();
		assertThat(this.operations.pauses()).isEmpty();
	}

	@Test
	void messageSaysWhatJobsWaitFor() throws Exception {
		UUID booking = this.queue.enqueue(JobRequest.of(new Booking(7)).delay(Duration.ofHours(1))).id();
		UUID next = this.queue.enqueue(JobRequest.of(new Mail("ada")).after(booking)).id();
		this.queue.enqueue(JobRequest.of("other", new Text("ada")));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this.jobs::runNext)
			.withMessageContaining(
					"Live jobs: 1 waiting for predecessors (run these first, or call JobOperations.release);"
							+ " 1 due later (advance the time);"
							+ " 1 without a handler in this application (declare one).");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.runTwice(next))
			.withMessageContaining("cannot be claimed: it is waiting for predecessors (run these first");
		this.jobs.advance(Duration.ofHours(1));
		this.jobs.runNext();
		assertThat(this.jobs.runTwice(next).attempt()).isEqualTo(2);
	}

	@Test
	void messageSaysThatAJobIsLocked(@Autowired DataSource dataSource) throws Exception {
		UUID id = this.queue.enqueue(new Mail("ada")).id();
		try (Connection other = dataSource.getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("SELECT FROM jobqueue_job FOR UPDATE");
			assertThatExceptionOfType(AssertionError.class).isThrownBy(this.jobs::runNext)
				.withMessageContaining("Live jobs: 1 locked by another transaction (end it).");
			other.rollback();
		}
		assertThat(this.jobs.runNext().id()).isEqualTo(id);
	}

	@Test
	void runAllRunsWhatJobsEnqueue() throws Exception {
		this.queue.enqueue(new Chain(3));
		this.queue.enqueue(new Mail("ada"));
		assertThat(this.jobs.runAll()).extracting(JobOutcome::type)
			.containsExactly("Chain", "Mail", "Chain", "Chain", "Chain");
	}

	@Test
	void runAllRunsJobsWithKeys() throws Exception {
		for (int job = 0; job < 3; job++) {
			this.queue.enqueue(JobRequest.of(new Booking(job + 1)).orderedBy("ledger").limitedBy("tenant"));
		}
		assertThat(this.jobs.runAll()).hasSize(3);
		assertThat(bookings()).containsExactly(1, 2, 3);
	}

	@Test
	void runAllRunsTheOthersAfterAFailure() {
		this.queue.enqueue(new Mail("nobody"));
		this.queue.enqueue(new Mail("broken"));
		this.queue.enqueue(new Mail("ada"));
		assertThatIllegalArgumentException().isThrownBy(this.jobs::runAll)
			.satisfies((failure) -> assertThat(failure.getSuppressed()).hasSize(1));
		assertThat(mails()).containsExactly("nobody", "ada");
	}

	@Test
	void runAllRefusesJobsWithoutAnEnd() {
		this.queue.enqueue(new Chain(-1));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this.jobs::runAll)
			.withMessageContaining("Jobs of type 'Chain' in queue 'chains' do not end");
	}

	@Test
	void advanceMakesDelayedJobsDue() throws Exception {
		this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofMinutes(5)));
		this.jobs.advance(Duration.ofMinutes(5).minusSeconds(30));
		assertThat(this.jobs.runAll()).isEmpty();
		this.jobs.advance(Duration.ofSeconds(30));
		assertThat(this.jobs.runAll()).hasSize(1);
	}

	@Test
	void advanceMovesWhatIsEnqueuedLater() throws Exception {
		this.jobs.advance(Duration.ofHours(20));
		this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofMinutes(5)));
		assertThat(this.jobs.runAll()).isEmpty();
		this.jobs.advance(Duration.ofMinutes(5));
		assertThat(this.jobs.runAll()).hasSize(1);
	}

	@Test
	void advanceMakesRetriesDue() throws Exception {
		this.queue.enqueue(new Mail("nobody"));
		for (int attempt = 1; attempt <= 3; attempt++) {
			assertThatIllegalArgumentException().isThrownBy(this.jobs::runNext);
			assertThat(this.jobs.runAll()).isEmpty();
			this.jobs.advance(Duration.ofMinutes(15));
		}
		assertThat(this.jobs.runAll()).isEmpty();
		assertThat(mails()).hasSize(3);
	}

	@Test
	void advanceEndsTheWindowOfAKey() throws Exception {
		JobRequest request = JobRequest.of(new Mail("ada")).key("ada").dedupeFor(Duration.ofHours(1));
		this.queue.enqueue(request);
		this.jobs.runNext();
		assertThat(this.queue.enqueue(request).outcome()).isEqualTo(Outcome.RECENTLY_SUCCEEDED);
		this.jobs.advance(Duration.ofHours(1));
		assertThat(this.queue.enqueue(request).outcome()).isEqualTo(Outcome.ADDED);
	}

	@Test
	void advanceMakesADebouncedJobDue() throws Exception {
		JobRequest request = JobRequest.of(new Mail("ada"))
			.key("ada")
			.onDuplicate(OnDuplicate.DEBOUNCE)
			.delay(Duration.ofMinutes(1));
		this.queue.enqueue(request);
		this.jobs.advance(Duration.ofSeconds(50));
		this.queue.enqueue(request);
		this.jobs.advance(Duration.ofSeconds(50));
		assertThat(this.jobs.runAll()).isEmpty();
		this.jobs.advance(Duration.ofSeconds(10));
		assertThat(this.jobs.runAll()).hasSize(1);
	}

	@Test
	void advanceEndsTheRetention() throws Exception {
		UUID id = this.queue.enqueue(new Mail("ada")).id();
		this.jobs.runNext();
		this.jobs.advance(Duration.ofHours(23));
		assertThat(this.operations.find(id)).isPresent();
		this.jobs.advance(Duration.ofHours(2));
		assertThat(this.operations.find(id)).isEmpty();
	}

	@Test
	void tickTicksOneSchedule() throws Exception {
		this.recurring.save(RecurringJobRequest.of("digest", new Booking(7)).fixedRate(Duration.ofHours(2)));
		this.jobs.advance(Duration.ofDays(2));
		assertThat(this.jobs.runAll()).isEmpty();
		this.jobs.tick("newsletter");
		assertThat(this.jobs.runAll()).extracting(JobOutcome::type).containsExactly("newsletter");
		assertThat(mails()).containsExactly("readers");
	}

	@Test
	void tickMovesTheTimeAndRegardsOverlaps() throws Exception {
		Instant before = this.jobs.clock().instant();
		this.jobs.tick("newsletter");
		this.jobs.tick("newsletter");
		assertThat(this.jobs.clock().instant()).isBetween(before.plus(Duration.ofDays(2)),
				before.plus(Duration.ofDays(2).plusHours(1)));
		assertThat(this.jobs.runAll()).hasSize(1);
		this.jobs.tick("newsletter");
		assertThat(this.jobs.runAll()).hasSize(1);
		assertThat(this.recurring.find("newsletter").orElseThrow().skipped()).isOne();
	}

	@Test
	void tickRefusesSchedulesWithoutATick() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.tick("newsleter"))
			.withMessageContaining("There is no schedule 'newsleter': this application declares [newsletter]");
		this.recurring.pause("newsletter");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.tick("newsletter"))
			.withMessageContaining("Schedule 'newsletter' has no next tick: it is paused");
	}

	@Test
	void advanceMovesTheClock() {
		Instant before = this.jobs.clock().instant();
		this.jobs.advance(Duration.ofHours(3));
		assertThat(this.jobs.clock().instant()).isBetween(before.plus(Duration.ofHours(3)),
				before.plus(Duration.ofHours(4)));
	}

	@Test
	void timeIsThatOfTheDatabaseBeforeEachTest() {
		assertThat(Duration.between(Instant.now(), this.jobs.clock().instant())).isLessThan(Duration.ofMinutes(1));
	}

	@Test
	void advanceRefusesToGoBack() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.advance(Duration.ofSeconds(-1)))
			.withMessage("'by' is PT-1S: time moves forward only");
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.advance(Duration.ofDays(36_501)))
			.withMessageContaining("36,500 days");
	}

	/**
	 * The grace of these tests is 100 ms.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void handlerIsCancelled(boolean attentive) throws Exception {
		UUID id = this.queue.enqueue(new Export(attentive)).id();
		CompletableFuture<CancelOutcome> cancel = CompletableFuture.supplyAsync(() -> cancelAfterProgress(id));
		try {
			assertThat(this.jobs.runNext().state()).isEqualTo(JobState.CANCELLED);
			assertThat(attentive).isTrue();
		}
		catch (InterruptedException ex) {
			assertThat(attentive).isFalse();
		}
		assertThat(cancel.get()).isEqualTo(CancelOutcome.REQUESTED);
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.operations.find(id)).hasValueSatisfying((job) -> {
			assertThat(job.state()).isEqualTo(JobState.CANCELLED);
			assertThat(job.details().progress()).isEqualTo(new Progress(30, "rows"));
		});
	}

	@Test
	void callForSeveralJobsIsNotInterrupted(@Autowired TestApplication.Ledgers ledgers) throws Exception {
		UUID id = this.queue.enqueue(new Ledger(2026)).id();
		CompletableFuture<CancelOutcome> cancel = CompletableFuture.supplyAsync(() -> cancelAfterProgress(id));
		assertThat(this.jobs.runNext().state()).isEqualTo(JobState.CANCELLED);
		assertThat(cancel.get()).isEqualTo(CancelOutcome.REQUESTED);
		assertThat(ledgers.haveEnded()).isTrue();
	}

	private CancelOutcome cancelAfterProgress(UUID id) {
		await().atMost(Duration.ofMinutes(1))
			.until(() -> this.operations.find(id).orElseThrow().details().progress() != null);
		return this.operations.cancel(id);
	}

	@Test
	void runTwiceCallsTheHandlerTwice() throws Exception {
		UUID id = this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofDays(1))).id();
		assertThat(this.jobs.runTwice(id)).isEqualTo(new JobOutcome(id, "emails", "Mail", 2, JobState.SUCCEEDED, null));
		assertThat(mails()).containsExactly("ada", "ada");
	}

	@Test
	void runTwiceOfATransactionalHandlerWritesOnce() throws Exception {
		UUID id = this.queue.enqueue(new Booking(7)).id();
		assertThat(this.jobs.runTwice(id).succeeded()).isTrue();
		assertThat(bookings()).containsExactly(7);
	}

	@Test
	void runTwiceRefusesJobsThatRunOnce() throws Exception {
		UUID text = this.queue.enqueue(new Text("ada")).id();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.runTwice(text))
			.withMessageContaining("at most once");
		UUID single = this.queue.enqueue(JobRequest.of(new Mail("ada")).maxAttempts(1)).id();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.runTwice(single))
			.withMessageContaining("it is DEAD");
		UUID done = this.queue.enqueue(new Mail("ada")).id();
		this.jobs.runNext("emails");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.jobs.runTwice(done))
			.withMessageContaining("is not live");
	}

	@ParameterizedTest
	@EnumSource
	void crashLeavesNothingOfATransactionalHandler(CrashPoint point, @Autowired Bookings bookings) throws Exception {
		UUID id = this.queue.enqueue(new Booking(7)).id();
		int unused = bookings.callbacks();
		assertThat(this.jobs.crashAt(point))
			.satisfies((outcome) -> assertThat(outcome.state()).isEqualTo(JobState.READY))
			.satisfies((outcome) -> assertThat(outcome.attempt()).isOne());
		assertThat(bookings.callbacks()).isEqualTo((point == CrashPoint.BEFORE_COMMIT) ? 1 : 0);
		assertThat(bookings()).isEmpty();
		assertThat(this.jobs.runNext())
			.isEqualTo(new JobOutcome(id, "bookings", "Booking", 2, JobState.SUCCEEDED, null));
		assertThat(bookings()).containsExactly(7);
	}

	@Test
	void crashLeavesWhatAnotherHandlerCommitted() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		this.jobs.crashAt(CrashPoint.BEFORE_HANDLER, "emails");
		assertThat(mails()).isEmpty();
		this.jobs.crashAt(CrashPoint.AFTER_HANDLER, "emails");
		assertThat(mails()).containsExactly("ada");
		assertThat(this.jobs.runNext().attempt()).isEqualTo(3);
	}

	@Test
	void crashOfTheLastAttemptIsDeath() throws Exception {
		this.queue.enqueue(JobRequest.of(new Mail("ada")).maxAttempts(1));
		assertThat(this.jobs.crashAt(CrashPoint.AFTER_HANDLER).state()).isEqualTo(JobState.DEAD);
		this.queue.enqueue(new Text("ada"));
		assertThat(this.jobs.crashAt(CrashPoint.BEFORE_HANDLER)).satisfies((outcome) -> {
			assertThat(outcome.state()).isEqualTo(JobState.DEAD);
			assertThat(outcome.error()).startsWith("Lost in a crash");
		});
	}

	@Test
	void crashAfterAnAdvance() throws Exception {
		this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofDays(3)));
		this.jobs.advance(Duration.ofDays(3));
		assertThat(this.jobs.crashAt(CrashPoint.AFTER_HANDLER).attempt()).isOne();
		assertThat(this.jobs.runNext().attempt()).isEqualTo(2);
	}

	@Test
	void aHandlerThatFailsBeforeTheCrashHasFailed() throws Exception {
		this.queue.enqueue(new Mail("nobody"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.crashAt(CrashPoint.AFTER_HANDLER));
		assertThat(this.jobs.runAll()).isEmpty();
	}

	@Test
	void noWorkerIsLeft() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		this.jobs.runNext();
		assertThat(this.jdbc.sql("SELECT count(*) FROM jobqueue_worker").query(Long.class).single()).isZero();
	}

	private List<String> mails() {
		return this.jdbc.sql("SELECT recipient FROM mail").query(String.class).list();
	}

	private List<Integer> bookings() {
		return this.jdbc.sql("SELECT amount FROM booking").query(Integer.class).list();
	}

}
