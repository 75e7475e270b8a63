package io.jobqueue.worker.completion;

import java.util.List;
import java.util.function.Function;

import io.jobqueue.policy.QueueSettings;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.WakeUp.SlotFreed;

/**
 * Publishes a wake-up for each queue with a cluster-wide concurrency limit whose jobs
 * were completed.
 */
public final class FreedSlots implements CompletionWriter.Listener {

	private final JobSignals signals;

	private final Function<String, QueueSettings> queues;

	/**
	 * Create a publisher of freed slots.
	 * @param signals publishes wake-ups
	 * @param queues the settings of each queue
	 */
	public FreedSlots(JobSignals signals, Function<String, QueueSettings> queues) {
		this.signals = signals;
		this.queues = queues;
	}

	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		List<SlotFreed> freed = completions.stream()
			.map(Completion::job)
			.filter(this::isCounted)
			.map(ClaimedJob::queue)
			.distinct()
			.map(SlotFreed::new)
			.toList();
		if (!freed.isEmpty()) {
			this.signals.publish(freed);
		}
	}

	private boolean isCounted(ClaimedJob job) {
		return this.queues.apply(job.queue()).limits().concurrency() != null;
	}

}
