package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.Outcome.Released;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * JobClaims of a queue whose jobs are limited over all workers together.
 */
@Tag("pooler") // statements of the store
class LimitTests extends StoreTestBase {

	private static final int WORKERS = 8;

	private static final ClusterLimits THREE = new ClusterLimits(3, null);

	@Test
	void workersShareTheSlots() {
		enqueue("emails", 9);
		assertThat(claim(worker("one"), 2, THREE).jobs()).hasSize(2);
		UUID other = worker("other");
		ClaimResult last = claim(other, 2, THREE);
		assertThat(last.jobs()).hasSize(1);
		assertThat(last.quota()).isEqualTo(1);
		assertThat(claim(other, 2, THREE)).satisfies((nothing) -> {
			assertThat(nothing.jobs()).isEmpty();
			assertThat(nothing.mayBeMore()).isFalse();
			assertThat(nothing.nextDueIn()).isNull();
		});
	}

	@Test
	void jobThatIsReleasedFreesItsSlotWhileItsSiblingsAreClaimed() {
		enqueue("emails", 9);
		UUID one = worker("one");
		ClaimedJob job = claim(one, 3, THREE).jobs().get(0);
		this.jobs.recordOutcomes(one, List.of(new Released(job.id(), job.claim())), List.of(), CompletionEffects.NONE);
		assertThat(claim(worker("other"), 3, THREE).jobs()).hasSize(1);
	}

	@Test
	void workerWithoutAHeartbeatHoldsItsSlotsUntilItIsReaped() {
		enqueue("emails", 9);
		UUID silent = worker("silent");
		claim(silent, 3, THREE);
		fallSilent(silent);
		UUID other = worker("other");
		assertThat(claim(other, 3, THREE).jobs()).isEmpty();
		this.maintenance.reap(null);
		assertThat(claim(other, 3, THREE).jobs()).hasSize(3);
	}

	@Test
	void claimsWithoutLimitsAreNotLimitedByThoseBefore() {
		enqueue("emails", 9);
		UUID one = worker("one");
		claim(one, 1, new ClusterLimits(1, null));
		assertThat(claim(one, 8, ClusterLimits.NONE).jobs()).hasSize(8);
	}

	/**
	 * Such as one that was stopped by its system in the middle of a claim.
	 */
	@Test
	void claimsWaitBrieflyForAWorkerThatHoldsTheLock() throws Exception {
		enqueue("emails", 9);
		UUID other = worker("other");
		try (Connection connection = this.database.directDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(
					"SELECT pg_advisory_lock(hashtextextended('LIMITS of emails', 'jobqueue_job'::regclass::oid::bigint))");
			ClaimResult nothing = claim(other, 3, THREE);
			assertThat(nothing.jobs()).isEmpty();
			assertThat(nothing.mayBeMore()).isFalse();
			assertThat(nothing.nextDueIn()).isEqualTo(Duration.ofMillis(100));
		}
		assertThat(claim(other, 3, THREE).jobs()).hasSize(3);
	}

	@Test
	void clockSetBackBeyondThePeriodDelaysNoClaim() {
		enqueue("emails", 20);
		ClusterLimits limits = new ClusterLimits(null, new Rate(4, Duration.ofMinutes(10)));
		UUID worker = worker();
		assertThat(claim(worker, 9, limits).jobs()).hasSize(4);
		jumpBack("1 hour");
		assertThat(claim(worker, 9, limits).jobs()).hasSize(4);
		assertThat(claim(worker, 9, limits).jobs()).isEmpty();
		assertThat(count("jobqueue_rate")).isEqualTo(1);
	}

	@Test
	void clockSetBackWithinThePeriodKeepsTheRate() {
		enqueue("emails", 20);
		ClusterLimits limits = new ClusterLimits(null, new Rate(4, Duration.ofMinutes(10)));
		UUID worker = worker();
		assertThat(claim(worker, 3, limits).jobs()).hasSize(3);
		jumpBack("5 minutes");
		assertThat(claim(worker, 9, limits).jobs()).hasSize(1);
		assertThat(claim(worker, 9, limits)).satisfies((nothing) -> {
			assertThat(nothing.jobs()).isEmpty();
			assertThat(nothing.nextDueIn()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(15));
		});
	}

	/**
	 * For rates, this is the same as rows from a time that has not come.
	 */
	private void jumpBack(String interval) {
		this.sql
			.sql("UPDATE jobqueue_rate SET began_at = began_at + interval '%1$s', ended_at = ended_at + interval '%1$s'"
				.formatted(interval))
			.update();
	}

	@Test
	void rateAllowsNoMoreUntilThePeriodIsOver() {
		enqueue("emails", 9);
		ClusterLimits limits = new ClusterLimits(null, new Rate(4, Duration.ofMinutes(10)));
		assertThat(claim(worker("one"), 3, limits).jobs()).hasSize(3);
		UUID other = worker("other");
		assertThat(claim(other, 3, limits).jobs()).hasSize(1);
		ClaimResult nothing = claim(other, 3, limits);
		assertThat(nothing.jobs()).isEmpty();
		assertThat(nothing.nextDueIn()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
		this.sql.sql("""
				UPDATE jobqueue_rate
				SET began_at = began_at - interval '10 minutes', ended_at = ended_at - interval '10 minutes'
				""").update();
		assertThat(claim(other, 3, limits).jobs()).hasSize(3);
		assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_rate").query(Integer.class).single()).isEqualTo(1);
	}

	@Test
	void waitingForTheRateIsNotCounted() {
		UUID job = enqueue("emails", 1).get(0);
		ClusterLimits limits = new ClusterLimits(null, new Rate(1, Duration.ofMillis(1)));
		UUID one = worker("one");
		await().until(() -> claim(one, 1, limits).jobs().size() == 1);
		assertThat(
				this.sql.sql("SELECT attempts FROM jobqueue_job WHERE id = ?").param(job).query(Integer.class).single())
			.isEqualTo(1);
	}

	@Test
	void concurrencyAndRateHoldTogether() {
		enqueue("emails", 9);
		ClusterLimits limits = new ClusterLimits(5, new Rate(4, Duration.ofMinutes(1)));
		assertThat(claim(worker("one"), 9, limits).jobs()).hasSize(4);
		ClusterLimits few = new ClusterLimits(2, new Rate(9, Duration.ofMinutes(1)));
		assertThat(claim(worker("other"), 9, few).jobs()).isEmpty();
	}

	@Test
	void noMoreThanTheLimitAreEverClaimedByManyWorkersAtATime() {
		enqueue("emails", 400);
		List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
		race((worker) -> {
			for (int round = 0; round < 40; round++) {
				List<ClaimedJob> jobs = claim(worker, 2, THREE).jobs();
				seen.add(claimed());
				this.jobs.recordOutcomes(worker,
						jobs.stream().map((job) -> new Released(job.id(), job.claim())).toList(),
						jobs.stream().map(ClaimedJob::claim).distinct().toList(), CompletionEffects.NONE);
			}
		});
		assertThat(seen).contains(3).allMatch((count) -> count <= 3);
	}

	@Test
	void noMoreThanTheRateIsEverClaimedByManyWorkersInAnyPeriod() {
		enqueue("emails", 400);
		Duration period = Duration.ofMillis(200);
		ClusterLimits limits = new ClusterLimits(null, new Rate(5, period));
		List<Instant> times = Collections.synchronizedList(new ArrayList<>());
		race((worker) -> await().pollDelay(ZERO).pollInterval(Duration.ofMillis(1)).until(() -> {
			ClaimResult claimed = claim(worker, 2, limits);
			claimed.jobs().forEach((job) -> times.add(claimed.at()));
			return times.size() >= 40;
		}));
		List<Instant> sorted = times.stream().sorted().toList();
		assertThat(IntStream.range(0, sorted.size() - 5)).allMatch(
				(index) -> !Duration.between(sorted.get(index), sorted.get(index + 5)).minus(period).isNegative());
	}

	@Test
	void countOfARateStaysSmall() {
		enqueue("emails", 300);
		ClusterLimits limits = new ClusterLimits(null, new Rate(300, Duration.ofSeconds(1)));
		UUID one = worker("one");
		for (int claim = 0; claim < 300; claim++) {
			claim(one, 1, limits);
			assertThat(this.sql.sql("SELECT count(*) FROM jobqueue_rate").query(Integer.class).single())
				.isLessThanOrEqualTo(101);
		}
	}

	private void race(Consumer<UUID> work) {
		ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
		try {
			CompletableFuture
				.allOf(IntStream.range(0, WORKERS)
					.mapToObj((number) -> worker("worker-" + number))
					.map((worker) -> CompletableFuture.runAsync(() -> work.accept(worker), threads))
					.toArray(CompletableFuture[]::new))
				.join();
		}
		finally {
			threads.shutdownNow();
		}
	}

	private int claimed() {
		return this.sql.sql("SELECT count(*) FROM jobqueue_job WHERE locked_by IS NOT NULL")
			.query(Integer.class)
			.single();
	}

	private synchronized ClaimRequest limited(int free, ClusterLimits limits) {
		return request().free(free).limits(limits).build();
	}

	private ClaimResult claim(UUID worker, int free, ClusterLimits limits) {
		return this.jobs.claim(worker, limited(free, limits));
	}

}
