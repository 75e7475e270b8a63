package io.jobqueue.delivery;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobResult;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How the end of a pulled job is written: not within a transaction, and not in vain.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("pooler") // transactions of callers
class PulledEndTests extends NodeTestBase {

	/**
	 * What it writes would need another connection.
	 */
	@Test
	void jobIsNotEndedWithinATransaction() {
		QueueNode node = closing(pool(1));
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		node.transaction().executeWithoutResult((status) -> {
			assertRefused(() -> job.end(JobResult.success()));
			assertRefused(() -> job.fail(new IllegalStateException("refused")));
			assertRefused(() -> job.run((mail, context) -> {
				throw new AssertionError("It runs");
			}));
		});
		assertThat(state(id)).isEqualTo("RUNNING");
		job.end(JobResult.success());
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	private static void assertRefused(ThrowingCallable end) {
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(end)
			.withMessageContaining("End it after the commit");
	}

	@Test
	void jobClosedWithinATransactionIsReleasedWithoutWaiting() {
		QueueNode node = closing(pool(1));
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		node.transaction().executeWithoutResult((status) -> {
			job.close();
			job.close();
		});
		awaitState(id, "READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
	}

	@Test
	void handlerThatRunsAPulledJobMayUseTransactions() {
		QueueNode node = closing(pool(1));
		UUID id = enqueue(node);
		pull(node).run((mail, job) -> {
			node.transaction().executeWithoutResult((status) -> assertThat(status.isNewTransaction()).isTrue());
			return JobResult.success();
		});
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	private QueueNode closing(HikariDataSource pool) {
		closeLater(pool);
		return node(settings(pool)).start();
	}

	@Test
	void refusalOfAnOutcomeIsThrownToTheCaller() {
		AtomicBoolean refuses = new AtomicBoolean(true);
		QueueNode node = started(
				(settings) -> settings.jobStore((store) -> StoreCalls.before("recordOutcomes", store, () -> {
					if (refuses.get()) {
						throw new DataIntegrityViolationException("no such state");
					}
				})));
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(() -> job.end(JobResult.success()))
			.withMessage("no such state");
		assertThat(state(id)).isEqualTo("RUNNING");
		assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.end(JobResult.success()));
	}

	@Test
	void endIsRetriedDuringAnOutage() {
		AtomicBoolean failed = new AtomicBoolean();
		QueueNode node = started(
				(settings) -> settings.jobStore((store) -> StoreCalls.before("recordOutcomes", store, () -> {
					if (failed.compareAndSet(false, true)) {
						throw new DataAccessResourceFailureException("gone");
					}
				})));
		UUID id = enqueue(node);
		pull(node).end(JobResult.success());
		assertThat(failed).isTrue();
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	/**
	 * A right may be granted, memory be freed, and the server be faster, while the caller
	 * waits.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "42501", "42P01", "53200", "57014" })
	void endIsRetriedWithoutRightsMemoryOrTime(String state) {
		QueueNode node = started((settings) -> settings);
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		refuseTheArchive(state);
		CompletableFuture<Void> end = CompletableFuture.runAsync(() -> job.end(JobResult.success()));
		await().until(() -> end.isDone() || tries() > 3);
		assertThat(end).isNotDone();
		assertThat(state(id)).isEqualTo("RUNNING");
		acceptTheArchive();
		assertThat(end).succeedsWithin(Duration.ofSeconds(30));
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	/**
	 * A sequence counts what is rolled back, too.
	 */
	private void refuseTheArchive(String state) {
		this.sql.sql("""
				CREATE SEQUENCE tries;
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN
				    PERFORM nextval('tries');
				    RAISE EXCEPTION 'not today' USING ERRCODE = '%s';
				END $$;
				CREATE TRIGGER refuse BEFORE INSERT ON jobqueue_archive FOR EACH ROW EXECUTE FUNCTION refuse()
				""".formatted(state)).update();
	}

	private long tries() {
		return this.sql.sql("SELECT last_value FROM tries").query(Long.class).single();
	}

	@AfterEach
	void acceptTheArchive() {
		this.sql.sql("DROP FUNCTION IF EXISTS refuse() CASCADE; DROP SEQUENCE IF EXISTS tries").update();
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private static PulledJob<Mail> pull(QueueNode node) {
		PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
		assertThat(job).isNotNull();
		return job;
	}

}
