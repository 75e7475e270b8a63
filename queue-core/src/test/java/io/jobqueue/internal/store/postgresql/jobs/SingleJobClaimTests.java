package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;

import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.RetryProbe;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.SingleClaimResult;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A job is claimed by its id, or left as it was.
 */
@Tag("pooler") // statements of the store
class SingleJobClaimTests extends KeyTestBase {

	@Test
	void jobIsAdmittedAndClaimed() {
		UUID job = addLater();
		assertThat(pick(worker(), job).claimed().jobs()).extracting(ClaimedJob::id).containsExactly(job);
		assertThat(column("state", job, String.class)).isEqualTo("RUNNING");
	}

	/**
	 * As in a queue that has been paused. Only so many admissions are evaluated at a
	 * time.
	 */
	@Test
	void jobIsAdmittedBehindVeryManyWhoseAdmissionIsPending() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, queue, type, payload, priority, run_at, created_at, due_at, admission, ordering_key)
					SELECT gen_random_uuid(), 'emails', 'mail', '{}', 5, 'infinity', now(), now() - interval '1 minute', 'PENDING', 'k' || n
					FROM generate_series(1, 2500) n
					""")
			.update();
		UUID job = addLater();
		SingleClaimResult picked = pick(worker(), job);
		assertThat(picked.claimed().jobs()).extracting(ClaimedJob::id).containsExactly(job);
		assertThat(picked.admitted()).extracting((arrival) -> arrival.tier().priority()).contains(5, 10);
		assertThat(count("jobqueue_job WHERE admission = 'PENDING'")).isZero();
	}

	/**
	 * Others would take what was admitted in vain.
	 */
	@Test
	void jobIsNotAdmittedForAWorkerThatMustNotClaim() {
		UUID job = addLater();
		SingleClaimResult picked = pick(UUID.randomUUID(), job);
		assertThat(picked.claimed().refused()).isTrue();
		assertThat(picked.admitted()).isEmpty();
		assertThat(column("state", job, String.class)).isEqualTo("SCHEDULED");
		assertThat(claim(worker(), request("emails", 1))).isEmpty();
	}

	@Test
	void workerWithoutAHeartbeatMustNotClaim() {
		UUID worker = worker();
		fallSilent(worker);
		assertThat(pick(worker, addLater()).claimed().refused()).isTrue();
	}

	@Test
	void jobOfAnotherWorkerIsNotClaimed() {
		ClaimedJob job = addAndRun(null);
		assertNotClaimed(job.id(), request("emails", 1));
	}

	@Test
	void jobWithACancelRequestIsNotClaimed() {
		UUID job = enqueue("emails", 1).get(0);
		this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true").update();
		assertNotClaimed(job, request("emails", 1));
	}

	@Test
	void jobThatFollowsAnotherWaitsForIt() {
		addAndRun(null);
		assertNotClaimed(again(OnDuplicate.REQUEUE).id(), request("emails", 1));
	}

	@Test
	void jobOfAnotherQueueOrTypeIsNotClaimed() {
		UUID job = enqueue("emails", 1).get(0);
		assertNotClaimed(job, request("invoices", 1));
		assertNotClaimed(job, request("emails", 1, 0, "sms"));
	}

	private void assertNotClaimed(UUID job, ClaimRequest request) {
		String before = row(job);
		for (AdmissionRules keys : new AdmissionRules[] { null, AdmissionRules.NONE }) {
			assertThat(this.jobs.claimOne(worker(), job, request, keys).claimed().jobs()).isEmpty();
			assertThat(row(job)).isEqualTo(before);
		}
	}

	private String row(UUID job) {
		return this.sql.sql("SELECT to_jsonb(j)::text FROM jobqueue_job j WHERE id = ?")
			.param(job)
			.query(String.class)
			.single();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void limitOfTheQueueHoldsWhicheverWayJobsAreClaimed(boolean pickedFirst) {
		List<UUID> both = enqueue("emails", 2);
		ClaimRequest one = limited(1);
		assertThat(pickedFirst ? pick(worker(), both.get(0), one) : claim(worker(), one)).hasSize(1);
		assertThat(pick(worker(), both.get(1), limited(1))).isEmpty();
		assertThat(claim(worker(), limited(1))).isEmpty();
		assertThat(pick(worker(), both.get(1), limited(2))).hasSize(1);
	}

	private ClaimRequest limited(int jobs) {
		return request().limits(new ClusterLimits(jobs, null)).build();
	}

	@Test
	void optionsOfTheJobPrecedeThoseOfTheNode() {
		UUID job = enqueue(new NewJobBuilder().maxAttempts(3).maxRunTime(Duration.ofMinutes(9)).build());
		ClaimedJob picked = pick(worker(), job, request("emails", 1)).get(0);
		assertThat(picked.maxAttempts()).isEqualTo(3);
		assertThat(picked.maxRunTime()).isEqualTo(Duration.ofMinutes(9));
		assertThat(picked.attempt()).isOne();
		assertThat(leaseEndsWithin(Duration.ofMinutes(10))).isTrue();
	}

	private boolean leaseEndsWithin(Duration time) {
		return this.sql.sql("""
				SELECT j.lease_until = c.expires_at AND c.expires_at < now() + ? * interval '1 second'
				FROM jobqueue_job j CROSS JOIN jobqueue_claim c
				""").param(time.toSeconds()).query(Boolean.class).single();
	}

	/**
	 * And a reaper finds what it needs to know.
	 */
	@Test
	void optionsOfTheNodeApplyToAJobWithoutItsOwn() {
		UUID job = enqueue("emails", 1).get(0);
		ClaimRequest request = request().onceTypes("mail")
			.maxAttempts(7)
			.maxRunTime(Duration.ofMinutes(5))
			.keepDead(LONG)
			.build();
		ClaimedJob picked = pick(worker(), job, request).get(0);
		assertThat(picked.maxAttempts()).isEqualTo(7);
		assertThat(picked.maxRunTime()).isEqualTo(Duration.ofMinutes(5));
		assertThat(picked.atMostOnce()).isTrue();
		assertThat(leaseEndsWithin(Duration.ofMinutes(6))).isTrue();
		assertThat(count("jobqueue_claim WHERE keep_dead_millis = 3600000 AND max_attempts = 7")).isOne();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void jobThatIsDueKeepsItsTime(boolean keyed) {
		Instant due = Instant.parse("2026-01-02T03:04:05Z");
		UUID job = enqueue(new NewJobBuilder().limitedBy(keyed ? "customer" : null).build());
		this.sql.sql("UPDATE jobqueue_job SET %s = '2026-01-02T03:04:05Z'".formatted(keyed ? "due_at" : "run_at"))
			.update();
		assertThat(pick(worker(), job, request("emails", 1))).extracting(ClaimedJob::runAt).containsExactly(due);
	}

	@Test
	void retryThatIsHeldBackIsTakenBeforeItsTime() {
		UUID worker = worker();
		enqueue("emails", 2);
		for (ClaimedJob job : claim(worker, request("emails", 2))) {
			this.jobs.recordOutcomes(worker, List.of(Outcomes.retried(job, LONG)), List.of(), new CompletionEffects(
					List.of(new RetryProbe(job.id(), "emails", true, false, Duration.ZERO)), List.of()));
		}
		UUID held = this.sql.sql("SELECT id FROM jobqueue_job WHERE run_at = 'infinity'").query(UUID.class).single();
		Instant due = this.stores.search().find(held).runAt();
		assertThat(pick(worker, held, request("emails", 1))).extracting(ClaimedJob::runAt).containsExactly(due);
	}

	private List<ClaimedJob> pick(UUID worker, UUID job, ClaimRequest request) {
		return this.jobs.claimOne(worker, job, request, AdmissionRules.NONE).claimed().jobs();
	}

	/**
	 * The JVM may be stopped, or die, before it says whether to keep the claim.
	 */
	@Test
	void processStoppedBeforeTheCommitKeepsNothingLocked() {
		UUID job = addLater();
		Step due = new Step(SingleJobClaim.MAKE_DUE, (parameters) -> parameters.value(job));
		BooleanSupplier stopped = () -> {
			Awaitility.await().until(() -> count("pg_stat_activity WHERE state = 'idle in transaction'") == 0);
			return true;
		};
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> new QueueTransaction(this.dataSource, new Schema(null)).runAndKeepIf(stopped,
					SingleJobClaim.BEGIN, List.of(due)));
		assertThat(column("state", job, String.class)).isEqualTo("SCHEDULED");
	}

	private SingleClaimResult pick(UUID worker, UUID job) {
		return this.jobs.claimOne(worker, job, request("emails", 1), AdmissionRules.NONE);
	}

	private UUID addLater() {
		return enqueue(new NewJobBuilder().delay(LONG).orderedBy("customer").build());
	}

}
