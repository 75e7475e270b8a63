package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.SingleClaimResult;
import io.jobqueue.internal.store.OperationStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Other transactions hold locks for long: the admission lock of a queue, such as that of
 * a worker that was stopped by its system, or the lock of a running job.
 */
@Tag("slow") // locks that last for seconds
class LockedQueueTests extends AdmissionTestBase {

	private static final Duration WAITING = Duration.ofMillis(1_900);

	private static final String LOCK = """
			SELECT pg_advisory_xact_lock(hashtextextended('ADMISSION of emails', 'jobqueue_job'::regclass::oid::bigint))
			""";

	/**
	 * Refuses to admit a job, at first as if it was locked.
	 */
	private static final String REFUSE_TO_ADMIT = """
			CREATE SEQUENCE refusals;

			CREATE FUNCTION refuse_to_admit() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN
			    IF nextval(''refusals'') = 1 THEN RAISE ''locked'' USING ERRCODE = ''55P03''; END IF;
			    RAISE ''cancelled'' USING ERRCODE = ''57014'';
			END';

			CREATE TRIGGER refuse_to_admit BEFORE UPDATE OF admission ON jobqueue_job
			    FOR EACH ROW EXECUTE FUNCTION refuse_to_admit()
			""";

	private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f");

	private final OperationStore operations = this.stores.operations();

	private UUID worker = UUID.randomUUID();

	private Connection blocker;

	@BeforeEach
	void join() throws SQLException {
		this.worker = worker();
		this.blocker = this.database.directDataSource().getConnection();
		this.blocker.setAutoCommit(false);
	}

	@AfterEach
	void leave() throws SQLException {
		this.blocker.close();
	}

	@Test
	void admittingJobsWaitsBriefly() throws Exception {
		UUID job = ordered("a");
		lockAdmission();
		whileARivalWaits(() -> {
			AdmissionResult nothing = admit(AdmissionRules.NONE);
			assertThat(nothing.admitted()).isEmpty();
			assertThat(nothing.nextDueIn()).isEqualTo(Duration.ofMillis(100));
		});
		this.blocker.rollback();
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(job);
	}

	@Test
	void claimingOneWaitsBriefly() throws Exception {
		UUID job = ordered("a");
		lockAdmission();
		whileARivalWaits(() -> assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(() -> pick(job)));
		this.blocker.rollback();
		assertThat(pick(job).claimed().jobs()).hasSize(1);
	}

	private SingleClaimResult pick(UUID job) {
		return this.jobs.claimOne(this.worker, job, request("emails", 1), AdmissionRules.NONE);
	}

	@Test
	void outcomesAreWrittenAndTheReaperReleasesTheirKeys() throws Exception {
		UUID first = ordered("a");
		UUID second = ordered("a");
		ClaimedJob running = runOne(this.worker, AdmissionRules.NONE);
		lockAdmission();
		assertThat(succeed(this.worker, running).jobs()).containsExactly(first);
		assertThat(admission(second)).isEqualTo("ORDER");
		this.blocker.rollback();
		assertThat(this.maintenance.sweepTurns(null, 9).reconsidered()).hasSize(1);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(second);
	}

	@Test
	void outcomesAreReportedIfTheirKeysCannotBeReleased() {
		UUID first = ordered("a");
		UUID second = ordered("a");
		ClaimedJob running = runOne(this.worker, AdmissionRules.NONE);
		this.sql.sql(REFUSE_TO_ADMIT).update();
		try (CapturedLog log = new CapturedLog()) {
			assertThat(succeed(this.worker, running).jobs()).containsExactly(first);
			assertThat(log.messages("the reaper admits them")).singleElement().asString().contains("SQLState 57014");
		}
		finally {
			this.sql.sql("DROP FUNCTION refuse_to_admit CASCADE; DROP SEQUENCE refusals").update();
		}
		assertThat(state(first)).isEqualTo("SUCCEEDED");
		assertThat(admission(second)).isEqualTo("ORDER");
		assertThat(this.maintenance.sweepTurns(null, 9).reconsidered()).hasSize(1);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(second);
	}

	@Test
	void onlyTheFirstWaitsToReleaseKeysUntilThatIsPossible() throws Exception {
		List<UUID> heads = KEYS.stream().map((key) -> enqueue(keyed(key, null, 10, LONG))).toList();
		List<UUID> next = KEYS.stream().map(this::ordered).toList();
		admit();
		lockAdmission();
		try (CapturedLog log = new CapturedLog()) {
			assertThat(cancel(heads.get(0))).isGreaterThan(WAITING);
			assertThat(heads.subList(1, 4).stream().map(this::cancel)).as("A busy machine may hold up two of three")
				.anyMatch((took) -> took.compareTo(WAITING) < 0);
			this.blocker.rollback();
			cancel(heads.get(4));
			assertThat(log.messages("Could not release the ordering and limit keys")).singleElement()
				.asString()
				.contains("SQLState 55P03");
			assertThat(log.messages("are released again")).hasSize(1);
			assertThat(log.text()).doesNotContain("reconsidered");
		}
		lockAdmission();
		assertThat(cancel(heads.get(5))).isGreaterThan(WAITING);
		assertThat(next).extracting(this::admission)
			.containsExactly("ORDER", "ORDER", "ORDER", "ORDER", "PENDING", "ORDER");
	}

	private Duration cancel(UUID job) {
		long since = System.nanoTime();
		assertThat(this.operations.cancel(job, null).ended()).hasSize(1);
		return Duration.ofNanos(System.nanoTime() - since);
	}

	@Test
	void lockedJobDelaysNoOtherKey() throws Exception {
		UUID locked = ordered("a");
		ordered("b");
		UUID next = ordered("b");
		List<ClaimedJob> running = run(this.worker, AdmissionRules.NONE);
		execute("SELECT 1 FROM jobqueue_job WHERE id = '%s' FOR UPDATE".formatted(locked));
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(() -> end(this.worker, running,
				Outcomes.completed(running.get(0)), Outcomes.completed(running.get(1))));
		assertThat(pendingAdmission(succeed(this.worker, running.get(1)))).containsExactly(true);
		assertThat(runIds(this.worker, AdmissionRules.NONE)).containsExactly(next);
	}

	private void lockAdmission() throws SQLException {
		execute(LOCK);
	}

	/**
	 * Do something that ends while another connection, which asked for the lock earlier,
	 * still waits for it.
	 */
	private void whileARivalWaits(Runnable work) throws Exception {
		try (Connection connection = this.database.directDataSource().getConnection();
				Statement rival = connection.createStatement()) {
			rival.execute("SET lock_timeout = '10s'");
			CompletableFuture<SQLException> givesUp = CompletableFuture
				.supplyAsync(() -> catchThrowableOfType(SQLException.class, () -> rival.execute(LOCK)));
			Awaitility.await()
				.until(() -> count("pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'advisory' "
						+ "AND datname = current_database()") == 1);
			work.run();
			assertThat(givesUp).isNotDone();
			rival.cancel();
			assertThat(givesUp.join().getSQLState()).isEqualTo("57014");
		}
	}

	private void execute(String sql) throws SQLException {
		try (Statement statement = this.blocker.createStatement()) {
			statement.execute(sql);
		}
	}

}
