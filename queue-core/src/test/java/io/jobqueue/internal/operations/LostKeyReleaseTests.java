package io.jobqueue.internal.operations;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobCancelled;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operator ends a job whose ordering key another one waits for, and handing that over
 * fails: what is done is done, and the reaper sees to the other one.
 */
@Tag("slow") // lost connections, and sweeps that wait for them
class LostKeyReleaseTests extends NodeTestBase {

	private static final JobRequest ORDERED = JobRequest.of("emails", new Mail("hi")).orderedBy("a");

	private static final JobQuery HEADS = JobQuery.all().queue("emails").group("head");

	private final Set<UUID> cancelled = ConcurrentHashMap.newKeySet();

	private UUID head;

	private UUID follower;

	@BeforeEach
	void oneJobWaitsForTheOther() {
		this.cancelled.clear();
		QueueNode node = started((settings) -> settings.reaperInterval(Duration.ofMillis(100)).handler((mail, job) -> {
		}));
		this.head = node.queue().enqueue(ORDERED.group("head").delay(Duration.ofHours(1))).id();
		this.follower = node.queue().enqueue(ORDERED).id();
		await().until(() -> "ORDER".equals(admission()));
	}

	private String admission() {
		return this.sql.sql("SELECT coalesce(admission, '') FROM jobqueue_job WHERE id = ?")
			.param(this.follower)
			.query(String.class)
			.single();
	}

	/**
	 * Such as a worker that was stopped by its system while it had the lock.
	 */
	@ParameterizedTest
	@EnumSource
	void admissionLockIsHeld(Ending ending) throws SQLException {
		try (Connection blocker = this.database.directDataSource().getConnection()) {
			lockAdmission(blocker);
			assertEnds(ending, this.pool);
			assertThat(state(this.follower)).isIn("BLOCKED", "READY");
		}
		awaitState(this.follower, "SUCCEEDED");
	}

	/**
	 * Of many steps, each of which releases keys.
	 */
	@Test
	void admissionLockIsHeldForLongAndOnlyTheFirstStepWaits() throws SQLException {
		QueueNode operator = producer();
		operator.queue().enqueueAll(IntStream.range(0, 2_400).mapToObj(LostKeyReleaseTests::ordered).toList());
		try (Connection blocker = this.database.directDataSource().getConnection();
				CapturedLog log = new CapturedLog()) {
			lockAdmission(blocker);
			long since = System.nanoTime();
			assertThat(operator.operations().bulk().cancel(HEADS)).isEqualTo(2_401);
			assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(Duration.ofSeconds(2));
			assertThat(log.messages("Could not release the ordering and limit keys")).hasSize(1);
		}
		awaitState(this.follower, "SUCCEEDED");
	}

	private static JobRequest ordered(int key) {
		return ORDERED.orderedBy("key " + key).group("head").delay(Duration.ofHours(1));
	}

	private static void lockAdmission(Connection connection) {
		JdbcClient.create(new SingleConnectionDataSource(connection, true))
			.sql("SELECT pg_advisory_lock(hashtextextended('ADMISSION of emails', 'jobqueue_job'::regclass::oid::bigint))")
			.query()
			.singleRow();
	}

	/**
	 * As after a crash: the key is not released.
	 */
	@ParameterizedTest
	@EnumSource
	void connectionBreaksInBetween(Ending ending) {
		assertEnds(ending, new BreakingDataSource(this.pool,
				() -> count("jobqueue_job WHERE id = '%s'".formatted(this.head)) == 0));
		awaitState(this.follower, "SUCCEEDED");
	}

	private void assertEnds(Ending ending, DataSource dataSource) {
		QueueNode operator = node(settings(dataSource).bean(new Listener(this.cancelled)));
		operator.events().start();
		try (CapturedLog log = new CapturedLog()) {
			ending.of(operator.operations(), this.head);
			assertThat(count("jobqueue_job WHERE id = '%s'".formatted(this.head))).isZero();
			assertThat(log.messages("Could not release the ordering and limit keys")).hasSize(1);
			assertThat(log.messages(": 1 affected")).hasSize(1);
			if (ending.isCancellation()) {
				assertThat(log.steps(this.head.toString())).containsExactly("cancelled");
				await().until(() -> this.cancelled.contains(this.head));
			}
		}
	}

	/**
	 * How the job that is waited for ends.
	 */
	enum Ending {

		CANCEL, DELETE, BULK_CANCEL, BULK_DELETE;

		void of(JobOperations operations, UUID job) {
			switch (this) {
				case CANCEL -> assertThat(operations.cancel(job)).isEqualTo(CancelOutcome.CANCELLED);
				case DELETE -> operations.delete(job);
				case BULK_CANCEL -> assertThat(operations.bulk().cancel(HEADS)).isOne();
				case BULK_DELETE -> assertThat(operations.bulk().delete(HEADS)).isOne();
			}
		}

		boolean isCancellation() {
			return this == CANCEL || this == BULK_CANCEL;
		}

	}

	record Listener(Set<UUID> cancelled) {

		@EventListener
		void on(JobCancelled event) {
			this.cancelled.add(event.job().id());
		}

	}

	private static final class BreakingDataSource extends DelegatingDataSource {

		private final BooleanSupplier broken;

		BreakingDataSource(DataSource target, BooleanSupplier broken) {
			super(target);
			this.broken = broken;
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.broken.getAsBoolean()) {
				throw new SQLException("The network is down", "08006");
			}
			return super.getConnection();
		}

	}

}
