package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.QueueSettingsBuilder;
import io.jobqueue.harness.WakeUpListener;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.ClusterLimits.Rate;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.WakeUp.SlotFreed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is published when jobs have ended.
 */
class CompletionWakeUpsTests {

	private static final CompletionResult NOTHING = new CompletionResult(Set.of(), List.of(), Set.of(), Set.of());

	private final List<WakeUp> published = new ArrayList<>();

	@Test
	void availableJobsAndFinishedPredecessorsArePublished() {
		List<UUID> predecessors = new ArrayList<>();
		JobSignals signals = signals();
		signals.subscribe(new JobSignals.Listener() {

			@Override
			public void onPredecessors(Collection<UUID> jobs) {
				predecessors.addAll(jobs);
			}

		});
		JobsAvailable retry = new JobsAvailable(new Tier("emails", 10), JobPosition.at(Instant.EPOCH), Duration.ZERO);
		UUID finished = new UUID(0, 1);
		wakeUps(signals, ClusterLimits.NONE).recorded(List.of(),
				new CompletionResult(Set.of(), List.of(retry), Set.of(), Set.of(finished)));
		assertThat(this.published).containsExactly(retry);
		assertThat(predecessors).containsExactly(finished);
	}

	@Test
	void freedSlotsArePublishedOnce() {
		wakeUps(signals(), new ClusterLimits(2, null)).recorded(List.of(recorded(10), recorded(20)), NOTHING);
		assertThat(this.published).containsExactly(new SlotFreed("emails"));
	}

	@Test
	void freedSlotsOfUnlimitedQueuesAreNotPublished() {
		wakeUps(signals(), ClusterLimits.NONE).recorded(List.of(recorded(10)), NOTHING);
		wakeUps(signals(), new ClusterLimits(null, new Rate(2, Duration.ofSeconds(1)))).recorded(List.of(recorded(10)),
				NOTHING);
		assertThat(this.published).isEmpty();
	}

	private JobSignals signals() {
		JobSignals signals = new JobSignals();
		signals.subscribe(new WakeUpListener(this.published::addAll));
		return signals;
	}

	private static CompletionWakeUps wakeUps(JobSignals signals, ClusterLimits limits) {
		QueueSettings settings = new QueueSettingsBuilder().limits(limits).build();
		return new CompletionWakeUps(signals, (queue) -> settings);
	}

	private static Completion recorded(int priority) {
		ClaimedJob job = new ClaimedJobBuilder().priority(priority).build();
		return new Completion(job, new Released(job.id(), job.claim()), null, null);
	}

}
