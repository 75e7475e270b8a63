package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.EnqueuedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of retries that are held back when the one that is out does not come to
 * its end.
 */
class ReleasedRetriesTests extends ProbeTestBase {

	@Test
	void probeWhoseWorkerDiesRunsAgain() {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		fallSilent(this.worker);
		this.maintenance.reap(null);
		assertThat(this.maintenance.releaseRetries()).isEmpty();
		assertThat(claim(worker("other"), request("emails", 9))).extracting(ClaimedJob::id).containsExactly(probe.id());
	}

	@Test
	void goneProbeReleasesAnotherRetry() {
		failAll(claimNew(3), Duration.ZERO);
		assertThat(this.maintenance.reap(null).waiting()).isTrue();
		assertThat(this.maintenance.releaseRetries()).isEmpty();
		this.sql.sql("DELETE FROM " + OUT).update();
		assertThat(this.maintenance.releaseRetries()).hasSize(1);
		assertThat(this.maintenance.releaseRetries()).isEmpty();
		assertThat(claim(this.worker, request("emails", 9))).hasSize(1);
	}

	@Test
	void postponedProbeReleasesAnotherRetry() {
		List<ClaimedJob> jobs = claimNew(2);
		failAll(jobs, Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		recordOutcomes(this.worker, new Outcome.Snoozed(probe.id(), probe.claim(), Duration.ofHours(5)));
		assertThat(this.maintenance.releaseRetries()).hasSize(1);
		assertThat(out()).doesNotContain(probe.id()).hasSize(1);
	}

	@Test
	void unclaimedRetryDelaysOthersForAMinute() {
		failAll(claimNew(3), Duration.ZERO);
		UUID unclaimed = out().get(0);
		assertThat(this.maintenance.releaseRetries()).isEmpty();
		passHalfAMinute(unclaimed);
		assertThat(this.maintenance.releaseRetries()).isEmpty();
		passHalfAMinute(unclaimed);
		assertThat(this.maintenance.releaseRetries()).hasSize(1);
		assertThat(this.maintenance.releaseRetries()).isEmpty();
		assertThat(out()).hasSize(2).contains(unclaimed);
	}

	private void passHalfAMinute(UUID job) {
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at - interval '30 seconds' WHERE id = ?")
			.param(job)
			.update();
	}

	@Test
	void retryThatTakesMoreThanAMinuteIsStillTheOneThatIsOut() {
		failAll(claimNew(3), Duration.ZERO);
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at - interval '1 minute' WHERE run_at < 'infinity'")
			.update();
		UUID probe = claimOne(this.worker).id();
		assertThat(this.maintenance.releaseRetries()).isEmpty();
		assertOut(probe);
	}

	@Test
	void retryWithAnOrderingKeyIsNoneThatOthersWaitFor() {
		failAll(claimNew(2), Duration.ZERO);
		this.sql.sql("UPDATE jobqueue_job SET ordering_key = 'a' WHERE run_at < 'infinity'").update();
		assertThat(this.maintenance.releaseRetries()).hasSize(1);
	}

	@Test
	void allAreReleasedWhereRetriesAreNoLongerProbed() {
		failAll(claimNew(5), Duration.ZERO);
		assertThat(this.jobs.releaseRetries(List.of("invoices"))).isEmpty();
		assertThat(this.jobs.releaseRetries(List.of("emails", "invoices"))).hasSize(4);
		assertThat(claim(this.worker, request("emails", 9))).hasSize(5);
	}

	@Test
	void updatedRetryStaysHeldBack() {
		failAll(List.of(claimNew(1).get(0), claimUnique()), Duration.ZERO);
		UUID held = update(null);
		assertThat(column("payload", held, String.class)).isEqualTo("{\"new\":1}");
		assertThat(column("state", held, String.class)).isEqualTo("RETRYING");
		assertThat(this.maintenance.releaseFollowUps(null, 100).released()).isEmpty();
		assertThat(claim(this.worker, request("emails", 9))).hasSize(1).noneMatch((job) -> job.id().equals(held));
	}

	@Test
	void updatedRetryThatHasAnOrderingKeyNowAwaitsAdmission() {
		failAll(List.of(claimNew(1).get(0), claimUnique()), Duration.ZERO);
		UUID held = update("customer");
		assertThat(this.jobs.admit("emails", AdmissionRules.NONE).admitted()).hasSize(1);
		assertThat(claim(this.worker, request("emails", 9))).hasSize(2).anyMatch((job) -> job.id().equals(held));
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
		NewJob job = new NewJobBuilder().payload(payload)
			.key("k", OnDuplicate.UPDATE, null)
			.orderedBy(ordering)
			.build();
		return Objects
			.requireNonNull(new TransactionTemplate(new JdbcTransactionManager(this.dataSource))
				.execute((status) -> this.jobs.enqueue(List.of(job))))
			.jobs()
			.get(0);
	}

}
