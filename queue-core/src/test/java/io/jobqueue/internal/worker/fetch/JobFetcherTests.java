package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.harness.QueueSettingsBuilder;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.harness.WorkerSettingsBuilder;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.worker.completion.ClaimLedger;
import io.jobqueue.internal.worker.completion.JobLogger;
import io.jobqueue.internal.worker.completion.WorkListener;
import io.jobqueue.internal.worker.execution.PayloadBudget;
import io.jobqueue.internal.worker.execution.QueueExecutor;
import io.jobqueue.internal.worker.execution.QueueExecutorTests;
import io.jobqueue.internal.worker.execution.QueueExecutors;
import io.jobqueue.internal.worker.execution.RunTimeEstimate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Steps whose poll fails, and the new jobs that handlers claim by their ids.
 */
class JobFetcherTests extends UncalledJobStore {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final QueueSettings SETTINGS = new QueueSettingsBuilder().build();

	private final CountDownLatch scans = new CountDownLatch(2);

	@Test
	void pollsAgainAfterAFailure() throws Exception {
		PollSchedule schedule = new PollSchedule(HOUR, HOUR, () -> false);
		QueueExecutor executor = new QueueExecutor("emails", 1, new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH),
				PayloadBudget.ofHeap(), Runnable::run, new QueueExecutorTests());
		JobFetcher fetcher = new JobFetcher(UUID.randomUUID(), this, new JobSignals(),
				new QueueExecutors((queue) -> executor), requests(false), new ClaimLedger(HOUR), schedule,
				new JobLogger(new JobMdc("node"), WorkListener.NONE), (claiming) -> false);
		FetchLoop loop = new FetchLoop(fetcher);
		Thread thread = new Thread(loop);
		thread.start();
		assertThat(this.scans.await(30, TimeUnit.SECONDS)).isTrue();
		loop.close();
		thread.join();
	}

	@Test
	void virtualThreadsClaimNoNewJobs() {
		DueJob job = new DueJob(UUID.randomUUID(), "mail",
				new JobsAvailable(new Tier("emails", 20), JobPosition.at(Instant.EPOCH), Duration.ZERO));
		assertThat(requests(false).isDirect(job)).isTrue();
		assertThat(requests(true).isDirect(job)).isFalse();
	}

	private static ClaimRequests requests(boolean virtualThreads) {
		WorkerSettings worker = new WorkerSettingsBuilder().virtualThreads(virtualThreads).build();
		return new ClaimRequests(new ServedTypes(Map.of("emails", Set.of("mail")), Map.of()), (queue) -> SETTINGS,
				worker, () -> 1);
	}

	@Override
	public List<TierBacklog> scanBacklog(Collection<ServedQueue> queues) {
		this.scans.countDown();
		if (this.scans.getCount() > 0) {
			throw new DataAccessResourceFailureException("The database is gone");
		}
		return List.of();
	}

}
