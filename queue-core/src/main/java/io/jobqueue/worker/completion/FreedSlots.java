package io.jobqueue.worker.completion;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.jobqueue.policy.QueueSettings;
import io.jobqueue.signal.JobSignals;
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
		Set<String> seen = new HashSet<>();
		List<SlotFreed> freed = new ArrayList<>();
		for (Completion completion : completions) {
			String queue = completion.job().queue();
			if (seen.add(queue) && isCounted(queue)) {
				freed.add(new SlotFreed(queue));
			}
		}
		this.signals.publish(freed);
	}

	private boolean isCounted(String queue) {
		return this.queues.apply(queue).limits().concurrency() != null;
	}

}
