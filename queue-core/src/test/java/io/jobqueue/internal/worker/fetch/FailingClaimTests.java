package io.jobqueue.internal.worker.fetch;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.QueueSettingsBuilder;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.harness.WorkerSettingsBuilder;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.worker.completion.ClaimLedger;
import io.jobqueue.internal.worker.completion.JobLogger;
import io.jobqueue.internal.worker.completion.WorkListener;
import io.jobqueue.internal.worker.execution.JobSink;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;
import io.jobqueue.internal.worker.execution.PayloadBudget;
import io.jobqueue.internal.worker.execution.QueueExecutor;
import io.jobqueue.internal.worker.execution.QueueExecutorTests;
import io.jobqueue.internal.worker.execution.QueueExecutors;
import io.jobqueue.internal.worker.execution.RunTimeEstimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Claims that fail, and what they leave behind.
 */
@Tag("pooler") // lost sessions
class FailingClaimTests extends UncalledJobStore {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final int HANDLERS = 64;

	private final List<ClaimRequest> claims = new ArrayList<>();

	private final List<Long> released = new ArrayList<>();

	private final ClaimLedger open = new ClaimLedger(HOUR);

	private final JobFetcher fetcher = fetcher();

	private @Nullable Throwable failure;

	private List<ClaimedJob> brought = List.of();

	private Collection<JobsAvailable> withheld = List.of();

	private @Nullable Duration nextDueIn;

	@Test
	void otherQueuesAreClaimedIfOneFails() {
		this.failure = new DataIntegrityViolationException("An odd row");
		this.fetcher.step();
		assertThat(this.claims).extracting(ClaimRequest::queue).containsExactlyInAnyOrder("broken", "invoices");
	}

	@Test
	void noOtherQueueIsClaimedIfTheConnectionFails() {
		this.failure = new DataAccessResourceFailureException("gone", new SQLException("gone", "08006"));
		assertThatException().isThrownBy(this.fetcher::step).isSameAs(this.failure);
	}

	@Test
	void failingQueueIsLoggedAndRetriedAfterAPause() {
		this.failure = new DataIntegrityViolationException("An odd row");
		try (CapturedLog log = new CapturedLog()) {
			this.fetcher.step();
			stepUntilClaimed("broken", 3);
			assertThat(log.messages("Claiming jobs of queue broken failed; will retry")).hasSize(1);
			this.failure = null;
			stepUntilClaimed("broken", 4);
			assertThat(log.messages("Claiming jobs of queue broken works again")).hasSize(1);
			assertThat(log.messages("invoices")).isEmpty();
		}
	}

	@Test
	void causesOfTheFailureMayBeCyclic() {
		RuntimeException cause = new IllegalStateException("An odd row");
		this.failure = new DataIntegrityViolationException("refused", cause);
		cause.initCause(this.failure);
		stepUntilClaimed("broken", 2);
		assertThat(quotas("broken")).containsOnly(HANDLERS);
	}

	@Test
	void failingQueueIsRetriedAfterItsPauseDespiteEarlierPolls() {
		this.failure = new DataIntegrityViolationException("An odd row");
		stepUntilClaimed("broken", 3);
		this.failure = null;
		this.nextDueIn = Duration.ofMillis(1);
		this.fetcher.pollNow();
		this.fetcher.step();
		this.nextDueIn = null;
		Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(1)).until(() -> {
			assertThat(this.fetcher.step()).isLessThan(Duration.ofMinutes(1));
			return claimsOf("broken") == 4;
		});
	}

	@Test
	void claimedJobsThatTheSinkDoesNotTakeAreReleased() {
		this.brought = new AbstractList<>() {

			@Override
			public ClaimedJob get(int index) {
				throw new IllegalStateException("No memory for that");
			}

			@Override
			public int size() {
				return 1;
			}

		};
		this.fetcher.step();
		this.fetcher.step();
		assertThat(this.released).contains(claimOf("broken").claim()).doesNotContain(claimOf("invoices").claim());
		assertThat(this.open.isEmpty()).isTrue();
	}

	/**
	 * The sink has the job, so the other queue must not fill the capacity a second time.
	 */
	@Test
	void capacityIsUsedUpWhereTheStepFailsAfterTheJobWasAccepted() {
		this.brought = List.of(job("broken"));
		this.withheld = new AbstractList<>() {

			@Override
			public JobsAvailable get(int index) {
				throw new IllegalStateException("No memory for that");
			}

			@Override
			public int size() {
				return 1;
			}

		};
		fetcher(new SharedCapacity()).step();
		assertThat(this.claims).extracting(ClaimRequest::queue).containsExactly("broken");
		assertThat(this.open.isEmpty()).isFalse();
	}

	private static ClaimedJob job(String queue) {
		return new ClaimedJobBuilder().queue(queue).maxAttempts(1).build();
	}

	@Test
	void sinkReceivesTheFailure() {
		this.failure = new DataIntegrityViolationException("An odd row");
		SharedCapacity sink = new SharedCapacity();
		fetcher(sink).step();
		assertThat(sink.failure).isSameAs(this.failure);
	}

	@Test
	void failedClaimIsInDoubtUntilItIsReleased() {
		this.failure = new DataIntegrityViolationException("An odd row");
		this.fetcher.step();
		assertThat(this.open.mark()).isEqualTo(ClaimLedger.UNKNOWN);
	}

	@Test
	void asksForHalfWithoutEnoughMemoryAndGrowsAgain() {
		this.failure = new OutOfMemoryError("Java heap space");
		stepUntilClaimed("broken", 1);
		this.failure = new DataAccessResourceFailureException("full", new SQLException("out of memory", "53200"));
		stepUntilClaimed("broken", 2);
		this.failure = null;
		stepUntilClaimed("broken", 20);
		assertThat(quotas("broken").subList(0, 3)).containsExactly(HANDLERS, HANDLERS / 2, HANDLERS / 4);
		assertThat(quotas("broken").subList(9, 20)).startsWith(HANDLERS / 4, HANDLERS / 2)
			.endsWith(HANDLERS / 2, HANDLERS, HANDLERS);
		assertThat(quotas("invoices")).containsOnly(HANDLERS);
	}

	@Test
	void asksForOneJobAtLeast() {
		this.fetcher.step();
		QueueOutages outages = new QueueOutages();
		IntStream.range(0, 100).forEach((claim) -> outages.failed("broken", new OutOfMemoryError("Java heap space")));
		assertThat(outages.withinMemory(claimOf("broken"))).extracting(ClaimRequest::quota, ClaimRequest::bytes)
			.containsExactly(1, claimOf("broken").bytes() >> 16);
	}

	private List<Integer> quotas(String queue) {
		return this.claims.stream().filter((claim) -> claim.queue().equals(queue)).map(ClaimRequest::quota).toList();
	}

	private ClaimRequest claimOf(String queue) {
		return this.claims.stream().filter((claim) -> claim.queue().equals(queue)).findFirst().orElseThrow();
	}

	private void stepUntilClaimed(String queue, int times) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(1)).until(() -> {
			this.fetcher.pollNow();
			this.fetcher.step();
			return claimsOf(queue) >= times;
		});
	}

	private long claimsOf(String queue) {
		return this.claims.stream().filter((claim) -> claim.queue().equals(queue)).count();
	}

	private JobFetcher fetcher() {
		QueueExecutors executors = new QueueExecutors(
				(queue) -> new QueueExecutor(queue, HANDLERS, new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH),
						PayloadBudget.ofHeap(), Runnable::run, new QueueExecutorTests()));
		executors.serve(Set.of("broken", "invoices"));
		return fetcher(executors);
	}

	private JobFetcher fetcher(JobSink sink) {
		return new JobFetcher(UUID.randomUUID(), this, new JobSignals(), sink, requests(), this.open,
				new PollSchedule(HOUR, HOUR, () -> false), new JobLogger(new JobMdc("node"), WorkListener.NONE),
				(claiming) -> false);
	}

	private static ClaimRequests requests() {
		QueueSettings queue = new QueueSettingsBuilder().concurrency(HANDLERS).build();
		return new ClaimRequests(
				new ServedTypes(Map.of("broken", Set.of("mail"), "invoices", Set.of("mail")), Map.of()),
				(name) -> queue, new WorkerSettingsBuilder().build(), new AtomicLong()::incrementAndGet);
	}

	@Override
	public List<TierBacklog> scanBacklog(Collection<ServedQueue> queues) {
		return queues.stream()
			.map((queue) -> new TierBacklog(new Tier(queue.queue(), 10), JobPosition.at(Instant.EPOCH), Duration.ZERO,
					null, null))
			.toList();
	}

	@Override
	public ClaimResult claim(UUID worker, ClaimRequest request) {
		this.claims.add(request);
		boolean broken = request.queue().equals("broken");
		if (broken && this.failure instanceof Error error) {
			throw error;
		}
		if (broken && this.failure instanceof RuntimeException exception) {
			throw exception;
		}
		return new ClaimResult(broken ? this.brought : List.of(), broken ? this.withheld : List.of(), request.quota(),
				broken && this.withheld.isEmpty(), false, Instant.now(), this.nextDueIn);
	}

	@Override
	public Collection<JobsAvailable> release(UUID worker, Collection<Long> claims) {
		this.released.addAll(claims);
		return List.of();
	}

	/**
	 * Accepts one job of both queues.
	 */
	private static final class SharedCapacity implements JobSink {

		private @Nullable Throwable failure;

		@Override
		public boolean sharesBacklog() {
			return false;
		}

		@Override
		public List<Map<String, Capacity>> reserve(Predicate<String> permitted) {
			return List.of(Map.of("broken", Capacity.of(1, 0), "invoices", Capacity.of(1, 0)));
		}

		@Override
		public boolean take(String queue, ClaimResult claimed, long since) {
			return true;
		}

		@Override
		public void failed(Throwable failure) {
			this.failure = failure;
		}

	}

}
