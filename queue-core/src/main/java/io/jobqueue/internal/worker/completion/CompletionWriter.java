package io.jobqueue.internal.worker.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.AttemptStore;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;

/**
 * Records the outcomes of one worker's jobs and notifies listeners.
 */
public final class CompletionWriter {

	private static final Logger logger = LoggerFactory.getLogger(CompletionWriter.class);

	private final UUID worker;

	private final AttemptStore store;

	private final ClaimLedger claims;

	private final RetryProbes probes;

	private final JobMdc mdc;

	private final UnwrittenOutcomes unwritten;

	private final List<Listener> listeners;

	/**
	 * Create the completion writer of a worker that claims its jobs.
	 * @param worker the id of the worker
	 * @param store records outcomes
	 * @param claims the claims of the worker
	 * @param probes creates the probes of retries
	 * @param mdc sets the MDC entries of a job
	 * @param listeners the listeners
	 */
	public CompletionWriter(UUID worker, AttemptStore store, ClaimLedger claims, RetryProbes probes, JobMdc mdc,
			List<Listener> listeners) {
		this(worker, store, claims, probes, mdc, new LeftToReaper(), listeners);
	}

	/**
	 * Create a completion writer.
	 * @param worker the id of the worker
	 * @param store records outcomes
	 * @param claims the claims of the worker
	 * @param probes creates the probes of retries
	 * @param mdc sets the MDC entries of a job
	 * @param unwritten logs outcomes that are not written
	 * @param listeners the listeners
	 */
	public CompletionWriter(UUID worker, AttemptStore store, ClaimLedger claims, RetryProbes probes, JobMdc mdc,
			UnwrittenOutcomes unwritten, List<Listener> listeners) {
		this.worker = worker;
		this.store = store;
		this.claims = claims;
		this.probes = probes;
		this.mdc = mdc;
		this.unwritten = unwritten;
		this.listeners = listeners;
	}

	/**
	 * Write outcomes in one transaction.
	 * @param batch the outcomes
	 * @param again whether an earlier try had no answer
	 * @return what was written
	 */
	public CompletionResult write(List<Completion> batch, boolean again) {
		List<Long> numbers = new ArrayList<>(batch.size());
		List<Outcome> outcomes = new ArrayList<>(batch.size());
		for (Completion completion : batch) {
			numbers.add(completion.job().claim());
			outcomes.add(completion.outcome());
		}
		CompletionResult written = this.store.recordOutcomes(this.worker, outcomes, this.claims.endingWith(numbers),
				new CompletionEffects(this.probes.of(batch), freed(batch)));
		for (Completion completion : batch) {
			completion.answer(written.jobs());
		}
		for (Completion completion : batch) {
			if (!written.jobs().contains(completion.job().id())) {
				completion.log(this.mdc, () -> this.unwritten.lost(completion, again));
			}
		}
		notifyListeners((listener) -> listener.recorded(batch, written));
		this.claims.completed(numbers);
		return written;
	}

	/**
	 * Return the jobs that other transactions have locked, an empty set if the query
	 * fails.
	 */
	Set<UUID> locked(List<Completion> batch) {
		try {
			return this.store.locked(batch.stream().map((completion) -> completion.job().id()).toList());
		}
		catch (RuntimeException ex) {
			logger.debug("Could not read which jobs are locked", ex);
			return Set.of();
		}
	}

	/**
	 * Give up an outcome that the database rejects.
	 */
	void refused(Completion completion, Throwable ex) {
		completion.log(this.mdc, () -> {
			if (this.unwritten.refused(completion, ex)) {
				notifyListeners((listener) -> listener.lost(completion));
			}
		});
		completion.refuse((ex instanceof RuntimeException refusal) ? refusal : new IllegalStateException(ex));
		this.claims.leaveOpen(completion.job().claim());
	}

	/**
	 * Give up an outcome because the worker stops before it is written. An outcome that
	 * the handler's transaction has committed counts as recorded; only its claim is left
	 * to the reaper.
	 */
	void drop(Completion completion) {
		if (completion.outcome() instanceof CompletedInTransaction) {
			pass(completion);
		}
		else {
			completion.log(this.mdc, () -> this.unwritten.dropped(completion));
			notifyListeners((listener) -> listener.lost(completion));
		}
	}

	/**
	 * Pass an outcome to the listeners that needs no write. Any thread may call this.
	 * @param completion the completion
	 */
	public void pass(Completion completion) {
		CompletionResult recorded = new CompletionResult(Set.of(completion.job().id()), List.of(), Set.of(), Set.of());
		notifyListeners((listener) -> listener.recorded(List.of(completion), recorded));
	}

	/**
	 * An exception of a listener must neither repeat the write nor skip the other
	 * listeners.
	 */
	private void notifyListeners(Consumer<Listener> call) {
		for (Listener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (Throwable ex) {
				logger.error("Outcome listener {} failed", listener.getClass().getName(), ex);
			}
		}
	}

	private static List<HeldKeys> freed(List<Completion> batch) {
		List<HeldKeys> freed = new ArrayList<>();
		for (Completion completion : batch) {
			HeldKeys keys = completion.freed();
			if (keys != null) {
				freed.add(keys);
			}
		}
		return freed;
	}

	/**
	 * Receives recorded and lost outcomes. Calls are made on the thread that writes
	 * outcomes, so they must not block; those of outcomes that need no write are made on
	 * several threads at a time.
	 */
	@FunctionalInterface
	public interface Listener {

		/**
		 * Called after outcomes were written.
		 * @param completions the completions of the batch
		 * @param result the result, which contains the jobs whose outcomes were written
		 */
		void recorded(List<Completion> completions, CompletionResult result);

		/**
		 * Called when an outcome will not be written, because the database rejects it or
		 * the worker stops. Its job is left to the reaper.
		 * @param completion the completion
		 */
		default void lost(Completion completion) {
		}

	}

}
