package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.JobStore.TierBacklog.UnknownJobs;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs a claim takes, and in which order.
 */
@Tag("pooler") // statements of the store
@Tag("container") // statements of the store
class ClaimTests extends StoreTestBase {

	@Test
	void claimsInOrderOfPriorityRunTimeAndSequence() {
		UUID second = enqueue(job("emails", "mail", 20, Instant.now().minusSeconds(60), Duration.ZERO, null));
		UUID third = enqueue(job("emails", 20));
		UUID first = enqueue(job("emails", 5));
		assertThat(claim(worker(), request("emails", 9))).extracting(ClaimedJob::id)
			.containsExactly(first, second, third);
	}

	@Test
	void takesBetterPrioritiesWithinItsLimit() {
		enqueue("emails", 5);
		UUID urgent = enqueue(job("emails", 0));
		assertThat(claimOne(worker()).id()).isEqualTo(urgent);
	}

	@Test
	void leavesWhatIsNotDue() {
		enqueue(job("emails", "mail", 0, null, Duration.ofHours(1), null));
		UUID due = enqueue(job("emails", 30));
		assertThat(claim(worker(), request("emails", 9))).extracting(ClaimedJob::id).containsExactly(due);
	}

	@Test
	void leavesOtherQueuesAndOtherTypes() {
		enqueue("invoices", 1);
		enqueue(job("emails", "fax", 0, null, Duration.ZERO, null));
		assertThat(claim(worker(), request("emails", 9))).isEmpty();
		assertThat(this.sql.sql("SELECT max(attempts) FROM jobqueue_job").query(Integer.class).single()).isZero();
	}

	@Test
	void takesAnyTypeButTheExceptions() {
		UUID mail = enqueue(job("emails", 20));
		UUID fax = enqueue(job("emails", "fax", 0, null, Duration.ZERO, null));
		enqueue(job("emails", "telex", 0, null, Duration.ZERO, null));
		enqueue("invoices", 1);
		ClaimRequest any = request("emails", 9, 0, ClaimRequest.ANY_TYPE, ClaimRequest.EXCEPT + "telex");
		assertThat(claim(worker(), any)).extracting(ClaimedJob::id).containsExactly(fax, mail);
	}

	@Test
	void scanFindsAnyTypeButTheExceptions() {
		enqueue(job("emails", "fax", 0, null, Duration.ZERO, null));
		enqueue(job("emails", "telex", 10, null, Duration.ZERO, null));
		Set<String> types = Set.of(ClaimRequest.ANY_TYPE, ClaimRequest.EXCEPT + "telex");
		List<TierBacklog> tiers = this.jobs.scanBacklog(List.of(new ServedQueue("emails", types, 0, 99)));
		assertThat(tiers).extracting(TierBacklog::tier).containsExactly(new Tier("emails", 0), new Tier("emails", 10));
		assertThat(tiers).extracting(TierBacklog::dueIn).containsExactly(Duration.ZERO, null);
		assertThat(tiers).extracting(TierBacklog::unknown).containsExactly(null, new UnknownJobs("telex", 1));
	}

	@Test
	void takesNothingOfOtherQueues() {
		enqueue("invoices", 3);
		enqueue("emails", 3);
		assertThat(claim(worker(), request("emails", 9))).hasSize(3)
			.extracting(ClaimedJob::queue)
			.containsOnly("emails");
	}

	@Test
	void keepsToTheRangeOfPriorities() {
		enqueue(job("emails", 5));
		enqueue(job("emails", 25));
		UUID middle = enqueue(job("emails", 15));
		assertThat(claim(worker(), requestOf(10, 19))).extracting(ClaimedJob::id).containsExactly(middle);
	}

	@Test
	void countsTheAttempt() {
		UUID id = enqueue(job("emails", 10));
		assertThat(claimOne(worker()).attempt()).isEqualTo(1);
		assertThat(column("attempts", id, Integer.class)).isEqualTo(1);
		assertThat(column("state", id, String.class)).isEqualTo("RUNNING");
	}

	@Test
	void prefetchesNoJobOnItsLastAttempt() {
		UUID last = enqueue(lastAttempt("emails"));
		enqueue("emails", 2);
		ClaimResult claimed = this.jobs.claim(worker(), request("emails", 0, 9, "mail"));
		assertThat(claimed.jobs()).hasSize(2).extracting(ClaimedJob::id).doesNotContain(last);
		assertThat(claimed.withheld()).extracting(JobsAvailable::tier).containsExactly(new Tier("emails", 10));
		assertThat(claimOne(worker()).id()).isEqualTo(last);
	}

	@Test
	void prefetchesAJobWhoseExpectedFailuresLeaveAttempts() {
		UUID job = enqueue(job("emails", "mail", 10, null, Duration.ZERO, 2));
		UUID worker = worker();
		for (int attempt = 1; attempt <= 3; attempt++) {
			ClaimedJob claimed = claim(worker, request("emails", 0, 9, "mail")).get(0);
			assertThat(claimed.isLastAttempt()).isFalse();
			recordOutcomes(worker, Outcomes.failedAsExpected(claimed, Duration.ZERO));
		}
		recordOutcomes(worker, Outcomes.retried(claimOne(worker), Duration.ZERO));
		assertThat(this.jobs.claim(worker, request("emails", 0, 9, "mail")).withheld()).hasSize(1);
		assertThat(claimOne(worker)).matches(ClaimedJob::isLastAttempt).matches((last) -> last.attempt() == 5);
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void claimsNothingForAWorkerWithoutAHeartbeat() {
		enqueue("emails", 1);
		UUID worker = worker();
		fallSilent(worker);
		assertThat(claim(worker, request("emails", 1))).isEmpty();
		assertThat(claim(UUID.randomUUID(), request("emails", 1))).isEmpty();
	}

	@Test
	void neverGivesAJobTwice() throws Exception {
		enqueue("emails", 1000);
		Set<UUID> seen = new HashSet<>();
		UUID[] workers = { worker("one"), worker("two"), worker("three") };
		List<Thread> threads = List.of(workers)
			.stream()
			.map((worker) -> new Thread(() -> claimAll(worker, seen)))
			.toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(seen).hasSize(1000);
	}

	private void claimAll(UUID worker, Set<UUID> seen) {
		for (List<ClaimedJob> jobs = claim(worker, request("emails", 7)); !jobs.isEmpty(); jobs = claim(worker,
				request("emails", 7))) {
			synchronized (seen) {
				jobs.forEach((job) -> assertThat(seen.add(job.id())).isTrue());
			}
		}
	}

	@Test
	void skipsJobsThatAnotherTransactionHasLocked() throws Exception {
		enqueue("emails", 2);
		try (var connection = this.dataSource.getConnection(); var statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("SELECT 1 FROM jobqueue_job ORDER BY seq LIMIT 1 FOR UPDATE");
			assertThat(claim(worker(), request("emails", 9))).hasSize(1);
			connection.rollback();
		}
	}

	@Test
	void scanReturnsWhenTheNextJobIsDueAndWhatCannotBeRun() {
		enqueue(job("emails", "mail", 30, null, Duration.ofMinutes(9), null));
		enqueue(job("emails", "mail", 10, null, Duration.ofMinutes(5), null));
		enqueue(job("emails", "fax", 10, null, Duration.ZERO, null));
		List<TierBacklog> tiers = scanBacklog("mail");
		assertThat(tiers).extracting(TierBacklog::tier).containsExactly(new Tier("emails", 10), new Tier("emails", 30));
		assertThat(tiers.get(0).dueIn()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
		assertThat(tiers).extracting(TierBacklog::unknown).containsExactly(new TierBacklog.UnknownJobs("fax", 1), null);
	}

	@Test
	void scanFindsTheFirstUnclaimedDueJob() {
		List<UUID> ids = enqueue("emails", 3);
		claimOne(worker());
		TierBacklog tier = scanBacklog("mail").get(0);
		assertThat(tier.dueIn()).isZero();
		assertThat(tier.position().seq()).isEqualTo(column("seq", ids.get(1), Long.class));
	}

	@Test
	void scanPassesAnyNumberOfJobsThatCannotRun() {
		this.jobs
			.enqueue(Stream.generate(() -> job("emails", "fax", 10, null, Duration.ZERO, null)).limit(12_000).toList());
		UUID mail = enqueue(job("emails", 10));
		TierBacklog tier = scanBacklog("mail").get(0);
		assertThat(tier.dueIn()).isZero();
		assertThat(tier.position().seq()).isEqualTo(column("seq", mail, Long.class));
	}

	@Test
	void scanFindsNothingInAnEmptyQueue() {
		assertThat(scanBacklog("mail")).isEmpty();
	}

	/**
	 * A position is a time, and among the jobs of that time a place in their order.
	 */
	@Test
	void readsOnlyFromThePositionOn() {
		List<UUID> ids = enqueue("emails", 5);
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at - interval '1 hour'").update();
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at + interval '1 minute' WHERE id = ?")
			.param(ids.get(0))
			.update();
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at - interval '1 minute' WHERE id = ?")
			.param(ids.get(4))
			.update();
		JobPosition third = new JobPosition(column("run_at", ids.get(2), OffsetDateTime.class).toInstant(),
				column("seq", ids.get(2), Long.class));
		ClaimRequest request = request().free(9).positions(Map.of(new Tier("emails", 10), third)).build();
		assertThat(claim(worker(), request)).extracting(ClaimedJob::id)
			.containsExactly(ids.get(2), ids.get(3), ids.get(0));
	}

	@Test
	void returnsNextDueTimeOnlyIfNoMoreJobsAreDue() {
		enqueue("emails", 2);
		enqueue(job("emails", "mail", 10, null, Duration.ofMinutes(5), null));
		enqueue(job("emails", "mail", 10, null, Duration.ofMinutes(10), null));
		enqueue(job("emails", "mail", 20, null, Duration.ofMinutes(15), null));
		assertThat(this.jobs.claim(worker(), request("emails", 1)).nextDueIn()).isNull();
		assertThat(this.jobs.claim(worker(), request("emails", 9)).nextDueIn()).isBetween(Duration.ofMinutes(4),
				Duration.ofMinutes(5));
	}

	@Test
	void returnsNoTimeToAnUnknownWorker() {
		enqueue("emails", 1);
		assertThat(this.jobs.claim(UUID.randomUUID(), request("emails", 1)).at()).isNull();
		assertThat(this.jobs.claim(worker(), request("invoices", 1)).at()).isNotNull();
	}

	private ClaimRequest requestOf(int best, int worst) {
		return request().free(9).priorities(best, worst).build();
	}

}
