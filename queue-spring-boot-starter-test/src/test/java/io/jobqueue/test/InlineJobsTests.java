package io.jobqueue.test;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.test.TestApplication.Booking;
import io.jobqueue.test.TestApplication.Chain;
import io.jobqueue.test.TestApplication.Mail;
import io.jobqueue.test.TestApplication.Newsletters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Jobs that run on the enqueuing thread, with no more connections than they need.
 */
@SpringBootTest(properties = { "spring.sql.init.mode=always", "spring.datasource.hikari.maximum-pool-size=2",
		"spring.datasource.hikari.connection-timeout=5000" })
@AutoConfigureTestJobs(inline = true)
class InlineJobsTests {

	@Autowired
	private TestJobs jobs;

	@Autowired
	private JobQueue queue;

	@Autowired
	private TransactionTemplate transaction;

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
	void runAfterTheCommit() {
		this.transaction.executeWithoutResult((status) -> {
			this.queue.enqueue(new Mail("ada"));
			this.queue.enqueue(new Booking(7));
			assertThat(mails()).isEmpty();
		});
		assertThat(mails()).containsExactly("ada");
		assertThat(this.jdbc.sql("SELECT amount FROM booking").query(Integer.class).list()).containsExactly(7);
	}

	@Test
	void runWithoutATransaction() {
		this.queue.enqueue(new Mail("ada"));
		assertThat(mails()).containsExactly("ada");
	}

	@Test
	void runWhatTheyEnqueue() {
		this.queue.enqueue(new Chain(3));
		assertThat(this.jobs).enqueued(Chain.class).times(4);
	}

	@Test
	void runTheBodiesOfMethods() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.newsletters.send("ada", 7).accepted()).isTrue();
			assertThat(mails()).isEmpty();
		});
		assertThat(mails()).containsExactly("ada 7");
	}

	@Test
	void doNotRunAfterARollback() {
		this.transaction.executeWithoutResult((status) -> {
			this.queue.enqueue(new Mail("ada"));
			status.setRollbackOnly();
		});
		assertThat(mails()).isEmpty();
	}

	@Test
	void allRunAndTheFirstExceptionIsThrown() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.queue.enqueueAll(List.of(new Mail("nobody"), new Mail("ada"))));
		assertThat(mails()).containsExactly("nobody", "ada");
		assertThat(this.jobs).enqueued(Mail.class).times(2);
	}

	@Test
	void allOfATransactionRunAfterAFailure() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
			this.queue.enqueue(new Mail("nobody"));
			this.queue.enqueue(new Mail("ada"));
			this.queue.enqueue(new Mail("broken"));
			this.queue.enqueue(new Booking(7));
		}))
			.satisfies((failure) -> assertThat(failure.getSuppressed()).singleElement()
				.asString()
				.contains("division by zero"));
		assertThat(mails()).containsExactly("nobody", "ada");
		assertThat(this.jdbc.sql("SELECT amount FROM booking").query(Integer.class).list()).containsExactly(7);
	}

	@Test
	void waitUntilTheyAreDue() {
		this.queue.enqueue(JobRequest.of(new Mail("ada")).delay(Duration.ofMinutes(5)));
		assertThat(mails()).isEmpty();
		this.jobs.advance(Duration.ofMinutes(5));
		assertThat(mails()).containsExactly("ada");
	}

	@Test
	void haveAnEnd() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.queue.enqueue(new Chain(-1)))
			.withMessageContaining("type 'Chain'");
	}

	private List<String> mails() {
		return this.jdbc.sql("SELECT recipient FROM mail").query(String.class).list();
	}

}
