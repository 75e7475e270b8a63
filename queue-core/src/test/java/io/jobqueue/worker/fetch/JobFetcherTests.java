package io.jobqueue.worker.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.RetryDecision;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.logging.JobMdc;
import io.jobqueue.policy.QueueSettings;
import io.jobqueue.policy.WorkerSettings;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.JobStore.AdmissionRules;
import io.jobqueue.store.JobStore.ServedQueue;
import io.jobqueue.store.JobStore.TierBacklog;
import io.jobqueue.worker.completion.ClaimLedger;
import io.jobqueue.worker.completion.JobLogger;
import io.jobqueue.worker.completion.WorkListeners;
import io.jobqueue.worker.execution.PayloadBudget;
import io.jobqueue.worker.execution.QueueExecutor;
import io.jobqueue.worker.execution.QueueExecutorTests;
import io.jobqueue.worker.execution.QueueExecutors;
import io.jobqueue.worker.execution.RunTimeEstimate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Steps whose poll fails, and steps that prepare claims of new jobs.
 */
class JobFetcherTests extends UncalledJobStore {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final ServedTypes MAIL = new ServedTypes(Map.of("emails", Set.of("mail")), Map.of());

	private static final QueueSettings SETTINGS = new QueueSettings(1, 1, HOUR, "max-run-time", null,
			(failure) -> RetryDecision.giveUp(), null, false, null, null, ClusterLimits.NONE, AdmissionRules.NONE);

	private final CountDownLatch scans = new CountDownLatch(2);

	private final List<Runnable> threads = new ArrayList<>();

	private final QueueExecutors executors = new QueueExecutors(
			(queue) -> new QueueExecutor(queue, 1, new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH),
					PayloadBudget.ofHeap(), this.threads::add, new QueueExecutorTests()));

	private final ClaimRequests requests = requests(false);

	private final JobFetcher fetcher = fetcher(this.requests);

	private int preparations;

	@Test
	void pollsAgainAfterAFailure() throws Exception {
		FetchLoop loop = new FetchLoop(this.fetcher);
		Thread thread = new Thread(loop);
		thread.start();
		assertThat(this.scans.await(30, TimeUnit.SECONDS)).isTrue();
		loop.close();
		thread.join();
	}

	@Test
	void preparesNewClaimsOnceAHandlerIsIdle() {
		this.scans.countDown();
		this.executors.serve(Set.of("emails"));
		this.executors.reserve((queue) -> true);
		this.executors.claimsEnded();
		assertThat(this.executors.offer("emails", (accepted) -> null)).as("the only handler is idle").isTrue();
		this.fetcher.step();
		runHandlers();
		assertThat(this.preparations).isZero();
		this.fetcher.step();
		runHandlers();
		this.fetcher.step();
		assertThat(this.threads).isEmpty();
		assertThat(this.preparations).isOne();
	}

	/**
	 * All queues were paused, or within limits.
	 */
	@Test
	void preparesNewClaimsOnceTheyArePossible() {
		this.scans.countDown();
		this.executors.serve(Set.of("emails"));
		this.requests.serve(new ServedTypes(Map.of(), Map.of()));
		this.fetcher.step();
		assertThat(this.threads).isEmpty();
		this.requests.serve(MAIL);
		this.fetcher.step();
		runHandlers();
		assertThat(this.preparations).isOne();
	}

	@Test
	void preparesNothingForVirtualThreads() {
		this.scans.countDown();
		this.executors.serve(Set.of("emails"));
		fetcher(requests(true)).step();
		assertThat(this.threads).isEmpty();
	}

	private void runHandlers() {
		List<Runnable> started = List.copyOf(this.threads);
		this.threads.clear();
		started.forEach(Runnable::run);
	}

	private static ClaimRequests requests(boolean virtualThreads) {
		WorkerSettings worker = new WorkerSettings("node", 0, 99, HOUR, HOUR, HOUR, HOUR, HOUR, HOUR, false,
				virtualThreads);
		return new ClaimRequests(MAIL, (queue) -> SETTINGS, worker, () -> 1);
	}

	private JobFetcher fetcher(ClaimRequests requests) {
		return new JobFetcher(UUID.randomUUID(), this, new JobSignals(), this.executors, requests,
				new ClaimLedger(HOUR), new PollSchedule(HOUR, HOUR, () -> false),
				new JobLogger(new JobMdc("node"), new WorkListeners(List.of())), (claiming) -> false);
	}

	@Override
	public List<TierBacklog> scanBacklog(Collection<ServedQueue> queues) {
		this.scans.countDown();
		if (this.scans.getCount() > 0) {
			throw new DataAccessResourceFailureException("The database is gone");
		}
		return List.of();
	}

	@Override
	public void prepareClaimNew() {
		this.preparations++;
	}

}
