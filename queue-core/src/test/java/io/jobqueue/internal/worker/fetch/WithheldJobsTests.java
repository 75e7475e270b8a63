package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.QueueSettingsBuilder;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.harness.WakeUpListener;
import io.jobqueue.harness.WorkerSettingsBuilder;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
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
 * Jobs on their last attempt that a claim finds and leaves.
 */
class WithheldJobsTests extends UncalledJobStore {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobsAvailable LEFT = new JobsAvailable(new Tier("emails", 10), JobPosition.at(Instant.EPOCH),
			Duration.ZERO);

	private final List<Collection<? extends WakeUp>> published = new ArrayList<>();

	/**
	 * Others may have passed them over while this worker's claim held them. Repeated
	 * signals would have workers without a free handler wake each other for ever.
	 */
	@Test
	void othersAreSignalledOnce() {
		JobSignals signals = new JobSignals();
		signals.forwardTo(new WakeUpListener(this.published::add));
		QueueExecutor executor = new QueueExecutor("emails", 2, new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH),
				PayloadBudget.ofHeap(), Runnable::run, new QueueExecutorTests());
		QueueExecutors executors = new QueueExecutors((queue) -> executor);
		executors.serve(Set.of("emails"));
		JobFetcher fetcher = new JobFetcher(UUID.randomUUID(), this, signals, executors, requests(),
				new ClaimLedger(HOUR), new PollSchedule(HOUR, HOUR, () -> false),
				new JobLogger(new JobMdc("node"), WorkListener.NONE), (claiming) -> false);
		fetcher.step();
		fetcher.step();
		assertThat(this.published).containsExactly(List.of(LEFT));
	}

	private static ClaimRequests requests() {
		QueueSettings queue = new QueueSettingsBuilder().concurrency(2).build();
		return new ClaimRequests(new ServedTypes(Map.of("emails", Set.of("mail")), Map.of()), (name) -> queue,
				new WorkerSettingsBuilder().build(), () -> 1);
	}

	@Override
	public List<TierBacklog> scanBacklog(Collection<ServedQueue> queues) {
		return List.of(new TierBacklog(LEFT.tier(), LEFT.position(), Duration.ZERO, null, null));
	}

	@Override
	public ClaimResult claim(UUID worker, ClaimRequest request) {
		return new ClaimResult(List.of(), List.of(LEFT), request.quota(), false, false, Instant.now(), null);
	}

}
