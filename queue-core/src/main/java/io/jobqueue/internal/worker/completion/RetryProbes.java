package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.RetryProbe;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Outcome.Snoozed;

/**
 * Creates the retry probes for completions of queues with {@code probe-retries}. Other
 * queues cause no statement.
 */
public final class RetryProbes {

	private final Function<String, QueueSettings> settings;

	private final Set<String> ended = new HashSet<>();

	/**
	 * Create a factory of probes.
	 * @param settings the settings of each queue
	 */
	public RetryProbes(Function<String, QueueSettings> settings) {
		this.settings = settings;
	}

	List<RetryProbe> of(Collection<Completion> batch) {
		List<RetryProbe> probes = new ArrayList<>();
		for (Completion completion : batch) {
			RetryProbe probe = probe(completion);
			if (probe != null && this.settings.apply(completion.job().queue()).probeRetries()) {
				probes.add(probe);
			}
		}
		return probes;
	}

	/**
	 * Release the held-back retries of queues that do not probe retries any more, once
	 * for each queue.
	 * @param queues the names of the queues
	 * @param store the store of jobs
	 * @param signals publishes wake-ups for the released jobs
	 */
	public void end(Collection<String> queues, JobStore store, JobSignals signals) {
		List<String> unprobed = queues.stream()
			.filter((queue) -> !this.settings.apply(queue).probeRetries() && !this.ended.contains(queue))
			.toList();
		if (!unprobed.isEmpty()) {
			signals.publish(store.releaseRetries(unprobed));
			this.ended.addAll(unprobed);
		}
	}

	/**
	 * An expected failure of a first attempt is no probe. A snoozed retry counts neither
	 * as a success nor as a failure, and another retry replaces it.
	 */
	private static @Nullable RetryProbe probe(Completion completion) {
		boolean retry = completion.job().countedAttempt() > 1;
		Outcome outcome = completion.outcome();
		if (outcome instanceof RetryLater again) {
			return (retry || !again.expected()) ? probe(completion.job(), retry, false, shortest(again.delay())) : null;
		}
		if (outcome instanceof Dead) {
			return retry ? probe(completion.job(), true, false, RetryProbe.LONGEST_PAUSE) : null;
		}
		if (outcome instanceof Snoozed) {
			return retry ? probe(completion.job(), false, false, Duration.ZERO) : null;
		}
		boolean succeeded = outcome instanceof Completed || outcome instanceof CompletedInTransaction;
		return (retry && succeeded) ? probe(completion.job(), true, true, Duration.ZERO) : null;
	}

	private static RetryProbe probe(ClaimedJob job, boolean retry, boolean succeeded, Duration pause) {
		return new RetryProbe(job.id(), job.queue(), retry, succeeded, pause);
	}

	private static Duration shortest(Duration delay) {
		return (delay.compareTo(RetryProbe.LONGEST_PAUSE) < 0) ? delay : RetryProbe.LONGEST_PAUSE;
	}

}
