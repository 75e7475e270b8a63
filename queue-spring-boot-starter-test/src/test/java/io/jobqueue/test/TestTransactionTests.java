package io.jobqueue.test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.transaction.AfterTransaction;
import org.springframework.test.context.transaction.BeforeTransaction;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.Batch;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.test.TestApplication.Booking;
import io.jobqueue.test.TestApplication.Chain;
import io.jobqueue.test.TestApplication.Mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests within a transaction that is rolled back.
 */
@SpringBootTest(properties = "spring.sql.init.mode=always")
@Transactional
class TestTransactionTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private JobQueue queue;

	@Autowired
	private RecurringJobs recurring;

	@Autowired
	private JdbcClient jdbc;

	@BeforeTransaction
	void empty() {
		this.jobs.deleteAll();
		this.jdbc.sql("DELETE FROM mail").update();
		this.jdbc.sql("DELETE FROM booking").update();
	}

	@AfterTransaction
	void nothingIsLeft() {
		assertThat(mails()).isEmpty();
		assertThat(bookings()).isEmpty();
		assertThat(this.jdbc.sql("SELECT count(*) FROM jobqueue_jobs").query(Long.class).single()).isZero();
		assertThat(this.jdbc.sql("SELECT count(*) FROM jobqueue_worker").query(Long.class).single()).isZero();
	}

	/**
	 * No worker has declared the subscription.
	 */
	@Test
	void subscriberReceivesWhatIsPublished() throws Exception {
		assertThat(this.queue.publish("news", new Mail("ada"))).hasSize(1);
		this.jobs.runNext("archives");
		assertThat(mails()).containsExactly("archived ada");
	}

	@Test
	void runsUncommittedJobs() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		this.queue.enqueue(new Booking(7));
		assertThat(this.jobs.runAll()).hasSize(2).allMatch(JobOutcome::succeeded);
		assertThat(mails()).containsExactly("ada");
		assertThat(bookings()).containsExactly(7);
	}

	@Test
	void recordsProgress() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		this.jobs.runNext();
		assertThat(this.jdbc.sql("SELECT progress_message FROM jobqueue_archive").query(String.class).list())
			.containsExactly("ada");
	}

	@Test
	void jobRunsAfterItsPredecessors() throws Exception {
		UUID mail = this.queue.enqueue(new Mail("ada")).id();
		UUID booking = this.queue.enqueue(JobRequest.of(new Booking(7)).delay(Duration.ofHours(1))).id();
		this.queue.enqueue(JobRequest.of(new Chain(0)).after(mail, booking));
		assertThat(this.jobs.runAll()).extracting(JobOutcome::type).containsExactly("Mail");
		this.jobs.advance(Duration.ofHours(1));
		assertThat(this.jobs.runAll()).extracting(JobOutcome::type).containsExactly("Booking", "Chain");
	}

	@Test
	void callbackRunsAfterTheMembers() throws Exception {
		Batch batch = this.queue.batch("mails").then(new Chain(0)).onFailure(new Booking(7)).start();
		batch.add(List.of(new Mail("ada"), new Mail("bob")));
		batch.seal();
		assertThat(this.jobs.runAll()).extracting(JobOutcome::type).containsExactly("Mail", "Mail", "Chain");
	}

	@Test
	void runsWhatJobsEnqueue() throws Exception {
		this.queue.enqueue(new Chain(2));
		assertThat(this.jobs.runAll()).hasSize(3);
	}

	@Test
	void runsKeyedJobsWithLimits() throws Exception {
		for (int job = 1; job <= 3; job++) {
			this.queue.enqueue(JobRequest.of(new Booking(job)).orderedBy("ledger").limitedBy("tenant"));
		}
		assertThat(this.jobs.runAll()).hasSize(3);
		assertThat(bookings()).containsExactly(1, 2, 3);
	}

	@Test
	void failureRollsBackToASavepoint() {
		this.queue.enqueue(new Mail("broken"));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(this.jobs::runNext)
			.withMessageContaining("division by zero");
		assertThat(mails()).isEmpty();
		assertThat(this.jdbc.sql("SELECT failures FROM jobqueue_job").query(Integer.class).list()).containsExactly(1);
	}

	@Test
	void failedJobIsRetriedAfterItsBackoff() throws Exception {
		this.queue.enqueue(new Mail("nobody"));
		assertThatIllegalArgumentException().isThrownBy(this.jobs::runNext);
		assertThat(this.jobs.runAll()).isEmpty();
		this.jobs.advance(Duration.ofMinutes(15));
		assertThatIllegalArgumentException().isThrownBy(this.jobs::runAll);
	}

	@Test
	void transactionalFailureRollsBack() throws Exception {
		this.queue.enqueue(new Booking(0));
		assertThat(this.jobs.runNext().state()).isEqualTo(JobState.DEAD);
		assertThat(bookings()).isEmpty();
		this.queue.enqueue(new Booking(7));
		assertThat(this.jobs.runNext().succeeded()).isTrue();
		assertThat(bookings()).containsExactly(7);
	}

	@ParameterizedTest
	@EnumSource
	void crashRollsBackToASavepoint(CrashPoint point) throws Exception {
		UUID id = this.queue.enqueue(new Booking(7)).id();
		assertThat(this.jobs.crashAt(point).state()).isEqualTo(JobState.READY);
		assertThat(bookings()).isEmpty();
		assertThat(this.jobs.runNext())
			.isEqualTo(new JobOutcome(id, "bookings", "Booking", 2, JobState.SUCCEEDED, null));
		assertThat(bookings()).containsExactly(7);
	}

	@Test
	void runsTwice() throws Exception {
		UUID id = this.queue.enqueue(new Mail("ada")).id();
		assertThat(this.jobs.runTwice(id).attempt()).isEqualTo(2);
		assertThat(mails()).containsExactly("ada", "ada");
	}

	@Test
	void ticksUncommittedSchedules() throws Exception {
		this.recurring.save(RecurringJobRequest.of("digest", new Mail("grace")).fixedRate(Duration.ofHours(2)));
		this.jobs.tick("digest");
		assertThat(this.jobs.runAll()).hasSize(1);
		assertThat(mails()).containsExactly("grace");
	}

	@Test
	void settingsOfTheQueueDoNotStay() throws Exception {
		this.queue.enqueue(new Mail("ada"));
		this.jobs.runNext();
		assertThat(this.jdbc.sql("SHOW enable_seqscan").query(String.class).single()).isEqualTo("on");
		assertThat(this.jdbc.sql("SHOW lock_timeout").query(String.class).single()).isEqualTo("0");
	}

	@Test
	void savepointsReplaceTransactions() {
		assertThat(JoinedConnection.inSavepoint("COMMIT")).isEqualTo("RELEASE SAVEPOINT jobqueue");
		assertThat(JoinedConnection.inSavepoint("ROLLBACK"))
			.isEqualTo("ROLLBACK TO SAVEPOINT jobqueue;\nRELEASE SAVEPOINT jobqueue");
		assertThat(JoinedConnection.inSavepoint("SELECT 1")).isEqualTo("SELECT 1");
	}

	private List<String> mails() {
		return this.jdbc.sql("SELECT recipient FROM mail").query(String.class).list();
	}

	private List<Integer> bookings() {
		return this.jdbc.sql("SELECT amount FROM booking").query(Integer.class).list();
	}

}
