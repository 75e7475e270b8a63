package io.jobqueue.worker.completion;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.Outcome.Released;

/**
 * Measures claims, waits and runs, and notifies the work listeners.
 */
public final class WorkListeners implements CompletionWriter.Listener {

	private static final Logger logger = LoggerFactory.getLogger(WorkListeners.class);

	private final List<WorkListener> listeners;

	private final Set<WorkListener> failing = ConcurrentHashMap.newKeySet();

	/**
	 * Create the group of listeners.
	 * @param listeners the listeners
	 */
	public WorkListeners(List<WorkListener> listeners) {
		this.listeners = listeners;
	}

	<T> T claim(String queue, Supplier<T> claim) {
		long since = System.nanoTime();
		try {
			return claim.get();
		}
		finally {
			Duration took = Duration.ofNanos(System.nanoTime() - since);
			notifyListeners((listener) -> listener.claimed(queue, took));
		}
	}

	void begins(ClaimedJob job, Duration waited) {
		notifyListeners((listener) -> listener.begins(job, waited));
	}

	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		completions.forEach((each) -> ended(each, outcome(each, result)));
	}

	@Override
	public void lost(Completion completion) {
		ended(completion, RunOutcome.LOST);
	}

	private static RunOutcome outcome(Completion completion, CompletionResult written) {
		UUID job = completion.job().id();
		if (!written.jobs().contains(job)) {
			return RunOutcome.LOST;
		}
		return written.cancelled().contains(job) ? RunOutcome.CANCELLED : RunOutcome.of(completion.outcome());
	}

	private void ended(Completion completion, RunOutcome outcome) {
		Duration runTime = completion.runTime();
		if (runTime != null && !(completion.outcome() instanceof Released)) {
			notifyListeners((listener) -> listener.ended(completion.job(), outcome, runTime));
		}
	}

	/**
	 * A failure of a listener must not affect the outcome of a job.
	 */
	private void notifyListeners(Consumer<WorkListener> call) {
		for (WorkListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (Throwable ex) {
				failed(listener, ex);
			}
		}
	}

	private void failed(WorkListener listener, Throwable failure) {
		if (this.failing.add(listener)) {
			logger.error("Work listener {} failed; its further failures are not logged", listener.getClass().getName(),
					failure);
		}
	}

}
