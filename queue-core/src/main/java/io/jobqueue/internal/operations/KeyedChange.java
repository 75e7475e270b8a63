package io.jobqueue.internal.operations;

import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;

/**
 * Changes the live job that has a unique key, by its id. If that job finishes between the
 * query for its id and the change, the next job that has the key is changed instead.
 */
final class KeyedChange {

	private static final Set<Reason> MISSED = EnumSet.of(Reason.UNKNOWN, Reason.FINISHED);

	private static final Set<CancelOutcome> DONE = EnumSet.of(CancelOutcome.CANCELLED, CancelOutcome.REQUESTED);

	private final Supplier<@Nullable UUID> holder;

	private final String queue;

	/**
	 * Create a change.
	 * @param holder queries the id of the live job that has the key
	 * @param queue the queue of the key
	 */
	KeyedChange(Supplier<@Nullable UUID> holder, String queue) {
		this.holder = holder;
		this.queue = queue;
	}

	CancelOutcome cancel(Function<UUID, CancelOutcome> cancel) {
		CancelOutcome outcome = CancelOutcome.UNKNOWN;
		for (UUID job = next(null); job != null; job = DONE.contains(outcome) ? null : next(job)) {
			outcome = cancel.apply(job);
		}
		return outcome;
	}

	/**
	 * @param change throws if the job is no longer live
	 */
	void change(Consumer<UUID> change) {
		UUID job = next(null);
		while (job != null && !isChanged(job, change)) {
			job = next(job);
		}
		if (job == null) {
			throw new JobOperationException(null, Reason.UNKNOWN,
					"No unfinished job of queue '%s' has this key".formatted(this.queue));
		}
	}

	private static boolean isChanged(UUID job, Consumer<UUID> change) {
		try {
			change.accept(job);
			return true;
		}
		catch (JobOperationException ex) {
			if (MISSED.contains(ex.reason())) {
				return false;
			}
			throw ex;
		}
	}

	/**
	 * Return the job to change, {@code null} if no job but the missed one has the key.
	 */
	private @Nullable UUID next(@Nullable UUID missed) {
		UUID job = this.holder.get();
		return (job != null && !job.equals(missed)) ? job : null;
	}

}
