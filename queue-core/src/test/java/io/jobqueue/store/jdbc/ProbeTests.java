package io.jobqueue.store.jdbc;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.OnDuplicate;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.store.Arrival;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Consequences;
import io.jobqueue.store.EnqueuedJob;
import io.jobqueue.store.JobKeys;
import io.jobqueue.store.KeyRules;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Probe;
import io.jobqueue.store.UniqueKey;
import io.jobqueue.store.Written;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which retries are let out, and which are held back.
 */
class ProbeTests extends StoreTestBase {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final String OUT = "jobqueue_job WHERE failures > 0 AND run_at < 'infinity'";

	private static final String HELD = "jobqueue_job WHERE due_at IS NOT NULL";

	private static final String WAIT_AT_COMMIT = """
			CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = '30s' AS
			'BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NULL; END';
			CREATE CONSTRAINT TRIGGER wait_at_commit AFTER UPDATE ON jobqueue_job DEFERRABLE INITIALLY DEFERRED
			    FOR EACH ROW EXECUTE FUNCTION wait_at_commit()
			""";

	private UUID worker;

	@BeforeEach
	void checkIn() {
		this.worker = worker();
	}

	@Test
	void firstThatFailsIsLetOutAndTheOthersAreHeldBack() {
		List<ClaimedJob> jobs = claimNew(3);
		fail(jobs.get(0), Duration.ofSeconds(6));
		fail(jobs.get(1), Duration.ofSeconds(6));
		fail(jobs.get(2), Duration.ofSeconds(6));
		assertOut(jobs.get(0).id());
		assertThat(count(HELD)).isEqualTo(2);
		assertThat(this.sql.sql("SELECT DISTINCT state FROM jobqueue_jobs").query(String.class).list())
			.containsExactly("RETRYING");
		assertThat(column("extract(epoch FROM run_at - now())", jobs.get(1).id(), Double.class)).isBetween(0.0, 6.0);
	}

	@Test
	void heldBackJobsAreNotClaimedThoughTheyAreDue() {
		failAll(claimNew(5), Duration.ZERO);
		assertThat(claim(this.worker, demand("emails", 9))).hasSize(1);
	}

	@Test
	void firstAttemptsGoOn() {
		failAll(claimNew(5), Duration.ofHours(1));
		enqueue("emails", 3);
		assertThat(claim(this.worker, demand("emails", 9))).hasSize(3).allMatch((job) -> job.attempt() == 1);
	}

	@Test
	void queuesAreIndependent() {
		failAll(claimNew(2), Duration.ZERO);
		enqueue("invoices", 2);
		failAll(claim(this.worker, demand("invoices", 2)), Duration.ZERO);
		assertThat(claim(this.worker, demand("emails", 9))).hasSize(1);
		assertThat(claim(this.worker, demand("invoices", 9))).hasSize(1);
	}

	@Test
	void afterAFailureTheOneThatIsDueFirstWaitsForTheDelayOfTheOneThatFailed() {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		Collection<Arrival> arrivals = fail(probe, Duration.ofSeconds(20)).arrivals();
		assertThat(count(OUT)).isEqualTo(1);
		UUID next = out().get(0);
		assertThat(next).isNotEqualTo(probe.id());
		assertThat(column("extract(epoch FROM run_at - now())", next, Double.class)).isBetween(15.0, 20.0);
		assertThat(arrivals).anyMatch((arrival) -> arrival.position().seq() == column("seq", next, Long.class));
	}

	@Test
	void aLongDelayHoldsUpOthersForAMinuteAtMost() {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		settleProbed(Outcomes.retried(probe, Duration.ofDays(4)), probe(probe, false, MINUTE));
		assertThat(out()).hasSize(1).doesNotContain(probe.id());
		assertThat(column("extract(epoch FROM run_at - now())", out().get(0), Double.class)).isBetween(55.0, 60.0);
		assertThat(column("extract(epoch FROM run_at - now())", probe.id(), Double.class)).isGreaterThan(300_000);
	}

	@Test
	void jobThatIsDueMuchLaterHoldsUpNobody() {
		ClaimedJob late = claimNew(1).get(0);
		settleProbed(Outcomes.retried(late, Duration.ofDays(4)), probe(late, false, MINUTE));
		assertOut(late.id());
		ClaimedJob soon = claimNew(1).get(0);
		fail(soon, Duration.ofSeconds(6));
		assertOut(soon.id());
	}

	@Test
	void successesLetOthersOut() {
		failAll(claimNew(8), Duration.ZERO);
		succeed(claim(this.worker, demand("emails", 9)));
		assertThat(count(OUT)).isEqualTo(2);
		succeed(claim(this.worker, demand("emails", 9)));
		assertThat(count(OUT)).isEqualTo(4);
		succeed(claim(this.worker, demand("emails", 9)));
		assertThat(count(OUT)).isEqualTo(1);
		succeed(claim(this.worker, demand("emails", 9)));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void failureStopsWhatHadBeenLetOut() {
		failAll(claimNew(20), Duration.ZERO);
		succeed(claim(this.worker, demand("emails", 9)));
		succeed(claim(this.worker, demand("emails", 9)));
		ClaimedJob one = claimOne(this.worker);
		assertThat(count(OUT)).isEqualTo(4);
		fail(one, Duration.ZERO);
		assertThat(count(OUT)).isEqualTo(1);
	}

	@Test
	void noneIsLetOutWhileAnotherRuns() {
		failAll(claimNew(20), Duration.ZERO);
		succeed(claim(this.worker, demand("emails", 9)));
		List<ClaimedJob> both = claim(this.worker, demand("emails", 2));
		fail(both.get(0), Duration.ZERO);
		assertOut(both.get(1).id());
		fail(both.get(1), Duration.ZERO);
		assertThat(out()).hasSize(1).doesNotContain(both.get(1).id());
	}

	@Test
	void deathOfTheProbeIsAFailure() {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		settleProbed(Outcomes.buried(probe), probe(probe, false, MINUTE));
		assertThat(count(OUT)).isEqualTo(1);
		assertThat(claim(this.worker, demand("emails", 9))).isEmpty();
	}

	@Test
	void successThatCameTooLateLetsNobodyOut() {
		failAll(claimNew(5), Duration.ZERO);
		ClaimedJob lost = claimOne(this.worker);
		fallSilent(this.worker);
		this.maintenance.reap();
		ClaimedJob taken = claimOne(worker("other"));
		assertThat(taken.id()).isEqualTo(lost.id());
		assertThat(settleProbed(Outcomes.completed(lost), probe(lost, true, Duration.ZERO)).jobs()).isEmpty();
		assertOut(taken.id());
		settleProbed(Outcomes.retried(lost, Duration.ZERO), probe(lost, false, Duration.ZERO));
		assertOut(taken.id());
	}

	@Test
	void probeWhoseWorkerDiesRunsAgain() {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		fallSilent(this.worker);
		this.maintenance.reap();
		assertThat(this.maintenance.letRetriesOut()).isEmpty();
		assertThat(claim(worker("other"), demand("emails", 9))).extracting(ClaimedJob::id).containsExactly(probe.id());
	}

	@Test
	void anotherIsLetOutWhenTheProbeIsGone() {
		failAll(claimNew(3), Duration.ZERO);
		assertThat(this.maintenance.reap().waiting()).isTrue();
		assertThat(this.maintenance.letRetriesOut()).isEmpty();
		this.sql.sql("DELETE FROM " + OUT).update();
		assertThat(this.maintenance.letRetriesOut()).hasSize(1);
		assertThat(this.maintenance.letRetriesOut()).isEmpty();
		assertThat(claim(this.worker, demand("emails", 9))).hasSize(1);
	}

	@Test
	void anotherIsLetOutWhenTheProbeWasPutOff() {
		List<ClaimedJob> jobs = claimNew(2);
		failAll(jobs, Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		settle(this.worker, new Outcome.Snoozed(probe.id(), probe.claim(), Duration.ofHours(5)));
		assertThat(this.maintenance.letRetriesOut()).hasSize(1);
		assertThat(out()).doesNotContain(probe.id()).hasSize(1);
	}

	@Test
	void retryThatNobodyClaimsHoldsUpOthersForAMinute() {
		failAll(claimNew(3), Duration.ZERO);
		UUID unclaimed = out().get(0);
		assertThat(this.maintenance.letRetriesOut()).isEmpty();
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at - interval '1 minute' WHERE id = ?")
			.param(unclaimed)
			.update();
		assertThat(this.maintenance.letRetriesOut()).hasSize(1);
		assertThat(this.maintenance.letRetriesOut()).isEmpty();
		assertThat(out()).hasSize(2).contains(unclaimed);
	}

	@Test
	void retryThatTakesMoreThanAMinuteIsStillTheOneThatIsOut() {
		failAll(claimNew(3), Duration.ZERO);
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at - interval '1 minute' WHERE run_at < 'infinity'")
			.update();
		UUID probe = claimOne(this.worker).id();
		assertThat(this.maintenance.letRetriesOut()).isEmpty();
		assertOut(probe);
	}

	@Test
	void retryWithAnOrderingKeyIsNoneThatOthersWaitFor() {
		failAll(claimNew(2), Duration.ZERO);
		this.sql.sql("UPDATE jobqueue_job SET ordering_key = 'a' WHERE run_at < 'infinity'").update();
		assertThat(this.maintenance.letRetriesOut()).hasSize(1);
	}

	@Test
	void allAreLetOutWhereNobodyProbesAnyMore() {
		failAll(claimNew(5), Duration.ZERO);
		assertThat(this.jobs.letRetriesOut(List.of("invoices"))).isEmpty();
		assertThat(this.jobs.letRetriesOut(List.of("emails", "invoices"))).hasSize(4);
		assertThat(claim(this.worker, demand("emails", 9))).hasSize(5);
	}

	/**
	 * Each has written its failure and is about to commit, or waits for the other. Where
	 * each saw only its own failure, each would let one out.
	 */
	@Test
	void workersThatFailAtTheSameTimeLetOneOut() throws Exception {
		List<ClaimedJob> jobs = List.of(claimNew(1).get(0), claimNew(1).get(0));
		this.sql.sql(WAIT_AT_COMMIT).update();
		ExecutorService executor = Executors.newFixedThreadPool(jobs.size());
		try (Connection gate = this.database.directDataSource().getConnection();
				Statement statement = gate.createStatement()) {
			statement.execute("SELECT pg_advisory_lock(42)");
			List<Future<Written>> failures = jobs.stream()
				.map((job) -> executor.submit(() -> failPatiently(job)))
				.toList();
			Awaitility.await()
				.until(() -> count("pg_locks WHERE locktype = 'advisory' AND NOT granted") == jobs.size());
			statement.execute("SELECT pg_advisory_unlock(42)");
			for (Future<Written> failure : failures) {
				assertThat(failure.get().jobs()).hasSize(1);
			}
		}
		finally {
			executor.shutdownNow();
			this.sql.sql("DROP FUNCTION wait_at_commit CASCADE").update();
		}
		assertThat(count(OUT)).isEqualTo(1);
	}

	/**
	 * As a worker does.
	 */
	private Written failPatiently(ClaimedJob job) {
		while (true) {
			try {
				return fail(job, Duration.ZERO);
			}
			catch (CannotAcquireLockException ex) {
				assertThat(ex).isNotNull();
			}
		}
	}

	@Test
	void lockedRetryHoldsUpNobody() throws Exception {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("SELECT 1 FROM %s LIMIT 1 FOR UPDATE".formatted(HELD));
			assertThat(succeed(List.of(probe)).jobs()).hasSize(1);
			connection.rollback();
		}
		assertThat(count(OUT)).isEqualTo(1);
	}

	@Test
	void updatedRetryStaysHeldBack() {
		failAll(List.of(claimNew(1).get(0), claimUnique()), Duration.ZERO);
		UUID held = update(null);
		assertThat(column("payload", held, String.class)).isEqualTo("{\"new\":1}");
		assertThat(column("state", held, String.class)).isEqualTo("RETRYING");
		assertThat(this.maintenance.releaseFollowUps(null, 100).released()).isEmpty();
		assertThat(claim(this.worker, demand("emails", 9))).hasSize(1).noneMatch((job) -> job.id().equals(held));
	}

	@Test
	void updatedRetryThatHasAnOrderingKeyNowComesToTheGate() {
		failAll(List.of(claimNew(1).get(0), claimUnique()), Duration.ZERO);
		UUID held = update("customer");
		assertThat(this.jobs.admit("emails", KeyRules.NONE).admitted()).hasSize(1);
		assertThat(claim(this.worker, demand("emails", 9))).hasSize(2).anyMatch((job) -> job.id().equals(held));
	}

	private ClaimedJob claimUnique() {
		enqueueUnique("{}", null);
		return claimOne(this.worker);
	}

	private UUID update(@Nullable String ordering) {
		EnqueuedJob updated = enqueueUnique("{\"new\":1}", ordering);
		assertThat(updated.receipt().outcome()).isEqualTo(JobReceipt.Outcome.UPDATED);
		return updated.receipt().id();
	}

	private EnqueuedJob enqueueUnique(String payload, @Nullable String ordering) {
		NewJob job = new NewJob(UUID.randomUUID(), "emails", "mail", Encoded.ofText(payload), 10, null, Duration.ZERO,
				null, null, null, new JobKeys(new UniqueKey("k", OnDuplicate.UPDATE, null), ordering, null, null));
		return Objects
			.requireNonNull(new TransactionTemplate(new JdbcTransactionManager(this.dataSource))
				.execute((status) -> this.jobs.enqueue(List.of(job))))
			.jobs()
			.get(0);
	}

	private List<ClaimedJob> claimNew(int count) {
		List<NewJob> all = IntStream.range(0, count).mapToObj((n) -> job("emails", 10 + n % 3)).toList();
		this.jobs.enqueue(all);
		return claim(this.worker, demand("emails", count));
	}

	private void failAll(List<ClaimedJob> jobs, Duration delay) {
		jobs.forEach((job) -> fail(job, delay));
	}

	private Written fail(ClaimedJob job, Duration delay) {
		return settleProbed(Outcomes.retried(job, delay), probe(job, false, delay));
	}

	private Written succeed(List<ClaimedJob> jobs) {
		List<Outcome> outcomes = new ArrayList<>(jobs.stream().map(Outcomes::completed).toList());
		return this.jobs.settle(this.worker, outcomes, List.of(),
				new Consequences(jobs.stream().map((job) -> probe(job, true, Duration.ZERO)).toList(), List.of()));
	}

	private Written settleProbed(Outcome outcome, Probe probe) {
		return this.jobs.settle(this.worker, List.of(outcome), List.of(outcome.claim()),
				new Consequences(List.of(probe), List.of()));
	}

	private static Probe probe(ClaimedJob job, boolean succeeded, Duration pause) {
		return new Probe(job.id(), job.queue(), job.attempt() > 1, succeeded, pause);
	}

	private List<UUID> out() {
		return this.sql.sql("SELECT id FROM " + OUT).query(UUID.class).list();
	}

	private void assertOut(UUID job) {
		assertThat(out()).containsExactly(job);
	}

}
