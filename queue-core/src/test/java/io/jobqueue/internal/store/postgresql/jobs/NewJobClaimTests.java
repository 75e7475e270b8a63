package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.NewJobRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A new job is claimed by its id if it is due, or left as it was.
 */
class NewJobClaimTests extends KeyTestBase {

	private static final Duration RUN_TIME = Duration.ofMinutes(30);

	@Test
	void claimedJobIsReadAsByAnyOtherClaim() {
		UUID worker = worker();
		UUID job = enqueue(new NewJobBuilder().payload(OLD).priority(7).headers("{\"trace\":\"1\"}").build());
		ClaimResult claimed = claimNew(worker, job);
		ClaimedJob read = claimed.jobs().get(0);
		assertThat(read.payload().text()).isEqualTo(OLD);
		assertThat(read.headers()).isEqualTo("{\"trace\":\"1\"}");
		assertThat(read.priority()).isEqualTo(7);
		assertThat(read.attempt()).isOne();
		this.jobs.release(worker, List.of(read.claim()));
		assertThat(claimOne(worker)).usingRecursiveComparison().ignoringFields("claim").isEqualTo(read);
	}

	/**
	 * The executor that takes the job would have the fetcher claim once more.
	 */
	@Test
	void claimOfOneJobPromisesNoOther() {
		assertThat(claimNew(worker(), enqueue("emails", 1).get(0)).mayBeMore()).isFalse();
	}

	@Test
	void jobIsClaimedAsSoonAsItIsDue() {
		UUID job = enqueue("emails", 1).get(0);
		this.sql.sql("UPDATE jobqueue_job SET run_at = now() + interval '1 hour'").update();
		assertNotClaimed(worker(), request(job));
		this.sql.sql("UPDATE jobqueue_job SET run_at = now()").update();
		assertThat(claimNew(worker(), job).jobs()).extracting(ClaimedJob::id).containsExactly(job);
	}

	@Test
	void jobOfAnotherWorkerIsNotClaimed() {
		assertNotClaimed(worker(), request(addAndRun(null).id()));
	}

	@Test
	void jobWithACancelRequestIsNotClaimed() {
		UUID job = enqueue("emails", 1).get(0);
		this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true").update();
		assertNotClaimed(worker(), request(job));
	}

	@Test
	void jobThatFollowsAnotherWaitsForIt() {
		addAndRun(null);
		assertNotClaimed(worker(), request(again(OnDuplicate.REQUEUE).id()));
	}

	@Test
	void waitingJobIsNotClaimed() {
		UUID job = enqueue("emails", 1).get(0);
		for (String admission : new String[] { "'PENDING'", "'ORDER'", "'SLOT'", "'PREDECESSORS'", "NULL" }) {
			this.sql.sql("UPDATE jobqueue_job SET run_at = 'infinity', due_at = now(), admission = " + admission)
				.update();
			assertNotClaimed(worker(), request(job));
		}
	}

	@Test
	void jobOfAnotherQueueOrTypeIsNotClaimed() {
		UUID job = enqueue("emails", 1).get(0);
		assertNotClaimed(worker(), request(job, "invoices", "mail"));
		assertNotClaimed(worker(), request(job, "emails", "sms"));
	}

	/**
	 * A lock of it would hide the job from the claims of other workers.
	 */
	@Test
	void workerWithoutAHeartbeatNeitherClaimsNorLocksTheJob() {
		UUID worker = worker();
		fallSilent(worker);
		assertNotClaimed(worker, request(enqueue("emails", 1).get(0)));
		assertThat(count("jobqueue_job WHERE xmax <> 0")).isZero();
	}

	/**
	 * The thread and the connection of the claim do not wait for the transaction that has
	 * locked the job.
	 */
	@Test
	void lockedJobIsSkipped() throws SQLException {
		UUID job = enqueue("emails", 1).get(0);
		UUID worker = worker();
		try (Connection other = this.dataSource.getConnection(); Statement lock = other.createStatement()) {
			other.setAutoCommit(false);
			lock.execute("SELECT 1 FROM jobqueue_job FOR UPDATE");
			assertThat(claimNew(worker, job).jobs()).isEmpty();
			other.rollback();
		}
	}

	@Test
	void jobsOwnOptionsTakePrecedence() {
		UUID job = enqueue(new NewJobBuilder().maxAttempts(3).maxRunTime(Duration.ofMinutes(9)).build());
		ClaimResult result = claimNew(worker(), job);
		ClaimedJob claimed = result.jobs().get(0);
		assertThat(claimed.maxAttempts()).isEqualTo(3);
		assertThat(claimed.maxRunTime()).isEqualTo(Duration.ofMinutes(9));
		assertLease(result, Duration.ofMinutes(9));
	}

	/**
	 * The reaper finds the options of the claim.
	 */
	@Test
	void optionsOfTheRequestApplyToAJobWithoutItsOwn() {
		UUID job = enqueue("emails", 1).get(0);
		ClaimResult result = this.jobs.claimNew(worker(),
				request().onceTypes("mail").maxAttempts(7).maxRunTime(RUN_TIME).keepDead(LONG).buildFor(job));
		ClaimedJob claimed = result.jobs().get(0);
		assertThat(claimed.maxAttempts()).isEqualTo(7);
		assertThat(claimed.maxRunTime()).isEqualTo(RUN_TIME);
		assertThat(claimed.atMostOnce()).isTrue();
		assertLease(result, RUN_TIME);
		assertThat(count("jobqueue_claim WHERE keep_dead_millis = 3600000 AND max_attempts = 7")).isOne();
	}

	@Test
	void reaperEndsALostJobByTheLimitOfItsClaim() {
		List<UUID> both = enqueue("emails", 2);
		UUID worker = worker();
		this.jobs.claimNew(worker, request().maxAttempts(1).keepDead(LONG).buildFor(both.get(0)));
		this.jobs.claimNew(worker, request().maxAttempts(2).keepDead(LONG).buildFor(both.get(1)));
		fallSilent(worker);
		this.maintenance.reap(null);
		assertThat(column("state", both.get(0), String.class)).isEqualTo("DEAD");
		assertThat(column("state", both.get(1), String.class)).isNotEqualTo("DEAD");
		assertThat(count("jobqueue_claim")).isZero();
	}

	/**
	 * The claim is recorded with the same end of its lease.
	 */
	private void assertLease(ClaimResult claimed, Duration runTime) {
		assertThat(this.sql
			.sql("SELECT j.lease_until FROM jobqueue_job j JOIN jobqueue_claim c ON c.expires_at = j.lease_until")
			.query(Instant.class)
			.list()).containsExactly(Objects.requireNonNull(claimed.at()).plus(runTime).plusSeconds(2));
	}

	private void assertNotClaimed(UUID worker, NewJobRequest request) {
		String before = rows();
		assertThat(this.jobs.claimNew(worker, request).jobs()).isEmpty();
		assertThat(rows()).isEqualTo(before);
	}

	private String rows() {
		return this.sql
			.sql("SELECT concat((SELECT json_agg(j) FROM jobqueue_job j), (SELECT json_agg(c) FROM jobqueue_claim c))")
			.query(String.class)
			.single();
	}

	private ClaimResult claimNew(UUID worker, UUID job) {
		return this.jobs.claimNew(worker, request(job));
	}

	private NewJobRequest request(UUID job) {
		return request(job, "emails", "mail");
	}

	private NewJobRequest request(UUID job, String queue, String type) {
		return request().queue(queue).types(type).maxRunTime(RUN_TIME).buildFor(job);
	}

}
