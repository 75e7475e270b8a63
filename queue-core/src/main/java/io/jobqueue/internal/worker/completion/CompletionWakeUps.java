package io.jobqueue.internal.worker.completion;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.WakeUp.SlotFreed;

/**
 * Publishes the wake-ups that follow recorded outcomes: of each job that they have made
 * available, such as a retry or a job that waited for an ended one or its key, and of
 * each queue with a cluster-wide concurrency limit whose jobs were completed. Also
 * publishes the finished jobs that others wait for.
 */
public final class CompletionWakeUps implements CompletionWriter.Listener {

	private final JobSignals signals;

	private final Function<String, QueueSettings> queues;

	/**
	 * Create a publisher of wake-ups.
	 * @param signals publishes them
	 * @param queues the settings of each queue
	 */
	public CompletionWakeUps(JobSignals signals, Function<String, QueueSettings> queues) {
		this.signals = signals;
		this.queues = queues;
	}

	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		this.signals.publish(result.available());
		this.signals.publishPredecessors(result.predecessors());
		this.signals.publish(freedSlots(completions));
	}

	private List<SlotFreed> freedSlots(List<Completion> completions) {
		Set<String> seen = new HashSet<>();
		List<SlotFreed> freed = new ArrayList<>();
		for (Completion completion : completions) {
			String queue = completion.job().queue();
			if (seen.add(queue) && this.queues.apply(queue).limits().concurrency() != null) {
				freed.add(new SlotFreed(queue));
			}
		}
		return freed;
	}

}
