package io.jobqueue.worker;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.JobPosition;
import io.jobqueue.store.JobStore.ClaimedRange;
import io.jobqueue.store.Tier;

/**
 * Where a claim begins to look in one tier, and what is known of the way beyond.
 * <p>
 * What other workers have claimed since the last signal came, one after the other, holds
 * nothing that waits. Of earlier claims that is only sure up to the place that the signal
 * told. Guarded by {@link Floors}.
 */
final class Floor {

	private static final int MOST_FRUITLESS = 32;

	private JobPosition position;

	private @Nullable Instant since;

	private @Nullable JobPosition limit;

	private boolean deep;

	private int fruitless = 1;

	private int untilNext;

	Floor(JobPosition position) {
		this.position = position;
	}

	JobPosition position() {
		return this.position;
	}

	void lower(JobPosition signalled) {
		this.position = JobPosition.earlier(this.position, signalled);
		this.limit = (this.limit != null) ? JobPosition.earlier(this.limit, signalled) : signalled;
	}

	/**
	 * Note a claim that looked at the given time, and thus after all signals that had
	 * come before.
	 * @param deep whether it had enough before it came to an end
	 */
	void lookedAt(Instant at, boolean deep) {
		if (this.since == null || this.limit != null) {
			this.since = at;
		}
		this.limit = null;
		this.deep = deep;
	}

	void raise(JobPosition reached) {
		this.position = JobPosition.later(this.position, reached);
	}

	/**
	 * Return what to ask the way for: nothing, mostly, where that was in vain.
	 */
	@Nullable ClaimedRange stretch(Tier tier, @Nullable JobPosition signalled) {
		if (!this.deep || this.since == null || --this.untilNext > 0) {
			return null;
		}
		JobPosition end = (signalled != null && this.limit != null) ? JobPosition.earlier(signalled, this.limit)
				: (signalled != null) ? signalled : this.limit;
		return new ClaimedRange(tier, this.position, this.since, end);
	}

	void skip(ClaimedRange stretch, JobPosition reached) {
		boolean inVain = reached.equals(stretch.from());
		this.fruitless = inVain ? Math.min(MOST_FRUITLESS, 2 * this.fruitless) : 1;
		this.untilNext = inVain ? this.fruitless : 0;
		if (this.position.equals(stretch.from())) {
			this.position = reached;
		}
	}

}
